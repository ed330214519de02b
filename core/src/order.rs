//! Sorting that is small in a wasm file.
//!
//! The standard library's sorts are written out once for every type and comparison, some 4 kB each: seventy of them were a
//! sixth of the worker. These sort places instead of values, by one routine for all types, and then move the values. What
//! sorts plain numbers in large numbers may still call the standard library's.

use std::cmp::Ordering;

/// Stable sorts of a list, in place.
pub(crate) trait Order<T> {
    /// By a comparison, as `sort_by`.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);
    /// By a key that is made anew for each comparison, as `sort_by_key`.
    fn order_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
    /// By a key that is made once for each value, as `sort_by_cached_key`.
    fn order_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
    /// By its own order, as `sort`.
    fn order(&mut self)
    where
        T: Ord;
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        // Lists of one or none are the most.
        if self.len() < 2 {
            return;
        }
        let places = places(self.len(), &mut |a, b| match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        arrange(places, &mut |a, b| self.swap(a, b));
    }

    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }

    fn order_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let keys: Vec<K> = self.iter().map(key).collect();
        let places = places(keys.len(), &mut |a, b| keys.get(a).cmp(&keys.get(b)));
        arrange(places, &mut |a, b| self.swap(a, b));
    }

    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

/// The places of the values, in their order.
fn places(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

/// Moves the values so that each stands where `places` names it, by one swap a value at most.
fn arrange(mut places: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..places.len() {
        let mut at = start;
        while let Some(from) = places.get(at).copied() {
            if let Some(done) = places.get_mut(at) {
                *done = at;
            }
            if from == start || from == at {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Order;
    use proptest::prelude::*;

    proptest! {
        /// Equal keys keep their order, so that the whole result is the standard library's.
        #[test]
        fn sorts_as_the_standard_library_does(values in proptest::collection::vec((0u8..9, any::<u32>()), 0..80)) {
            let mut sorted = values.clone();
            sorted.sort_by_key(|value| value.0);
            let (mut by_key, mut cached, mut by) = (values.clone(), values.clone(), values.clone());
            by_key.order_by_key(|value| value.0);
            cached.order_by_cached_key(|value| value.0);
            by.order_by(|a, b| a.0.cmp(&b.0));
            prop_assert_eq!(&by_key, &sorted);
            prop_assert_eq!(&cached, &sorted);
            prop_assert_eq!(&by, &sorted);
            let (mut own, mut whole) = (values.clone(), values);
            own.order();
            whole.sort();
            prop_assert_eq!(own, whole);
        }
    }
}
