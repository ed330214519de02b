//! The page.

use steplens_web::app::App;

fn main() {
    yew::Renderer::<App>::new().render();
}
