//! A modal dialog: the browser keeps the focus inside and gives it back.

use web_sys::wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement};
use yew::{
    AttrValue, Callback, Children, Classes, Html, Properties, TargetCast, classes, component, html, use_effect_with,
    use_node_ref,
};

use super::icon::icon;

/// What a dialog is made of.
#[derive(Debug, PartialEq, Properties)]
pub struct DialogProps {
    /// Its title.
    pub title: AttrValue,
    /// Its class.
    #[prop_or_default]
    pub class: Classes,
    /// It wants to be closed.
    pub close: Callback<()>,
    /// What it shows.
    pub children: Children,
}

/// A modal dialog, open as long as it is drawn.
#[component]
pub fn Dialog(props: &DialogProps) -> Html {
    let root = use_node_ref();
    {
        let root = root.clone();
        use_effect_with((), move |()| {
            if let Some(dialog) = root.cast::<HtmlDialogElement>()
                && !dialog.open()
            {
                // Only fails for a dialog that is not on the page.
                let _ = dialog.show_modal();
                // The browser gives the focus to what stands first, the button that closes it, where nothing else asks
                // for it: a reader begins at the title.
                let title = dialog.query_selector("#dialog-title").ok().flatten();
                let first = dialog.query_selector(".dialog-close:focus").ok().flatten();
                if let (Some(_), Some(title)) = (first, title.and_then(|title| title.dyn_into::<HtmlElement>().ok())) {
                    // Focus can only fail for what is no longer on the page.
                    let _ = title.focus();
                }
            }
        });
    }
    let close = props.close.reform(|_| ());
    let onclose = props.close.reform(|_: yew::Event| ());
    let outside = {
        let (root, close) = (root.clone(), props.close.clone());
        move |event: yew::MouseEvent| {
            // A click on the backdrop is one on the dialog itself.
            let target = event.target_dyn_into::<web_sys::Element>();
            if target.is_some() && target == root.cast::<web_sys::Element>() {
                close.emit(());
            }
        }
    };
    html! {
        <dialog ref={root} class={classes!("dialog", props.class.clone())} aria-labelledby="dialog-title" {onclose} onclick={outside}>
            <div class="dialog-body">
                <header class="dialog-head">
                    <h2 id="dialog-title" tabindex="-1">{ props.title.clone() }</h2>
                    <button type="button" class="button square quiet dialog-close" aria-label="Close" onclick={close}>
                        { icon("close") }
                    </button>
                </header>
                { props.children.clone() }
            </div>
        </dialog>
    }
}
