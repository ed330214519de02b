//! `Blob`s that belong to an answer. An answer is bytes, and a `Blob` is not: it is kept here under a number that the
//! answer names. The worker's side hands over what was kept before it answers.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use web_sys::Blob;

thread_local! {
    static KEPT: RefCell<BTreeMap<u32, Blob>> = const { RefCell::new(BTreeMap::new()) };
    static LAST: Cell<u32> = const { Cell::new(0) };
}

/// Keeps a `Blob` for whoever gets the answer; its number.
pub fn keep(blob: Blob) -> u32 {
    let number = LAST.get().wrapping_add(1);
    LAST.set(number);
    put(number, blob);
    number
}

/// Keeps a `Blob` that another thread numbered.
pub fn put(number: u32, blob: Blob) {
    KEPT.with_borrow_mut(|kept| kept.insert(number, blob));
}

/// Takes a `Blob` that an answer names.
pub fn take(number: u32) -> Option<Blob> {
    KEPT.with_borrow_mut(|kept| kept.remove(&number))
}

/// All that were kept, to be handed to another thread.
pub fn drain() -> Vec<(u32, Blob)> {
    KEPT.with_borrow_mut(|kept| std::mem::take(kept).into_iter().collect())
}
