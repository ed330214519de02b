//! The files that the agent read and wrote: a sortable list, and the story of the chosen one, its edits folded into one
//! difference.

use std::rc::Rc;

use steplens_core::files::{FileRow, FileStory, StoryPart};
use web_sys::HtmlInputElement;
use yew::{Html, InputEvent, Properties, TargetCast, component, html, use_effect_with, use_state};

use crate::components::detail::diff::Diff;
use crate::components::mini::{clipped, outcome_mark};
use crate::components::shown::shown;
use crate::dom;
use crate::engine::protocol::{Answer, Ask, Target};
use crate::hooks::context::{Act, use_act, use_reach};
use crate::state::reducer::Action;
use crate::state::route::Tab;
use crate::text::number::{count, grouped};
use crate::text::sentence::sentence;
use crate::text::visible;

/// Rows that are drawn at most; the filter finds the rest.
const SHOWN: usize = 200;
/// Events of a story that are listed at most.
const EVENTS: usize = 60;

/// What is listed.
#[derive(Debug, PartialEq, Properties)]
pub(super) struct TouchedProps {
    /// Changes when the files have to be asked for again.
    pub edition: (u32, u32),
}

/// How the list is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Path,
    Reads,
    Writes,
    Failed,
    First,
    Last,
}

const COLUMNS: [(By, &str, bool); 6] = [
    (By::Path, "Path", false),
    (By::Reads, "Reads", true),
    (By::Writes, "Writes", true),
    (By::Failed, "Failed", true),
    (By::First, "First", true),
    (By::Last, "Last", true),
];

/// The files, and the story of one.
#[component]
pub(super) fn Touched(props: &TouchedProps) -> Html {
    let act = use_act();
    let engine = use_reach().and_then(|reach| reach.engine);
    let rows = use_state(|| Rc::new(Vec::<FileRow>::new()));
    let sorted = use_state(|| (By::Path, false));
    let query = use_state(String::new);
    let chosen = use_state(|| None::<String>);
    let story = use_state(|| None::<Rc<FileStory>>);
    {
        let (engine, rows) = (engine.clone(), rows.setter());
        use_effect_with((props.edition, engine.is_some()), move |_| {
            if let Some(engine) = engine {
                engine.0.ask(
                    Ask::Files,
                    Box::new(move |answer| {
                        if let Answer::Files(files) = answer {
                            rows.set(Rc::new(files));
                        }
                    }),
                );
            }
        });
    }
    {
        let (engine, story) = (engine, story.setter());
        use_effect_with((chosen.clone(), props.edition), move |(chosen, _)| {
            if let (Some(engine), Some(path)) = (engine, chosen.as_ref()) {
                let hear = move |answer| {
                    if let Answer::Story(told) = answer {
                        story.set(Some(Rc::new(*told)));
                    }
                };
                engine.0.ask(Ask::Story(path.clone()), Box::new(hear));
            }
        });
    }
    // What was asked for is told below the table, which may fill the window.
    use_effect_with(chosen.clone(), |chosen| {
        if chosen.is_some() {
            dom::reveal("#story");
        }
    });
    let folded = query.to_lowercase();
    let mut there: Vec<&FileRow> = rows.iter().filter(|row| row.path.to_lowercase().contains(&folded)).collect();
    let (by, is_down) = *sorted;
    there.sort_by(|a, b| match by {
        By::Path => a.path.cmp(&b.path),
        By::Reads => a.reads.cmp(&b.reads),
        By::Writes => a.writes.cmp(&b.writes),
        By::Failed => a.failed.cmp(&b.failed),
        By::First => a.first.event.cmp(&b.first.event),
        By::Last => a.last.event.cmp(&b.last.event),
    });
    if is_down {
        there.reverse();
    }
    let heads = COLUMNS.into_iter().map(|(column, word, is_number)| {
        let sorted = sorted.clone();
        let order = (by == column).then_some(if is_down { "descending" } else { "ascending" });
        // What is a number begins with the largest.
        let next =
            if by == column { !is_down } else { matches!(column, By::Reads | By::Writes | By::Failed | By::Last) };
        html! {
            <th scope="col" class={if is_number { "num" } else { "" }} aria-sort={order}>
                <button type="button" class="sort" onclick={move |_| sorted.set((column, next))}>
                    { word }{ order.map_or("", |order| if order == "ascending" { " ↑" } else { " ↓" }) }
                </button>
            </th>
        }
    });
    let body = there.iter().take(SHOWN).map(|row| {
        let (path, set) = (row.path.clone(), chosen.clone());
        let is_chosen = chosen.as_ref() == Some(&row.path);
        html! {
            <tr class={if is_chosen { "is-chosen" } else { "" }}>
                <th scope="row" class="path">
                    <button type="button" class="link" aria-pressed={is_chosen.to_string()} title={visible::text(&row.path).into_owned()} onclick={move |_| set.set(Some(path.clone()))}>
                        { shown(&row.path, &[]) }
                    </button>
                    if let Some(long) = &row.same_as {
                        <span class="same-as muted">{ "taken for " }{ shown(long, &[]) }</span>
                    }
                </th>
                <td class="num">{ grouped(row.reads) }</td>
                <td class="num">{ grouped(row.writes) }</td>
                <td class={if row.failed > 0 { "num ink-bad" } else { "num zero" }}>{ grouped(row.failed) }</td>
                <td class="num">{ jump(row.first.event, row.first.line, &act) }</td>
                <td class="num">{ jump(row.last.event, row.last.line, &act) }</td>
            </tr>
        }
    });
    let more = there.len().saturating_sub(SHOWN) as u64;
    let oninput = {
        let query = query.clone();
        move |event: InputEvent| query.set(event.target_unchecked_into::<HtmlInputElement>().value())
    };
    let told = story.as_ref().filter(|story| Some(&story.path) == chosen.as_ref());
    html! {
        <>
            <div class="tools">
                <input class="model-input" type="search" placeholder="Filter by name" aria-label="Filter files by name" value={(*query).clone()} {oninput} />
                <span class="muted" aria-live="polite">{ format!("{} of {}", grouped(there.len() as u64), count(rows.len() as u64, "file", "files")) }</span>
            </div>
            <div class="table-room" tabindex="0" role="group" aria-label="Files touched">
                <table class="table">
                    <thead><tr>{ for heads }</tr></thead>
                    <tbody>{ for body }</tbody>
                </table>
            </div>
            if more > 0 {
                <p class="muted">{ format!("and {}; the filter finds them", count(more, "more file", "more files")) }</p>
            }
            if let Some(path) = chosen.as_ref() {
                <section id="story" class="story" aria-labelledby="story-name">
                    <h2 id="story-name" class="break">{ shown(path, &[]) }</h2>
                    if let Some(story) = told { { tell(story, &act) } } else { <p class="muted" aria-live="polite">{ "Reading its edits …" }</p> }
                </section>
            }
        </>
    }
}

