//! Markdown as elements. HTML in it is text, pictures are not fetched, and only links to the web and to a mailbox can be
//! followed.

use steplens_core::text::markdown::{Align, Block, Inline, Item, Table, blocks, is_safe};
use yew::{Html, html};

use super::copy::Copy;
use super::icon::icon;
use super::shown::shown;
use crate::text::visible;

/// A text of the log as Markdown.
pub fn markdown(text: &str) -> Html {
    html! { <div class="md">{ for blocks(text).iter().map(block) }</div> }
}

fn block(block: &Block) -> Html {
    match block {
        // The page has headings of its own; those of a message stand below them all.
        Block::Heading(level, text) => {
            let level_name = (u32::from(*level) + 2).min(6).to_string();
            html! { <div class={format!("md-h md-h{level}")} role="heading" aria-level={level_name}>{ inlines(text) }</div> }
        }
        Block::Paragraph(text) => html! { <p>{ inlines(text) }</p> },
        Block::Code(language, text) => html! {
            <figure class="md-code">
                <figcaption>
                    <span class="muted">{ shown(language, &[]) }</span>
                    <Copy text={text.clone()} label="Copy the code" />
                </figcaption>
                <pre class="mono" tabindex="0">{ shown(text, &[]) }</pre>
            </figure>
        },
        Block::Quote(inner) => html! { <blockquote>{ for inner.iter().map(self::block) }</blockquote> },
        Block::List(None, items) => html! { <ul>{ for items.iter().map(item) }</ul> },
        Block::List(Some(start), items) => {
            html! { <ol start={start.to_string()}>{ for items.iter().map(item) }</ol> }
        }
        Block::Table(rows) => table(rows),
        Block::Rule => html! { <hr /> },
    }
}

fn item(item: &Item) -> Html {
    let inner = match item.blocks.as_slice() {
        // A line needs no paragraph.
        [Block::Paragraph(text), rest @ ..] => html! { <>{ inlines(text) }{ for rest.iter().map(block) }</> },
        blocks => html! { <>{ for blocks.iter().map(block) }</> },
    };
    match item.checked {
        None => html! { <li>{ inner }</li> },
        Some(checked) => html! {
            <li class="md-check">
                <span role="img" aria-label={if checked { "done" } else { "open" }}>{ if checked { "☑" } else { "☐" } }</span>
                { " " }{ inner }
            </li>
        },
    }
}

fn table(table: &Table) -> Html {
    let class = |n: usize| match table.align.get(n) {
        Some(Align::Centre) => "md-centre",
        Some(Align::End) => "num",
        _ => "",
    };
    let head = table
        .head
        .iter()
        .enumerate()
        .map(|(n, cell)| html! { <th scope="col" class={class(n)}>{ inlines(cell) }</th> });
    let row = |cells: &Vec<Vec<Inline>>| {
        let cells = cells.iter().enumerate().map(|(n, cell)| html! { <td class={class(n)}>{ inlines(cell) }</td> });
        html! { <tr>{ for cells }</tr> }
    };
    html! {
        <div class="md-table" tabindex="0" role="group" aria-label="Table">
            <table>
                <thead><tr>{ for head }</tr></thead>
                <tbody>{ for table.rows.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

fn inlines(inlines: &[Inline]) -> Html {
    html! { <>{ for inlines.iter().map(inline) }</> }
}

fn inline(inline: &Inline) -> Html {
    match inline {
        Inline::Text(text) => shown(text, &[]),
        Inline::Code(text) => html! { <code>{ shown(text, &[]) }</code> },
        Inline::Emphasis(inner) => html! { <em>{ inlines(inner) }</em> },
        Inline::Strong(inner) => html! { <strong>{ inlines(inner) }</strong> },
        Inline::Strike(inner) => html! { <s>{ inlines(inner) }</s> },
        Inline::Break => html! { <br /> },
        Inline::Link(to, inner) if is_safe(to) => html! {
            <a href={to.clone()} title={visible::text(to).into_owned()} target="_blank" rel="noopener noreferrer nofollow">{ inlines(inner) }</a>
        },
        // Where it would lead can be read; it cannot be followed.
        Inline::Link(to, inner) => html! {
            <span class="md-dead" title={format!("{} is no link to the web", visible::text(to))}>{ inlines(inner) }</span>
        },
        Inline::Image(to, alt) => html! {
            <span class="md-image" title={format!("{}: pictures of a log are not fetched", visible::text(to))}>
                { icon("image") }{ " " }{ shown(if alt.is_empty() { "picture" } else { alt }, &[]) }
                if is_safe(to) {
                    { " " }<a href={to.clone()} target="_blank" rel="noopener noreferrer nofollow">{ shown(to, &[]) }</a>
                }
            </span>
        },
    }
}
