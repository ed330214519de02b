//! The requests of an agent that is watched, a card each. A card that was answered stays for a moment, so that no other comes
//! under the pointer; and one that has just come or moved takes no click yet.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use steplens_core::ask::{AskStatus, AskSummary};
use steplens_core::summary::Summary;
use web_sys::HtmlElement;
use yew::{Html, NodeRef, Properties, component, html, use_effect, use_force_update, use_mut_ref, use_node_ref};

use super::live_card::{Card, Draft};
use super::session_tree::name_among;
use crate::dom::timer::{Timer, after};
use crate::live::connection::Phase;
use crate::state::live::Live;
use crate::state::shared::Shared;

/// How long a card stays that needs no answer any more.
const STAYS_MS: f64 = 4_000.0;
/// How long a card stands still before a click on it counts.
const SETTLES_MS: f64 = 800.0;

/// What the cards are about.
#[derive(Debug, PartialEq, Properties)]
pub struct CardsProps {
    /// The connection.
    pub live: Live,
    /// What is known of the run.
    pub summary: Shared<Summary>,
}

/// A card that is shown.
#[derive(Debug)]
struct Shown {
    ask: AskSummary,
    /// Since when it needs no answer.
    closed_at: Option<f64>,
    /// Its buttons.
    answers: NodeRef,
    /// Where they stand.
    top: i32,
    /// Since when they stand there.
    moved_at: f64,
}

impl Shown {
    fn is_settled(&self, now: f64) -> bool {
        now - self.moved_at >= SETTLES_MS
    }
}

/// What was chosen and typed and is not sent yet, by the id of the request: it outlives its card.
pub type Drafts = Rc<RefCell<HashMap<String, Draft>>>;

/// How many requests wait for an answer.
pub fn waiting(asks: &[AskSummary], live: &Live) -> usize {
    asks.iter().filter(|ask| is_open(ask, live.is_listed)).count()
}

/// Whether a request has no answer; one of before the stream broke may have, unless the server told which are open.
fn is_open(ask: &AskSummary, is_listed: bool) -> bool {
    match ask.status {
        AskStatus::Pending => true,
        AskStatus::Missed => !is_listed,
        _ => false,
    }
}

/// Which cards are shown now: the known ones in their places, the new ones behind them.
fn follow(shown: &mut Vec<Shown>, asks: &[AskSummary], is_listed: bool, now: f64) {
    shown.retain_mut(|card| {
        // The summary holds those alone that have no answer.
        let known = asks.iter().find(|ask| ask.id == card.ask.id);
        let is_open = known.is_some_and(|ask| is_open(ask, is_listed));
        card.ask = known.unwrap_or(&card.ask).clone();
        card.closed_at = if is_open { None } else { card.closed_at.or(Some(now)) };
        card.closed_at.is_none_or(|at| now - at < STAYS_MS)
    });
    for ask in asks.iter().filter(|ask| is_open(ask, is_listed)) {
        if !shown.iter().any(|card| card.ask.id == ask.id) {
            shown.push(Shown {
                ask: ask.clone(),
                closed_at: None,
                answers: NodeRef::default(),
                top: i32::MIN,
                moved_at: now,
            });
        }
    }
}

/// Whose request it is, where there are several sessions.
fn whose(ask: &AskSummary, summary: &Summary) -> Option<String> {
    if summary.sessions.len() < 2 {
        return None;
    }
    let session = summary.sessions.iter().find(|session| session.id == ask.session)?;
    let kind = if session.parent.is_some() { "child session" } else { "session" };
    Some(format!("{kind} “{}”", name_among(session, &summary.sessions)))
}

