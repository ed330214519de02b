//! The messages tab: the run as prose. What was said as Markdown, thoughts folded, calls in a line each.
//!
//! Entries differ in height, so the list is drawn by pages: those in sight are there, and two spaces stand for the pages
//! above and below, as tall as these were when they were drawn, or else as pages are.

use std::collections::BTreeMap;
use std::rc::Rc;

use paper::{Paper, use_paper};
use said::SaidPage;
use steplens_core::transcript::Entry;
use web_sys::Element;
use yew::{
    AttrValue, Html, Properties, component, html, use_effect, use_memo, use_mut_ref, use_node_ref, use_state,
    use_state_eq,
};

use crate::dom;
use crate::engine::protocol::{Answer, Ask, ListHead};
use crate::hooks::context::use_reach;
use crate::text::number::{count, grouped};

mod paper;
mod said;

/// Entries of a page.
const PAGE: u64 = 40;
/// Pages that are printed at most: 20,000 entries.
const PRINTED: u64 = 500;
/// Pages that stand whole, without a window: then the browser's own print and search find all.
const WHOLE: u64 = 4;
/// Pages that are read together for a print, and then drawn.
const TOGETHER: u64 = 25;
/// What the button does.
const PRINT: &str = "Prints the whole transcript, up to 20,000 entries; from some thousands on that takes a moment";
/// Height of a page that was never drawn.
const GUESS: f64 = PAGE as f64 * 34.0;

/// What the tab shows.
#[derive(Debug, PartialEq, Properties)]
pub struct MessagesProps {
    /// The list, which tells when entries changed.
    pub list: ListHead,
    /// Counts openings.
    pub opening: u32,
    /// Name of the log.
    pub title: AttrValue,
    /// Ids of the sessions, in the order of the summary; those behind the first that have a parent stand further in.
    pub sessions: Vec<(String, bool)>,
}

#[derive(Default)]
struct Pages {
    edition: (u32, u32, u32),
    total: u64,
    have: BTreeMap<u64, Rc<Vec<Entry>>>,
    asked: Option<u64>,
    heights: BTreeMap<u64, f64>,
    /// All pages are kept, to be printed.
    is_printing: bool,
}

impl Pages {
    fn count(&self) -> u64 {
        self.total.div_ceil(PAGE)
    }

    fn height(&self, page: u64) -> f64 {
        self.heights.get(&page).copied().unwrap_or(GUESS)
    }

    fn above(&self, page: u64) -> f64 {
        let drawn = self.heights.range(..page);
        let (n, sum) = drawn.fold((0u64, 0.0), |(n, sum), (_, height)| (n + 1, sum + height));
        sum + (page - n.min(page)) as f64 * GUESS
    }

    /// The page at a place in pixels.
    fn at(&self, y: f64) -> u64 {
        let mut top = 0.0;
        for page in 0..self.count() {
            top += self.height(page);
            if top > y {
                return page;
            }
        }
        self.count().saturating_sub(1)
    }
}

