//! One request of an agent that is watched: all that it asks, and the answers that can be given.

use std::rc::Rc;

use steplens_core::ask::{AskKind, AskStatus, AskSummary, AskedQuestion, TimeFrom, WholeAsk};
use steplens_core::time::TimeMs;
use web_sys::HtmlInputElement;
use yew::{
    Html, InputEvent, MouseEvent, NodeRef, Properties, TargetCast, UseStateHandle, classes, component, html,
    use_context, use_effect_with, use_state,
};

use super::asks::said_of;
use super::icon::icon;
use super::live_cards::Drafts;
use super::shown::shown;
use crate::dom::clock;
use crate::engine::protocol::{Answer, Ask};
use crate::hooks::context::use_reach;
use crate::hooks::live::Watcher;
use crate::live::reply::{Reply, Sent, has_path};
use crate::text::number::{count, grouped};

/// A text with more lines, or characters, has its size beside it.
const LINES: usize = 8;
const CHARS: usize = 600;

/// What was chosen and typed of a form, by its questions: the places of options, and an answer of one's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft(Vec<(Vec<usize>, String)>);

impl Draft {
    fn of(&self, question: usize) -> (&[usize], &str) {
        self.0.get(question).map_or((&[], ""), |(chosen, own)| (chosen, own))
    }

    fn slot(&mut self, question: usize) -> Option<&mut (Vec<usize>, String)> {
        self.0.resize(self.0.len().max(question + 1), Default::default());
        self.0.get_mut(question)
    }

    /// An option is chosen, or no longer; where one answer is taken, it is the only one.
    fn choose(&mut self, question: usize, place: usize, is_multiple: bool) {
        let Some((chosen, own)) = self.slot(question) else { return };
        match chosen.iter().position(|known| *known == place) {
            Some(at) if is_multiple => {
                chosen.remove(at);
            }
            Some(_) => {}
            None if is_multiple => chosen.push(place),
            None => {
                *chosen = vec![place];
                own.clear();
            }
        }
    }

    /// An answer of one's own is typed; where one answer is taken, it is the only one.
    fn write(&mut self, question: usize, text: String, is_multiple: bool) {
        let Some((chosen, own)) = self.slot(question) else { return };
        if !is_multiple && !text.trim().is_empty() {
            chosen.clear();
        }
        *own = text;
    }

    /// The answers, by the harness's own labels; none while one is lacking.
    fn answers(&self, questions: &[AskedQuestion]) -> Option<Vec<Vec<String>>> {
        let of = |(n, question): (usize, &AskedQuestion)| {
            let (chosen, own) = self.of(n);
            let own = Some(own.trim()).filter(|own| !own.is_empty() && question.custom).map(str::to_owned);
            let chosen = chosen.iter().filter_map(|place| question.options.get(*place).cloned());
            Some(chosen.chain(own).collect::<Vec<_>>()).filter(|answer| !answer.is_empty())
        };
        questions.iter().enumerate().map(of).collect()
    }
}

/// What an input makes of a draft.
type Change = Rc<dyn Fn(&mut Draft, &HtmlInputElement)>;

/// What is known of the whole request.
#[derive(Debug, Clone, PartialEq)]
enum Whole {
    Waiting,
    Known(Rc<WholeAsk>),
    Unreadable,
}

/// What the card has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct CardProps {
    /// The request.
    pub ask: AskSummary,
    /// Whose it is, where there are several sessions.
    pub whose: Option<String>,
    /// It needs no answer any more.
    pub is_closed: bool,
    /// Answering is switched on.
    pub answers: bool,
    /// The stream is open: what is shown is how things stand.
    pub is_connected: bool,
    /// Nothing more comes: whether it was answered is not known.
    pub is_over: bool,
    /// It has stood still long enough for a click to be meant.
    pub is_settled: bool,
    /// What became of the answer to it.
    pub sent: Option<Sent>,
    /// Where its buttons are.
    pub buttons: NodeRef,
    /// What was chosen and typed.
    pub drafts: Drafts,
}

