//! Recordings as glTF: read back by another library, and judged by Khronos' validator.

mod files;
mod imported;
mod motion;
mod recorded;
mod shapes;
mod validator;
