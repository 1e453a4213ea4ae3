//! Sessions: worlds on stage that several viewers may watch.