/// One request.
#[component]
pub fn Card(props: &CardProps) -> Html {
    let ask = &props.ask;
    let whole = use_whole(ask);
    let draft = {
        let known = props.drafts.borrow().get(&ask.id).cloned().unwrap_or_default();
        use_state(|| known)
    };
    let known = match &*whole {
        Whole::Known(known) => Some(known.clone()),
        _ => None,
    };
    let form = known.as_deref().filter(|_| ask.kind == AskKind::Question).map(|known| {
        let fields = known.questions.iter().enumerate();
        html! { { for fields.map(|(n, question)| field(props, &draft, n, question)) } }
    });
    let title = match ask.kind {
        AskKind::Permission => "Permission asked",
        AskKind::Question => "Question",
        AskKind::Suggestion => "Suggestion",
    };
    let word = ask.permission.as_deref();
    let class = classes!("watch-ask", props.is_closed.then_some("is-closed"));
    let id = ask.id.clone();
    html! {
        <article {class} data-ask={(!props.is_closed).then(|| id.clone())} data-closed={props.is_closed.then_some(id)} aria-label={title}>
            <p class="watch-what">
                { icon("lock") }<b>{ title }</b>
                if let Some(word) = word { <span class="tag mono">{ shown(word, &[]) }</span> }
                if let Some(whose) = &props.whose { <span class="watch-whose">{ "in " }{ shown(whose, &[]) }</span> }
                <span class="muted">{ format!("line {}", grouped(ask.line)) }</span>
            </p>
            if let Some(since) = since(ask).filter(|_| !props.is_closed) { <p class="watch-since muted">{ since }</p> }
            { match (&known, &*whole) {
                (Some(known), _) if ask.kind == AskKind::Permission => permission(known),
                (Some(known), _) => html! { <>
                    { form.unwrap_or_else(|| offer(known, props.answers && !props.is_closed)) }
                </> },
                (None, Whole::Unreadable) => html! { <p class="mono watch-text-cut">{ shown(&ask.what(), &[]) }</p> },
                (None, _) => html! { <p class="muted">{ "Reading the whole request …" }</p> },
            } }
            <div ref={props.buttons.clone()} class="watch-answers">{ foot(props, known.as_deref(), *whole == Whole::Unreadable, &draft) }</div>
        </article>
    }
}

/// All of the request, read from its line.
#[yew::hook]
fn use_whole(ask: &AskSummary) -> UseStateHandle<Whole> {
    let whole = use_state(|| Whole::Waiting);
    let engine = use_reach().and_then(|reach| reach.engine);
    {
        let whole = whole.setter();
        use_effect_with((ask.file, ask.line, ask.id.clone()), move |(file, line, id)| {
            let Some(engine) = engine else { return whole.set(Whole::Unreadable) };
            let then = move |answer| {
                whole.set(match answer {
                    Answer::Asked(Some(known)) => Whole::Known(Rc::new(*known)),
                    _ => Whole::Unreadable,
                });
            };
            engine.0.ask(Ask::Asked(*file, *line, id.clone()), Box::new(then));
        });
    }
    whole
}

/// Since when a request is open that was so when the page connected; that it may be answered since the stream broke.
fn since(ask: &AskSummary) -> Option<String> {
    if ask.status == AskStatus::Missed {
        return Some("The stream broke since: it may have been answered.".to_owned());
    }
    ask.was_open.then(|| {
        let asked = ask.asked_at.as_deref().and_then(TimeMs::from_rfc3339).map(|time| clock::full(time.0));
        let from = ask.asked_at_from.and_then(TimeFrom::note).map(|note| format!(" ({note})")).unwrap_or_default();
        let asked = asked.map_or_else(|| "since when is not known".to_owned(), |at| format!("asked {at}{from}"));
        format!("Was open when the page connected: {asked}.")
    })
}

/// All that a permission is asked for.
fn permission(known: &WholeAsk) -> Html {
    let title = known.title.as_deref();
    let is_command = known.metadata.iter().any(|(key, value)| key == "command" && Some(value.as_str()) == title);
    // Where there is neither a title nor a command, the patterns stand for it.
    let title = title.filter(|title| is_command || *title != known.patterns.join(", "));
    let beside = known.metadata.iter().filter(|(_, value)| Some(value.as_str()) != title && !value.is_empty());
    let only = |texts: &[String]| matches!(texts, [one] if Some(one.as_str()) == title);
    html! {
        <dl class="watch-facts">
            if let Some(title) = title {
                { fact(if is_command { "Command" } else { "For" }, text(title, "What it is for")) }
            }
            if !known.patterns.is_empty() && !only(&known.patterns) {
                { fact("Patterns", texts(&known.patterns)) }
            }
            { for beside.map(|(key, value)| html! { <><dt class="mono">{ shown(key, &[]) }</dt><dd>{ text(value, key) }</dd></> }) }
            { fact("Always allow", match known.always.as_deref() {
                None => html! { <span class="muted">{ "The request does not say what that would allow." }</span> },
                Some([]) => html! { <span class="muted">{ "The request names nothing that it would allow." }</span> },
                Some(always) => html! { <><span class="muted">{ "would allow from now on, without asking:" }</span>{ texts(always) }</> },
            }) }
        </dl>
    }
}

fn fact(name: &'static str, value: Html) -> Html {
    html! { <><dt>{ name }</dt><dd>{ value }</dd></> }
}

