//! Curves.
/// x
#[derive(Debug)]
pub struct Axis;
/// x
#[derive(Debug)]
pub struct Plot;
/// x
#[derive(Debug)]
pub struct Series;
