//! Tokens by class: the classes, their colours, and the stacked bar.

use steplens_core::usage::Tokens;
use yew::{Html, html};

use crate::text::number::{count, percent};

/// A class of tokens.
#[derive(Debug, Clone, Copy)]
pub struct Class {
    /// Its name in figures.
    pub figure: &'static str,
    /// Its word in legends.
    pub word: &'static str,
    /// Its class in style sheets.
    pub style: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Its value.
    pub of: fn(&Tokens) -> Option<u64>,
}

/// The classes that add up to the total, in the order in which they are stacked.
pub const CLASSES: [Class; 4] = [
    Class {
        figure: "tokens.cachedInput",
        word: "cached",
        style: "t-cached",
        what: "Input read from the cache",
        of: |tokens| tokens.cached_input,
    },
    Class {
        figure: "tokens.uncachedInput",
        word: "uncached",
        style: "t-uncached",
        what: "Input not read from the cache, cache writes included",
        of: |tokens| tokens.uncached_input,
    },
    Class {
        figure: "tokens.output",
        word: "output",
        style: "t-output",
        what: "Output, as the harness counts it",
        of: |tokens| tokens.output,
    },
    Class {
        figure: "tokens.reasoning",
        word: "reasoning",
        style: "t-reasoning",
        what: "Reasoning, counted apart from the output",
        of: |tokens| tokens.reasoning,
    },
];

/// A bar of the classes, as long as the total is of `scale`.
pub fn stack(tokens: &Tokens, scale: u64) -> Html {
    let total: u64 = parts(tokens).map(|(_, n)| n).fold(0, u64::saturating_add);
    let scale = scale.max(total);
    let title = parts(tokens)
        .map(|(class, n)| format!("{} {} ({})", class.word, count(n, "token", "tokens"), percent(n, total)))
        .collect::<Vec<_>>()
        .join(", ");
    let bars = parts(tokens).filter(|(_, n)| *n > 0).map(|(class, n)| {
        let width = n as f64 * 100.0 / scale.max(1) as f64;
        html! { <i class={class.style} style={format!("width:{width:.2}%")} /> }
    });
    html! { <span class="stack" {title}>{ for bars }</span> }
}

fn parts(tokens: &Tokens) -> impl Iterator<Item = (Class, u64)> {
    CLASSES.into_iter().filter_map(|class| Some((class, (class.of)(tokens)?)))
}

/// A small square in a class's colour.
pub fn key(style: &'static str) -> Html {
    html! { <i class={format!("key {style}")} aria-hidden="true" /> }
}