/// A text with its line ends, and how much it is where it is not seen at once.
fn text(text: &str, label: &str) -> Html {
    let (lines, chars) = (text.split('\n').count(), text.chars().count());
    let is_long = lines > LINES || chars > CHARS;
    let size = format!("{}, {}", count(lines as u64, "line", "lines"), count(chars as u64, "character", "characters"));
    html! {
        <>
            <pre class="watch-text-whole mono" tabindex={is_long.then_some("0")} role={is_long.then_some("group")} aria-label={is_long.then(|| label.to_owned())}>{ shown(text, &[]) }</pre>
            if is_long { <span class="muted watch-size">{ format!("{size}: scroll to its end") }</span> }
        </>
    }
}

fn texts(texts: &[String]) -> Html {
    html! {
        <ul class="plain watch-list">{ for texts.iter().map(|text| html! { <li class="mono">{ shown(text, &[]) }</li> }) }</ul>
    }
}

/// What a suggestion offers; as text where it cannot be taken up here.
fn offer(known: &WholeAsk, can_answer: bool) -> Html {
    let offers = known.questions.first();
    let options = offers.map(|offer| offer.options.join(" · ")).unwrap_or_default();
    html! {
        <>
            if let Some(offer) = offers { <p class="watch-prose">{ shown(&offer.question, &[]) }</p> }
            if !can_answer && !options.is_empty() { <p class="watch-offers">{ "Offers: " }{ shown(&options, &[]) }</p> }
        </>
    }
}

/// One question of a form.
fn field(props: &CardProps, draft: &UseStateHandle<Draft>, n: usize, question: &AskedQuestion) -> Html {
    let is_multiple = question.multiple;
    let can = props.answers && !props.is_closed;
    let (chosen, own) = draft.of(n);
    let change = |make: Change| {
        let (draft, drafts, id) = (draft.clone(), props.drafts.clone(), props.ask.id.clone());
        move |input: Option<HtmlInputElement>| {
            let Some(input) = input else { return };
            let mut now = (*draft).clone();
            make(&mut now, &input);
            drafts.borrow_mut().insert(id.clone(), now.clone());
            draft.set(now);
        }
    };
    let options = question.options.iter().enumerate().map(|(place, option)| {
        let choose = change(Rc::new(move |draft, _| draft.choose(n, place, is_multiple)));
        let onchange = move |event: yew::Event| choose(event.target_dyn_into());
        let kind = if is_multiple { "checkbox" } else { "radio" };
        let checked = chosen.contains(&place);
        html! { <label class="watch-option"><input type={kind} name={format!("{}-{n}", props.ask.id)} {checked} disabled={!can} {onchange} /><span>{ shown(option, &[]) }{ said_of(question, place) }</span></label> }
    });
    let write = change(Rc::new(move |draft, input| draft.write(n, input.value(), is_multiple)));
    let oninput = move |event: InputEvent| write(event.target_dyn_into());
    html! {
        <fieldset class="watch-question">
            <legend>{ question.header.as_deref().map(|header| html! { <b>{ shown(header, &[]) }{ ": " }</b> }).unwrap_or_default() }{ shown(&question.question, &[]) }</legend>
            { for options }
            if question.custom && can {
                <label class="watch-option">{ "Own answer" }<input type="text" value={own.to_owned()} {oninput} /></label>
            }
        </fieldset>
    }
}

