//! A text that may be very long: its beginning, and all of it when asked for.

use yew::{AttrValue, Html, Properties, classes, component, html, use_effect_with, use_state};

use crate::text::number::bytes;

/// Texts up to here are shown whole.
const PREVIEW: usize = 50_000;

/// What is shown.
#[derive(Debug, PartialEq, Properties)]
pub(super) struct LongProps {
    /// The text.
    pub text: AttrValue,
    /// Whether it is an error.
    #[prop_or_default]
    pub bad: bool,
    /// Whether it is prose rather than output.
    #[prop_or_default]
    pub prose: bool,
    /// Whether a long line is broken.
    #[prop_or_default]
    pub wrap: bool,
}

/// A text that may be very long.
#[component]
pub(super) fn Long(props: &LongProps) -> Html {
    let is_whole = use_state(|| false);
    {
        let is_whole = is_whole.setter();
        use_effect_with(props.text.clone(), move |_| is_whole.set(false));
    }
    let text = &props.text;
    let is_cut = text.len() > PREVIEW && !*is_whole;
    let shown: AttrValue = if is_cut {
        let end = text.floor_char_boundary(PREVIEW);
        text.get(..end).unwrap_or_default().to_owned().into()
    } else {
        text.clone()
    };
    let class = classes!(
        "out",
        props.bad.then_some("out-bad"),
        if props.prose { "out-prose" } else { "mono" },
        (props.wrap || props.prose).then_some("out-wrap"),
    );
    html! {
        <>
            <pre {class} tabindex="0">{ shown }</pre>
            if is_cut {
                <p class="cut">
                    { format!("The first {} are shown. ", bytes(PREVIEW as u64)) }
                    <button type="button" class="button small" onclick={move |_| is_whole.set(true)}>
                        { format!("Show all ({})", bytes(text.len() as u64)) }
                    </button>
                </p>
            }
        </>
    }
}