/// The messages tab.
#[component]
pub fn Messages(props: &MessagesProps) -> Html {
    let reach = use_reach();
    let utc = reach.as_ref().is_some_and(|reach| reach.utc);
    let engine = reach.and_then(|reach| reach.engine);
    let pages = use_mut_ref(Pages::default);
    let node = use_node_ref();
    let near = use_state_eq(|| (0u64, 1u64));
    let changed = use_state(|| 0u32);
    let paper = use_state_eq(|| Paper::Off);
    let sessions = use_memo(props.sessions.clone(), Clone::clone);
    let said = use_state(|| None::<String>);
    let edition = (props.opening, props.list.list, props.list.edition);

    let (first, last, end) = {
        let mut pages = pages.borrow_mut();
        if pages.edition != edition {
            // What is drawn stays until the new page is here.
            pages.edition = edition;
            pages.total = 0;
            pages.have.clear();
            pages.asked = None;
        }
        pages.is_printing = *paper != Paper::Off;
        let end = pages.count().saturating_sub(1);
        match pages.count() <= WHOLE {
            true => (0, end, end),
            false => (near.0.saturating_sub(1).min(end), (near.1 + 1).min(end), end),
        }
    };
    // What is drawn for the paper alone.
    let printed = if *paper == Paper::Off { 0..0 } else { 0..(end + 1).min(PRINTED) };

    {
        // One stretch is asked for at a time: the first that is drawn and not here.
        let len = if *paper == Paper::Off { PAGE } else { PAGE * TOGETHER };
        let (pages, changed, engine, printed) = (pages.clone(), changed.clone(), engine.clone(), printed.clone());
        use_effect(move || {
            let wanted = {
                let mut pages = pages.borrow_mut();
                let missing = (first..=last).chain(printed).find(|page| !pages.have.contains_key(page));
                if pages.asked.is_some() || missing.is_none() {
                    None
                } else {
                    pages.asked = missing;
                    missing
                }
            };
            if let (Some(page), Some(engine)) = (wanted, engine) {
                let then = move |answer| {
                    {
                        let mut pages = pages.borrow_mut();
                        pages.asked = None;
                        if let Answer::Transcript(part) = answer
                            && pages.edition == edition
                        {
                            pages.total = part.total;
                            let mut rest = part.entries.into_iter();
                            for page in page..=page + len / PAGE - 1 {
                                let entries: Vec<Entry> = rest.by_ref().take(PAGE as usize).collect();
                                // The first page is there even when it is empty.
                                if !entries.is_empty() || page == 0 {
                                    pages.have.insert(page, Rc::new(entries));
                                }
                            }
                            // Pages far away are asked for again when they come into sight.
                            if pages.have.len() > 80 && !pages.is_printing {
                                pages.have.retain(|at, _| at.abs_diff(page) < 60);
                            }
                        }
                    }
                    changed.set(*changed + 1);
                };
                engine.0.ask(Ask::Transcript { start: page * PAGE, len }, Box::new(then));
            }
        });
    }
    let scrolled = {
        let (node, near, pages) = (node.clone(), near.setter(), pages.clone());
        move || {
            let Some(element) = node.cast::<Element>() else { return };
            let pages = pages.borrow();
            let top = f64::from(element.scroll_top());
            near.set((pages.at(top), pages.at(top + f64::from(element.client_height()))));
        }
    };
    {
        // How tall the pages came out.
        let (node, pages, scrolled) = (node.clone(), pages.clone(), scrolled.clone());
        use_effect(move || {
            let Some(element) = node.cast::<Element>() else { return };
            let drawn = element.children();
            for n in 0..drawn.length() {
                let Some(page) = drawn.item(n).filter(|page| page.has_attribute("data-page")) else { continue };
                let number = page.get_attribute("data-page").and_then(|n| n.parse().ok());
                if let Some(number) = number.filter(|n| (first..=last).contains(n)) {
                    let height = page.get_bounding_client_rect().height();
                    pages.borrow_mut().heights.insert(number, height);
                }
            }
            scrolled();
        });
    }
    let ready = printed.clone().filter(|page| pages.borrow().have.contains_key(page)).count() as u64;
    use_paper(&paper, !printed.is_empty() && ready == printed.end, pages.borrow().count() > WHOLE);

    let text = {
        let (engine, title, said) = (engine.clone(), props.title.to_string(), said.setter());
        move |then: fn(String, String, yew::UseStateSetter<Option<String>>)| {
            let (said, title) = (said.clone(), title.clone());
            if let Some(engine) = &engine {
                let named = title.clone();
                let hear = move |answer| {
                    if let Answer::Text(text) = answer {
                        then(text, named, said);
                    }
                };
                engine.0.ask(Ask::Markdown { title, utc }, Box::new(hear));
            }
        }
    };
    let copy = {
        let text = text.clone();
        move |_| {
            text(|text, _, said| {
                dom::clipboard::copy(text, move |done| {
                    said.set(Some(if done { "Copied" } else { "The browser forbids it" }.to_owned()));
                });
            });
        }
    };
    let save = move |_| text(|text, name, _| dom::save::text(&format!("{name}.md"), &text));
    let print = {
        let paper = paper.clone();
        move |_| paper.set(if *paper == Paper::Off { Paper::Preparing } else { Paper::Off })
    };

    let held = pages.borrow();
    let total = held.total;
    let above = held.above(first);
    let below = held.above(held.count()) - held.above(last + 1).min(held.above(held.count()));
    let all = (first.min(printed.start)..printed.end.max(last + 1))
        .filter(|page| (first..=last).contains(page) || printed.contains(page));
    let mut on_paper = 0;
    let drawn: Vec<Html> = all
        .filter_map(|number| {
            let entries = held.have.get(&number)?.clone();
            on_paper += entries.len() as u64;
            let is_for_paper = !(first..=last).contains(&number);
            Some(html! { <SaidPage key={number} {number} {entries} sessions={sessions.clone()} {is_for_paper} /> })
        })
        .collect();
    let left_out = match () {
        () if on_paper >= total => None,
        () if !printed.is_empty() && ready == printed.end => Some(format!(
            "Printed are the first {} of {}. Save as Markdown holds them all.",
            grouped(on_paper),
            count(total, "entry", "entries")
        )),
        () => Some(format!(
            "On this paper are only {} of {}, those around what was in sight. The Print button above the transcript, or Ctrl+P or ⌘P there, prints them all.",
            grouped(on_paper),
            count(total, "entry", "entries")
        )),
    };
    let onscroll = move |_| scrolled();
    html! {
        <div id="panel-messages" class="page transcript" role="tabpanel" aria-labelledby="tab-messages">
            <div class="transcript-tools">
                <button type="button" class="button small" onclick={copy}>{ "Copy as Markdown" }</button>
                <button type="button" class="button small" onclick={save}>{ "Save as Markdown" }</button>
                <button type="button" class="button small" onclick={print} title={PRINT}>
                    { if *paper == Paper::Off { "Print" } else { "Stop printing" } }
                </button>
                <span class="muted" aria-live="polite">
                    { said.as_deref().unwrap_or_default().to_owned() }
                    if *paper == Paper::Preparing { { "Preparing the print …" } }
                </span>
                if *paper == Paper::Preparing {
                    <span class="muted num">{ format!("{} of {}", grouped((ready * PAGE).min(total)), count(total.min(PRINTED * PAGE), "entry", "entries")) }</span>
                }
            </div>
            <div class="said" ref={node} tabindex="0" role="group" aria-label="Transcript" {onscroll}>
                if let Some(words) = left_out { <p key="left-out" class="print-only left-out">{ words }</p> }
                <div key="above" class="said-space" style={format!("height:{above:.0}px")} />
                { for drawn }
                <div key="below" class="said-space" style={format!("height:{below:.0}px")} />
            </div>
        </div>
    }
}
