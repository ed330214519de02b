//! Build, serve and test, from nothing.
fn main() {}