fn jump(event: u32, line: u64, act: &Act) -> Html {
    let act = act.clone();
    let onclick = move |_| {
        act.now(Action::Tab(Tab::Timeline));
        act.now(Action::Jump(Target::Event(event)));
        act.now(Action::Sheet(true));
    };
    html! { <button type="button" class="link" {onclick}>{ format!("line {}", grouped(line)) }</button> }
}

fn tell(story: &Rc<FileStory>, act: &Act) -> Html {
    let events = story.events.iter().take(EVENTS).map(|event| {
        html! {
            <li>
                if let Some(outcome) = event.outcome { { outcome_mark(outcome, event.green_but_failed) } }
                { " " }{ event.kind.name() }{ " " }{ jump(event.id, event.line, act) }
                if let Some(note) = &event.note { { " " }<span class="tag">{ clipped(note, 60) }</span> }
            </li>
        }
    });
    let unlisted = story.events.len().saturating_sub(EVENTS) as u64 + story.left_out;
    let parts = story.parts.iter().enumerate().map(|(n, part)| tell_part(n, part, story));
    html! {
        <>
            if !story.aliases.is_empty() {
                <p class="note">{ "Taken for the same file: " }{ shown(&story.aliases.join(", "), &[]) }</p>
            }
            <ul class="plain story-events" aria-label="Events of this file">{ for events }</ul>
            if unlisted > 0 { <p class="note">{ format!("{} not listed", count(unlisted, "event is", "events are")) }</p> }
            if story.untold > 0 {
                <p class="note">{ format!("{} not tell what was written: such edits are missing below.", count(story.untold, "write does", "writes do")) }</p>
            }
            if story.parts.is_empty() {
                <p class="muted">{ "The log holds no edit of this file." }</p>
            } else if story.parts.len() == 1 {
                <p class="note">{ format!("{} folded into one difference", count(story.parts.first().map_or(0, |part| part.events.len() as u64), "edit", "edits")) }</p>
            } else {
                <p class="note">{ format!("These edits cannot be folded into one difference; they stand in {} parts, in order.", story.parts.len()) }</p>
            }
            { for parts }
        </>
    }
}

fn tell_part(n: usize, part: &StoryPart, story: &FileStory) -> Html {
    let line =
        |id: Option<&u32>| id.and_then(|id| story.events.iter().find(|event| event.id == *id)).map(|event| event.line);
    let lines = match (line(part.events.first()), line(part.events.last())) {
        (Some(first), Some(last)) if first != last => format!("lines {}–{} of the log", grouped(first), grouped(last)),
        (Some(first), _) => format!("line {} of the log", grouped(first)),
        _ => String::new(),
    };
    html! {
        <section class="story-part">
            <h3>{ format!("Part {}: {lines}", n + 1) }</h3>
            if let Some(why) = &part.why { <p class="note">{ sentence(why) }{ "." }</p> }
            if part.diff.hunks.is_empty() {
                <p class="muted">{ "These edits leave nothing changed." }</p>
            } else {
                <Diff files={Rc::new(vec![part.diff.clone()])} id={format!("story-{n}")} />
            }
        </section>
    }
}