/// The cards.
#[component]
pub fn Cards(props: &CardsProps) -> Html {
    let CardsProps { live, summary } = props;
    let root = use_node_ref();
    let shown = use_mut_ref(Vec::<Shown>::new);
    let drafts = use_mut_ref(HashMap::<String, Draft>::new);
    let timer = use_mut_ref(|| None::<Timer>);
    let redraw = use_force_update();
    let now = js_sys::Date::now();
    follow(&mut shown.borrow_mut(), &summary.asks, live.is_listed, now);
    {
        let (root, shown) = (root.clone(), shown.clone());
        use_effect(move || {
            let now = js_sys::Date::now();
            let mut is_moved = false;
            let top = root.cast::<HtmlElement>().map_or(0, |root| root.offset_top());
            for card in shown.borrow_mut().iter_mut() {
                let stands = card.answers.cast::<HtmlElement>().map_or(0, |answers| answers.offset_top() + top);
                if stands != card.top {
                    (card.top, card.moved_at, is_moved) = (stands, now, true);
                }
            }
            let due = |card: &Shown| {
                let settles = Some(card.moved_at + SETTLES_MS - now).filter(|ms| *ms > 0.0);
                [settles, card.closed_at.map(|at| at + STAYS_MS - now)].into_iter().flatten().reduce(f64::min)
            };
            let next = shown.borrow().iter().filter_map(due).reduce(f64::min);
            let again = redraw.clone();
            timer.replace(next.map(|ms| after(ms.max(0.0) as i32 + 1, move || again.force_update())));
            if is_moved {
                redraw.force_update();
            }
        });
    }
    let is_over = live.is_over();
    let is_connected = live.phase == Phase::Open && !is_over;
    let cards = shown.borrow();
    let rows = cards.iter().map(|card| {
        html! {
            <Card
                key={card.ask.id.clone()}
                ask={card.ask.clone()}
                whose={whose(&card.ask, summary)}
                is_closed={card.closed_at.is_some()}
                answers={live.answers && !is_over}
                {is_connected}
                {is_over}
                is_settled={card.is_settled(now)}
                sent={live.sent_to(&card.ask.id).cloned()}
                buttons={card.answers.clone()}
                drafts={drafts.clone()}
            />
        }
    });
    let open = cards.iter().filter(|card| card.closed_at.is_none()).count();
    html! {
        // Where many wait, they scroll: the run itself stays in sight.
        <div ref={root} class="watch-asks" aria-live="polite" tabindex={(!cards.is_empty()).then_some("0")} role="group" aria-label={format!("Open requests: {open}")}>
            { for rows }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(id: &str, status: AskStatus) -> AskSummary {
        AskSummary { id: id.to_owned(), status, ..AskSummary::default() }
    }

    fn ids(shown: &[Shown]) -> Vec<(&str, bool)> {
        shown.iter().map(|card| (card.ask.id.as_str(), card.closed_at.is_some())).collect()
    }

    #[test]
    fn an_answered_card_keeps_its_place_for_a_moment() {
        let mut shown = Vec::new();
        follow(&mut shown, &[ask("a", AskStatus::Pending), ask("b", AskStatus::Pending)], false, 0.0);
        assert_eq!(ids(&shown), [("a", false), ("b", false)]);
        let asks = [ask("n", AskStatus::Pending), ask("b", AskStatus::Missed)];
        follow(&mut shown, &asks, false, 10.0);
        assert_eq!(ids(&shown), [("a", true), ("b", false), ("n", false)]);
        follow(&mut shown, &asks, true, STAYS_MS + 10.0);
        assert_eq!(ids(&shown), [("b", true), ("n", false)]);
        follow(&mut shown, &[], true, STAYS_MS * 2.0 + 10.0);
        assert_eq!(ids(&shown), [("n", true)]);
        follow(&mut shown, &[ask("n", AskStatus::Pending)], true, STAYS_MS * 3.0);
        assert_eq!(ids(&shown), [("n", false)]);
    }

    #[test]
    fn a_card_takes_no_click_before_it_stood_still() {
        let mut shown = Vec::new();
        follow(&mut shown, &[ask("a", AskStatus::Pending)], false, 100.0);
        assert!(shown.iter().all(|card| !card.is_settled(100.0 + SETTLES_MS - 1.0)));
        assert!(shown.iter().all(|card| card.is_settled(100.0 + SETTLES_MS)));
    }
}
