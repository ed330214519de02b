//! The page draws in a browser.
#![cfg(all(target_arch = "wasm32", feature = "app"))]

use steplens_web::app::App;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
async fn shows_its_name() {
    let document = web_sys::window().unwrap().document().unwrap();
    let root = document.create_element("div").unwrap();
    document.body().unwrap().append_child(&root).unwrap();
    yew::Renderer::<App>::with_root(root.clone()).render();
    yew::scheduler::flush().await;
    let heading = root.query_selector("h1").unwrap().unwrap();
    assert_eq!(heading.text_content().as_deref(), Some("Steplens"));
}
