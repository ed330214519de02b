//! Printing the transcript: all its pages are drawn first, beside those on the screen, and taken away again afterwards.

use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;
use yew::{UseStateHandle, hook, use_effect_with};

use crate::dom;
use crate::dom::listen::{listen, listen_first};

/// How far the print is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paper {
    /// Nothing is printed.
    Off,
    /// The pages are being drawn.
    Preparing,
    /// All are there, and the browser has been told to print.
    Sent,
}

/// Has the browser print when all `is_ready`, ends when it has, and catches the browser's own key, which would print what
/// is drawn at that moment. Where all of the transcript `is_cut_up`; else the browser is left to it.
#[hook]
pub fn use_paper(paper: &UseStateHandle<Paper>, is_ready: bool, is_cut_up: bool) {
    {
        let (is_due, setter) = (is_ready && **paper == Paper::Preparing, paper.setter());
        use_effect_with(is_due, move |is_due| {
            if *is_due {
                setter.set(Paper::Sent);
            }
        });
    }
    // A moment later: what was drawn last is laid out, and the end of the print, which the call below waits for, is heard.
    use_effect_with(**paper == Paper::Sent, |is_sent| {
        let timer = is_sent.then(|| {
            dom::timer::after(50, || {
                if let Some(window) = dom::window() {
                    let _ = window.print();
                }
            })
        });
        move || drop(timer)
    });
    {
        let paper = paper.clone();
        use_effect_with((*paper, is_cut_up), move |(now, is_cut_up)| {
            let is_off = *now == Paper::Off;
            let listeners = dom::window().filter(|_| *is_cut_up).map(|window| {
                let (set, end) = (paper.setter(), paper.setter());
                let key = listen_first(&window, "keydown", move |event| {
                    if event.dyn_ref::<KeyboardEvent>().is_some_and(is_print) && !dom::is_there("dialog[open]") {
                        event.prevent_default();
                        if is_off {
                            set.set(Paper::Preparing);
                        }
                    }
                });
                // Where pages are still being drawn, it was the browser's menu that printed: the print goes on.
                let done = listen(&window, "afterprint", move |_| {
                    if *paper == Paper::Sent {
                        end.set(Paper::Off);
                    }
                });
                (key, done)
            });
            move || drop(listeners)
        });
    }
}

fn is_print(event: &KeyboardEvent) -> bool {
    event.key().eq_ignore_ascii_case("p")
        && (event.ctrl_key() != event.meta_key())
        && !event.shift_key()
        && !event.alt_key()
}
