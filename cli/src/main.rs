//! The command line twin of the page.
fn main() {}
