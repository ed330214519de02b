//! How far the reading is, with a way to stop it.

use yew::{Callback, Html, MouseEvent, html};

use crate::engine::protocol::Reading;
use crate::text::number::{bytes, percent};

/// Shorter readings come and go without a word.
const PATIENCE_MS: f64 = 200.0;

/// How far the reading is.
pub fn progress(reading: &Reading, cancel: Callback<MouseEvent>) -> Html {
    if reading.elapsed_ms < PATIENCE_MS {
        return Html::default();
    }
    let speed = reading.bytes as f64 / reading.elapsed_ms / 1000.0;
    let value = reading.bytes as f64 / reading.size.max(1) as f64;
    html! {
        <div class="progress">
            <progress aria-label="Reading" max="1" value={format!("{value:.4}")} />
            <span class="progress-text">
                { format!("{} of {} · {} · {speed:.0} MB/s", bytes(reading.bytes), bytes(reading.size), percent(reading.bytes, reading.size)) }
            </span>
            <button type="button" class="button small" onclick={cancel}>{ "Cancel" }</button>
        </div>
    }
}

/// It is looked for logs among files that came in.
pub fn looking(cancel: Callback<MouseEvent>) -> Html {
    html! {
        <div class="progress progress-looking">
            <progress aria-label="Looking for logs" />
            <span class="progress-text">{ "Looking for a log in it …" }</span>
            <button type="button" class="button small" onclick={cancel}>{ "Cancel" }</button>
        </div>
    }
}
