//! Markdown as a tree: what models write, not all of CommonMark.
//!
//! Headings, paragraphs, lists (with check boxes), quotes, fenced and indented code, tables, rules; emphasis, code, links
//! and bare addresses. HTML is text. Reference links and footnotes are not known and stay as they are written.
//! Any text is Markdown, and takes time in proportion to its length.

mod inline;

pub use inline::{Inline, inlines, is_safe};

/// A block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A heading, from 1 to 6.
    Heading(u8, Vec<Inline>),
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// Code, and what language its fence names.
    Code(String, String),
    /// A quote.
    Quote(Vec<Block>),
    /// A list; of an ordered one the first number.
    List(Option<u64>, Vec<Item>),
    /// A table.
    Table(Table),
    /// A rule.
    Rule,
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Of a check box, whether it is checked.
    pub checked: Option<bool>,
    /// What it holds.
    pub blocks: Vec<Block>,
}

/// How a column is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// At the start.
    Start,
    /// In the middle.
    Centre,
    /// At the end.
    End,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its columns.
    pub align: Vec<Align>,
    /// Its head.
    pub head: Vec<Vec<Inline>>,
    /// Its rows, each as wide as the head.
    pub rows: Vec<Vec<Vec<Inline>>>,
}

/// Lists and quotes within each other beyond this are paragraphs.
const DEEPEST: usize = 12;

/// The blocks of a text.
pub fn blocks(text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    parse(&lines, 0)
}

fn parse(lines: &[&str], depth: usize) -> Vec<Block> {
    let mut out = Vec::new();
    let mut rest = lines;
    while let Some((line, behind)) = rest.split_first() {
        if line.trim().is_empty() {
            rest = behind;
            continue;
        }
        let (block, used) = block(rest, line, depth);
        out.push(block);
        rest = rest.get(used.max(1)..).unwrap_or_default();
    }
    out
}

/// The first block, and how many lines it takes.
fn block(lines: &[&str], line: &str, depth: usize) -> (Block, usize) {
    if let Some(fence) = Fence::of(line) {
        return fence.code(lines);
    }
    if let Some((level, text)) = heading(line) {
        return (Block::Heading(level, inlines(text)), 1);
    }
    if is_rule(line) {
        return (Block::Rule, 1);
    }
    if indent(line) >= 4 {
        return indented(lines);
    }
    if let Some((table, used)) = table(lines) {
        return (Block::Table(table), used);
    }
    if depth < DEEPEST {
        if line.trim_start().starts_with('>') {
            return quote(lines, depth);
        }
        if let Some(marker) = Marker::of(line) {
            return list(lines, marker, depth);
        }
    }
    paragraph(lines)
}