/// The buttons, or why there are none.
fn foot(props: &CardProps, known: Option<&WholeAsk>, is_unreadable: bool, draft: &UseStateHandle<Draft>) -> Html {
    let ask = &props.ask;
    let say = |text: &str| html! { <span class="watch-said muted">{ text.to_owned() }</span> };
    if props.is_closed {
        return html! { <b class="watch-said">{ closed(ask, props.sent.as_ref()) }</b> };
    }
    match &props.sent {
        Some(Sent::Sending) => return say("Sending the answer …"),
        Some(Sent::Taken(taken)) if props.is_over => {
            return html! { <span class="watch-said"><b>{ *taken }</b>{ " The connection ended before the agent reported it." }</span> };
        }
        Some(Sent::Taken(taken)) => {
            return html! { <span class="watch-said"><b>{ *taken }</b>{ " The agent has not reported it yet." }</span> };
        }
        Some(Sent::Gone) => {
            return say("It was answered elsewhere, or withdrawn: the server does not know this request any more.");
        }
        Some(Sent::Refused(_)) | None => {}
    }
    let refused = match &props.sent {
        Some(Sent::Refused(why)) => {
            say(&format!("The answer was not taken: {why}. The agent's own prompt is still there."))
        }
        _ => Html::default(),
    };
    let none = match (props.is_over, props.answers, props.is_connected) {
        (true, ..) => Some("It had no answer when the connection ended."),
        (_, false, _) => Some("Answer it at the agent, or switch on “Answer from here”."),
        (_, _, false) => Some("It can be answered here once the connection is back."),
        _ if !has_path(ask) => Some("Its id cannot be sent: answer it at the agent."),
        _ => None,
    };
    if let Some(none) = none {
        return html! { <>{ say(none) }{ refused }</> };
    }
    // What is agreed to has to be there, all of it.
    let is_seen = known.is_some_and(|known| !known.is_cut);
    let is_empty = known.is_some_and(|known| ask.kind != AskKind::Permission && known.questions.is_empty());
    let lacks = match known {
        None if is_unreadable => {
            Some("The whole request cannot be read here: only refuse it, or answer it at the agent.")
        }
        Some(known) if known.is_cut => {
            Some("It is too long to be shown whole: only refuse it, or answer it at the agent.")
        }
        Some(_) if is_empty => Some("It holds no question: answer it at the agent, or dismiss it."),
        _ => None,
    };
    let button = |label: Html, reply: Option<Reply>, is_first: bool, needs_all: bool| {
        let class = classes!("button", "small", is_first.then_some("primary"));
        let disabled = reply.is_none() || (needs_all && !is_seen);
        html! { <SendButton {class} {label} {disabled} is_settled={props.is_settled} ask={ask.clone()} reply={reply.unwrap_or(Reply::Dismiss)} /> }
    };
    let plain = |label: &'static str| html! { { label } };
    let dismiss = || button(plain("Dismiss"), Some(Reply::Dismiss), false, false);
    let buttons = match ask.kind {
        AskKind::Permission => html! {
            <>
                { button(plain("Allow once"), Some(Reply::Permission("once")), true, true) }
                { button(plain("Always allow"), Some(Reply::Permission("always")), false, true) }
                { button(plain("Reject"), Some(Reply::Permission("reject")), false, false) }
            </>
        },
        AskKind::Suggestion => {
            let offers = known.and_then(|known| known.questions.first()).map(|offer| offer.options.as_slice());
            let accepts = offers.unwrap_or_default().iter().enumerate();
            html! {
                <>
                    { for accepts.map(|(n, offer)| button(shown(offer, &[]), Some(Reply::Accept(n)), n == 0, true)) }
                    { dismiss() }
                </>
            }
        }
        AskKind::Question => {
            let answers = known.filter(|_| !is_empty).and_then(|known| draft.answers(&known.questions));
            html! { <>{ button(plain("Send answer"), answers.map(Reply::Answers), true, true) }{ dismiss() }</> }
        }
    };
    html! { <>{ buttons }{ lacks.map(say).unwrap_or_default() }{ refused }</> }
}

/// What became of a request that needs no answer any more.
fn closed(ask: &AskSummary, sent: Option<&Sent>) -> String {
    match (ask.status, sent) {
        (AskStatus::Missed, _) => {
            "It is not open any more: its answer was missed while the stream was broken.".to_owned()
        }
        (_, Some(Sent::Taken(taken))) => format!("{taken} The agent reported it."),
        _ => "It was answered elsewhere, or is not asked any more: its row below tells.".to_owned(),
    }
}

#[derive(Debug, PartialEq, Properties)]
struct SendButtonProps {
    class: yew::Classes,
    label: Html,
    disabled: bool,
    is_settled: bool,
    ask: AskSummary,
    reply: Reply,
}

/// A button that sends an answer. A click on one that has just come under the pointer is not meant for it; a key is.
#[component]
fn SendButton(props: &SendButtonProps) -> Html {
    let watcher = use_context::<Watcher>();
    let onclick = {
        let (ask, reply, is_settled) = (props.ask.clone(), props.reply.clone(), props.is_settled);
        move |event: MouseEvent| {
            let is_key = event.detail() == 0;
            if let Some(watcher) = watcher.as_ref().filter(|_| is_settled || is_key) {
                watcher.reply(&ask, &reply);
            }
        }
    };
    html! {
        <button type="button" class={props.class.clone()} disabled={props.disabled} aria-disabled={(!props.is_settled && !props.disabled).then_some("true")} {onclick}>
            { props.label.clone() }
        </button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_one_answer_is_taken_the_last_one_given_is_the_only_one() {
        let options = vec!["A".to_owned(), "B".to_owned()];
        let one = [AskedQuestion { options, custom: true, ..AskedQuestion::default() }];
        let mut draft = Draft::default();
        assert_eq!(draft.answers(&one), None);
        draft.choose(0, 1, false);
        draft.write(0, " mine ".to_owned(), false);
        assert_eq!(draft.answers(&one), Some(vec![vec!["mine".to_owned()]]));
        draft.choose(0, 0, false);
        assert_eq!(draft.answers(&one), Some(vec![vec!["A".to_owned()]]));
        assert_eq!(draft.of(0), (&[0][..], ""));
        draft.choose(0, 1, true);
        draft.write(0, "too".to_owned(), true);
        assert_eq!(draft.answers(&one), Some(vec![vec!["A".to_owned(), "B".to_owned(), "too".to_owned()]]));
    }
}
