//! The page.

use steplens_web::app::App;

fn main() {
    #[cfg(debug_assertions)]
    if steplens_web::views::gallery::is_gallery() {
        yew::Renderer::<steplens_web::views::gallery::Gallery>::new().render();
        return;
    }
    yew::Renderer::<App>::new().render();
}