/// White space that a line begins with; a tab is four.
fn indent(line: &str) -> usize {
    line.chars().take_while(|c| matches!(c, ' ' | '\t')).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// The line without so much white space at its start.
fn outdented(line: &str, by: usize) -> &str {
    let mut left = by;
    let mut rest = line;
    while left > 0 {
        match rest.chars().next() {
            Some(' ') => left -= 1,
            Some('\t') => left = left.saturating_sub(4),
            _ => break,
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    rest
}

#[derive(Clone, Copy)]
struct Fence<'a> {
    mark: char,
    len: usize,
    indent: usize,
    language: &'a str,
}

impl<'a> Fence<'a> {
    fn of(line: &'a str) -> Option<Fence<'a>> {
        let text = line.trim_start();
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let len = text.chars().take_while(|c| *c == mark).count();
        let info = text.get(len..)?.trim();
        let is_fence = len >= 3 && indent(line) < 4 && !(mark == '`' && info.contains('`'));
        let language = info.split_whitespace().next().unwrap_or_default();
        is_fence.then_some(Fence { mark, len, indent: indent(line), language })
    }

    fn ends_at(self, line: &str) -> bool {
        let text = line.trim();
        indent(line) < 4 && text.len() >= self.len && text.chars().all(|c| c == self.mark)
    }

    fn code(self, lines: &[&str]) -> (Block, usize) {
        let body = lines.get(1..).unwrap_or_default();
        let end = body.iter().position(|line| self.ends_at(line)).unwrap_or(body.len());
        let code: Vec<&str> = body.iter().take(end).map(|line| outdented(line, self.indent)).collect();
        (Block::Code(self.language.to_owned(), code.join("\n")), end + 2)
    }
}

fn heading(line: &str) -> Option<(u8, &str)> {
    let text = line.trim_start();
    let level = text.chars().take_while(|c| *c == '#').count();
    let behind = text.get(level..)?;
    let is_heading =
        (1..=6).contains(&level) && indent(line) < 4 && (behind.is_empty() || behind.starts_with([' ', '\t']));
    let bare = behind.trim().trim_end_matches('#');
    let bare = if bare.is_empty() || bare.ends_with([' ', '\t']) { bare.trim() } else { behind.trim() };
    is_heading.then_some((level as u8, bare))
}

fn is_rule(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    let Some(first) = marks.next().filter(|c| matches!(c, '-' | '*' | '_')) else { return false };
    let more = marks.clone().count();
    indent(line) < 4 && more >= 2 && marks.all(|c| c == first)
}

fn indented(lines: &[&str]) -> (Block, usize) {
    let mut end = lines.iter().take_while(|line| indent(line) >= 4 || line.trim().is_empty()).count();
    while end > 1 && lines.get(end - 1).is_some_and(|line| line.trim().is_empty()) {
        end -= 1;
    }
    let code: Vec<&str> = lines.iter().take(end).map(|line| outdented(line, 4)).collect();
    (Block::Code(String::new(), code.join("\n")), end)
}

fn quote(lines: &[&str], depth: usize) -> (Block, usize) {
    let mut inner = Vec::new();
    for line in lines {
        match line.trim_start().strip_prefix('>') {
            Some(text) => inner.push(text.strip_prefix(' ').unwrap_or(text)),
            // A paragraph in it may go on without the mark.
            None if !line.trim().is_empty()
                && !begins(line)
                && inner.last().is_some_and(|last| !last.trim().is_empty()) =>
            {
                inner.push(line);
            }
            None => break,
        }
    }
    (Block::Quote(parse(&inner, depth + 1)), inner.len())
}

/// Whether a line begins another block than a paragraph.
fn begins(line: &str) -> bool {
    Fence::of(line).is_some()
        || heading(line).is_some()
        || is_rule(line)
        || line.trim_start().starts_with('>')
        || Marker::of(line).is_some_and(|marker| marker.number.is_none_or(|n| n == 1) && marker.has_text)
}

#[derive(Debug, Clone, Copy)]
struct Marker {
    /// `-`, `*`, `+`, or what follows a number.
    mark: char,
    number: Option<u64>,
    indent: usize,
    /// White space and marker before the text.
    width: usize,
    has_text: bool,
}

impl Marker {
    fn of(line: &str) -> Option<Marker> {
        let text = line.trim_start();
        let digits = text.chars().take_while(char::is_ascii_digit).count();
        let number = (digits > 0).then(|| text.get(..digits).and_then(|n| n.parse().ok())).flatten();
        if digits > 9 || (digits > 0 && number.is_none()) {
            return None;
        }
        let mark = text.get(digits..)?.chars().next()?;
        let is_mark = if digits > 0 { matches!(mark, '.' | ')') } else { matches!(mark, '-' | '*' | '+') };
        let behind = text.get(digits + 1..).filter(|_| is_mark)?;
        if !behind.is_empty() && !behind.starts_with([' ', '\t']) {
            return None;
        }
        let gap = match indent(behind) {
            gap @ 1..=4 if !behind.trim().is_empty() => gap,
            _ => 1,
        };
        let indent = indent(line);
        Some(Marker { mark, number, indent, width: indent + digits + 1 + gap, has_text: !behind.trim().is_empty() })
    }

    fn is_like(self, other: Marker) -> bool {
        self.mark == other.mark && self.number.is_some() == other.number.is_some()
    }
}

fn list(lines: &[&str], first: Marker, depth: usize) -> (Block, usize) {
    let mut items: Vec<Vec<&str>> = Vec::new();
    let mut width = first.width;
    let mut used = 0;
    let mut after_blank = false;
    for line in lines {
        if line.trim().is_empty() {
            after_blank = true;
            if let Some(item) = items.last_mut() {
                item.push("");
            }
            used += 1;
            continue;
        }
        let is_inside = !items.is_empty() && indent(line) >= width;
        let marker = Marker::of(line).filter(|marker| !is_inside && marker.is_like(first) && !is_rule(line));
        if let Some(marker) = marker.filter(|marker| marker.indent < first.indent + 4) {
            width = marker.width;
            items.push(vec![outdented_marker(line, marker)]);
        } else if is_inside {
            if let Some(item) = items.last_mut() {
                item.push(outdented(line, width));
            }
        } else if !after_blank && !begins(line) {
            if let Some(item) = items.last_mut() {
                item.push(line.trim_start());
            }
        } else {
            break;
        }
        after_blank = false;
        used += 1;
    }
    let items = items.into_iter().map(|lines| item(lines, depth)).collect();
    (Block::List(first.number, items), used)
}

fn outdented_marker(line: &str, marker: Marker) -> &str {
    let text = line.trim_start();
    let len = marker.number.map_or(0, |_| text.chars().take_while(char::is_ascii_digit).count()) + 1;
    outdented(text.get(len..).unwrap_or_default(), marker.width - marker.indent - len)
}

fn item(mut lines: Vec<&str>, depth: usize) -> Item {
    let mut checked = None;
    if let Some(first) = lines.first_mut() {
        for (mark, is_checked) in [("[ ] ", false), ("[x] ", true), ("[X] ", true)] {
            if let Some(text) = first.strip_prefix(mark) {
                (checked, *first) = (Some(is_checked), text);
            }
        }
    }
    Item { checked, blocks: parse(&lines, depth + 1) }
}

fn table(lines: &[&str]) -> Option<(Table, usize)> {
    let (first, second) = (lines.first()?, lines.get(1)?);
    if !first.contains('|') || !second.contains('-') {
        return None;
    }
    let align: Vec<Align> = cells(second).iter().map(|cell| alignment(cell)).collect::<Option<_>>()?;
    let head = cells(first);
    if head.len() != align.len() {
        return None;
    }
    let body = lines.iter().skip(2).take_while(|line| !line.trim().is_empty() && line.contains('|'));
    let row = |line: &&str| {
        let mut cells: Vec<Vec<Inline>> = cells(line).iter().map(|cell| inlines(cell)).collect();
        cells.resize(align.len(), Vec::new());
        cells
    };
    let rows: Vec<_> = body.map(row).collect();
    let used = rows.len() + 2;
    let head = head.iter().map(|cell| inlines(cell)).collect();
    Some((Table { align, head, rows }, used))
}

fn alignment(cell: &str) -> Option<Align> {
    let bare = cell.trim_matches(':');
    if bare.is_empty() || bare.chars().any(|c| c != '-') {
        return None;
    }
    Some(match (cell.starts_with(':'), cell.ends_with(':')) {
        (true, true) => Align::Centre,
        (false, true) => Align::End,
        _ => Align::Start,
    })
}

/// The cells of a row; `\|` and bars within code end none.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut out = vec![String::new()];
    let mut is_code = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&'|') => {
                chars.next();
                if let Some(cell) = out.last_mut() {
                    cell.push('|');
                }
            }
            '|' if !is_code => out.push(String::new()),
            _ => {
                is_code ^= c == '`';
                if let Some(cell) = out.last_mut() {
                    cell.push(c);
                }
            }
        }
    }
    if out.len() > 1 && out.last().is_some_and(|cell| cell.trim().is_empty()) {
        out.pop();
    }
    out.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn paragraph(lines: &[&str]) -> (Block, usize) {
    let mut used = 0;
    for line in lines {
        if used > 0 {
            let mark = line.trim();
            if indent(line) < 4
                && !mark.is_empty()
                && (mark.chars().all(|c| c == '=') || mark.chars().all(|c| c == '-'))
            {
                let level = if mark.starts_with('=') { 1 } else { 2 };
                return (Block::Heading(level, inlines(&text_of(lines, used))), used + 1);
            }
            if mark.is_empty() || begins(line) || table(lines.get(used..).unwrap_or_default()).is_some() {
                break;
            }
        }
        used += 1;
    }
    (Block::Paragraph(inlines(&text_of(lines, used))), used)
}

fn text_of(lines: &[&str], used: usize) -> String {
    let lines: Vec<&str> = lines.iter().take(used).map(|line| line.trim_start()).collect();
    lines.join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests;
