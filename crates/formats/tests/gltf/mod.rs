//! Tests of the glTF export: files are read by another library and checked by the Khronos validator.

mod files;
mod imported;
mod motion;
mod recorded;
mod shapes;
mod validator;
