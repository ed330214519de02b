//! Rows of a long list, asked from the engine block by block as they come into sight.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use yew::{Callback, hook, use_effect_with, use_mut_ref, use_state};

use super::context::{EngineHandle, use_reach};
use crate::engine::protocol::{Answer, Ask};
use crate::state::shared::Shared;

/// Rows beyond those in sight that a block holds on either side.
const MARGIN: u64 = 60;

/// A stretch of rows, and how long the list was when they were asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Block<T> {
    /// Place of the first row.
    pub start: u64,
    /// Rows of the whole list.
    pub total: u64,
    /// Which list it is; rows of different lists have nothing to do with each other.
    pub list: u32,
    /// The rows.
    pub rows: Vec<T>,
}

impl<T> Block<T> {
    /// The row at a place, if it is here.
    pub fn get(&self, index: u64) -> Option<&T> {
        let place = index.checked_sub(self.start)?;
        self.rows.get(usize::try_from(place).ok()?)
    }
}

/// What rows are asked for: where the list stands, and how to ask.
#[derive(Debug)]
pub struct Source<T: 'static> {
    /// Changes when the rows have to be asked for again.
    pub edition: (u32, u32, u32),
    /// The question for so many rows from there.
    pub ask: fn(u64, u64) -> Ask,
    /// Reads the answer.
    pub read: fn(Answer) -> Option<Block<T>>,
}

// Not derived, because that would ask the same of `T`.
impl<T> Clone for Source<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Source<T> {}

#[derive(Debug, Default)]
struct Wanted {
    range: Range<u64>,
    edition: (u32, u32, u32),
    have: Option<((u32, u32, u32), Range<u64>)>,
    is_asked: bool,
}

/// The latest block, and a way to say which rows are in sight.
#[hook]
pub fn use_block<T: 'static>(source: Source<T>) -> (Option<Shared<Block<T>>>, Callback<Range<u64>>) {
    let block = use_state(|| None::<Shared<Block<T>>>);
    let wanted: Rc<RefCell<Wanted>> = use_mut_ref(Wanted::default);
    let engine = use_reach().and_then(|reach| reach.engine);
    let fetch = {
        let (set, wanted) = (block.setter(), wanted.clone());
        move || {
            if let Some(engine) = &engine {
                let set = set.clone();
                let hear = Rc::new(move |block| set.set(Some(Shared::new(block))));
                fetch(engine, source, &wanted, hear);
            }
        }
    };
    {
        let (fetch, wanted) = (fetch.clone(), wanted.clone());
        use_effect_with(source.edition, move |edition| {
            wanted.borrow_mut().edition = *edition;
            fetch();
        });
    }
    let in_sight = Callback::from(move |range: Range<u64>| {
        wanted.borrow_mut().range = range;
        fetch();
    });
    ((*block).clone(), in_sight)
}

/// Asks for what is in sight, unless it is here already; one question at a time.
fn fetch<T: 'static>(
    engine: &EngineHandle,
    source: Source<T>,
    wanted: &Rc<RefCell<Wanted>>,
    hear: Rc<dyn Fn(Block<T>)>,
) {
    let (edition, start, len) = {
        let mut wanted = wanted.borrow_mut();
        let (range, edition) = (wanted.range.clone(), wanted.edition);
        let is_here = wanted
            .have
            .as_ref()
            .is_some_and(|(of, have)| *of == edition && have.start <= range.start && have.end >= range.end);
        if wanted.is_asked || is_here {
            return;
        }
        wanted.is_asked = true;
        let start = range.start.saturating_sub(MARGIN);
        (edition, start, range.end.saturating_sub(start) + MARGIN)
    };
    let (engine_then, wanted_then) = (engine.clone(), wanted.clone());
    let then = move |answer| {
        let block = (source.read)(answer);
        {
            let mut wanted = wanted_then.borrow_mut();
            wanted.is_asked = false;
            match &block {
                Some(_) => wanted.have = Some((edition, start..start + len)),
                None => return,
            }
        }
        if let Some(block) = block {
            hear(block);
        }
        // What is in sight may have moved on meanwhile.
        fetch(&engine_then, source, &wanted_then, hear);
    };
    engine.0.ask((source.ask)(start, len), Box::new(then));
}
