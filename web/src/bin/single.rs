//! The page with the engine in its own thread: what `single.html` is made of.

use steplens_web::app::App;

fn main() {
    steplens_web::engine::inpage::say_panics();
    yew::Renderer::<App>::new().render();
}
