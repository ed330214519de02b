//! Where the keyboard is while the pane covers the list, as it does where there is no room for both.

use yew::{hook, use_effect_with, use_mut_ref};

use crate::dom;

/// As in the style sheet.
const COVERS: &str = "(max-width: 999px)";

/// Takes the keyboard into the pane that covers the list, and back to the list once it is closed: what has the keyboard is
/// never out of sight.
#[hook]
pub fn use_sheet(is_open: bool) {
    let was_open = use_mut_ref(|| false);
    use_effect_with(is_open, move |is_open| {
        let was_open = was_open.replace(*is_open);
        if !dom::is_media(COVERS) {
            return;
        }
        if *is_open {
            dom::focus("#detail .detail-close");
        } else if was_open {
            dom::focus("#events");
        }
    });
}
