//! The page's worker.

use wasm_bindgen::UnwrapThrowExt;

fn main() {
    steplens_web::engine::server::start().unwrap_throw();
}
