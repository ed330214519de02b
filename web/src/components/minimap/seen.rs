//! What of the run is in sight in the list, told past the state: it changes with every scrolled row.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use yew::Callback;

/// Times and records of the rows in sight, from the least to the most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InSight {
    /// Times, in milliseconds since the epoch.
    pub times: Option<(i64, i64)>,
    /// Places of records in the run.
    pub records: Option<(i64, i64)>,
}

/// A place to say what is in sight, and to hear of it.
#[derive(Clone, Default)]
pub struct Seen(Rc<Inner>);

#[derive(Default)]
struct Inner {
    now: Cell<InSight>,
    hear: RefCell<Option<Callback<InSight>>>,
}

impl std::fmt::Debug for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Seen").field(&self.0.now.get()).finish()
    }
}

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Seen {
    /// Says what is in sight.
    pub fn say(&self, now: InSight) {
        if self.0.now.replace(now) != now
            && let Some(hear) = self.0.hear.borrow().as_ref()
        {
            hear.emit(now);
        }
    }

    /// Hears of it from now on, in place of whoever did before.
    pub fn hear(&self, hear: Callback<InSight>) {
        hear.emit(self.0.now.get());
        self.0.hear.replace(Some(hear));
    }
}
