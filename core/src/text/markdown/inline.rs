//! What stands within a line: emphasis, code, links.

/// A stretch of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    /// Text.
    Text(String),
    /// Code.
    Code(String),
    /// `*…*`.
    Emphasis(Vec<Inline>),
    /// `**…**`.
    Strong(Vec<Inline>),
    /// `~~…~~`.
    Strike(Vec<Inline>),
    /// A link: where it leads, as it is written, and what it shows.
    Link(String, Vec<Inline>),
    /// A picture: its address and its description. Nobody fetches it.
    Image(String, String),
    /// A line's end that was asked for.
    Break,
}

/// Whether a link may be followed: `http`, `https`, `mailto`.
pub fn is_safe(to: &str) -> bool {
    let scheme = to.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https" | "mailto")) && !to.contains(|c: char| c.is_control() || c == ' ')
}

/// How far back the beginning of an emphasis is looked for.
const FURTHEST: usize = 200;

/// Marks within each other beyond this are text.
const DEEPEST: usize = 16;

enum Node {
    Done(Inline),
    Delimiter { mark: char, count: usize, opens: bool, closes: bool },
    Bracket { is_image: bool },
}

/// The inlines of a paragraph.
pub fn inlines(text: &str) -> Vec<Inline> {
    let mut scan = Scan { text, at: 0, nodes: Vec::new(), brackets: Vec::new() };
    scan.run();
    finished(scan.nodes)
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<Node>,
    brackets: Vec<usize>,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push_text(&mut self, text: &str) {
        if let Some(Node::Done(Inline::Text(last))) = self.nodes.last_mut() {
            last.push_str(text);
        } else if !text.is_empty() {
            self.nodes.push(Node::Done(Inline::Text(text.to_owned())));
        }
    }

    fn run(&mut self) {
        // A run of back quotes that nothing ends is not looked for again.
        let mut unended: Vec<usize> = Vec::new();
        while let Some(c) = self.rest().chars().next() {
            let len = match c {
                '\\' => self.escape(),
                '`' => self.code(&mut unended),
                '*' | '_' | '~' => self.delimiter(c),
                '[' => self.open(false),
                '!' if self.rest().starts_with("![") => self.open(true),
                ']' => self.close(),
                '<' => self.angle(),
                '&' => self.entity(),
                'h' => self.bare(),
                '\n' => self.newline(),
                _ => None,
            };
            match len {
                Some(len) => self.at += len,
                None => {
                    let rest = self.rest();
                    let end = rest
                        .char_indices()
                        .skip(1)
                        .find(|(_, c)| {
                            matches!(c, '\\' | '`' | '*' | '_' | '~' | '[' | ']' | '!' | '<' | '&' | 'h' | '\n')
                        })
                        .map_or(rest.len(), |(at, _)| at);
                    self.push_text(rest.get(..end).unwrap_or_default());
                    self.at += end;
                }
            }
        }
    }

    fn escape(&mut self) -> Option<usize> {
        let next = self.rest().chars().nth(1)?;
        if next == '\n' {
            self.nodes.push(Node::Done(Inline::Break));
            return Some(2);
        }
        next.is_ascii_punctuation().then(|| {
            self.push_text(next.encode_utf8(&mut [0; 4]));
            2
        })
    }

    fn newline(&mut self) -> Option<usize> {
        let is_break = self.text.get(..self.at).is_some_and(|before| before.ends_with("  "));
        if let Some(Node::Done(Inline::Text(last))) = self.nodes.last_mut() {
            last.truncate(last.trim_end_matches(' ').len());
        }
        if is_break {
            self.nodes.push(Node::Done(Inline::Break));
        } else {
            self.push_text("\n");
        }
        Some(1)
    }

    fn code(&mut self, unended: &mut Vec<usize>) -> Option<usize> {
        let rest = self.rest();
        let len = rest.chars().take_while(|c| *c == '`').count();
        let mut at = len;
        while !unended.contains(&len)
            && let Some(next) = rest.get(at..)?.find('`')
        {
            let start = at + next;
            let run = rest.get(start..)?.chars().take_while(|c| *c == '`').count();
            if run == len {
                let code = rest.get(len..start)?.replace('\n', " ");
                let inner = code.strip_prefix(' ').and_then(|code| code.strip_suffix(' '));
                let bare = inner.filter(|inner| !inner.trim().is_empty()).unwrap_or(&code).to_owned();
                self.nodes.push(Node::Done(Inline::Code(bare)));
                return Some(start + run);
            }
            at = start + run;
        }
        unended.push(len);
        self.push_text(rest.get(..len)?);
        Some(len)
    }

    fn delimiter(&mut self, mark: char) -> Option<usize> {
        let rest = self.rest();
        let count = rest.chars().take_while(|c| *c == mark).count();
        if mark == '~' && count != 2 {
            self.push_text(rest.get(..count)?);
            return Some(count);
        }
        let before = self.text.get(..self.at)?.chars().next_back().unwrap_or(' ');
        let after = rest.get(count..)?.chars().next().unwrap_or(' ');
        let (space_before, space_after) = (before.is_whitespace(), after.is_whitespace());
        let (mark_before, mark_after) = (is_mark(before), is_mark(after));
        let left = !space_after && (!mark_after || space_before || mark_before);
        let right = !space_before && (!mark_before || space_after || mark_after);
        let (opens, closes) = match mark {
            '_' => (left && (!right || mark_before), right && (!left || mark_after)),
            _ => (left, right),
        };
        self.nodes.push(Node::Delimiter { mark, count, opens, closes });
        Some(count)
    }

    fn open(&mut self, is_image: bool) -> Option<usize> {
        self.brackets.push(self.nodes.len());
        self.nodes.push(Node::Bracket { is_image });
        Some(if is_image { 2 } else { 1 })
    }

    fn close(&mut self) -> Option<usize> {
        let Some(open) = self.brackets.pop() else { return self.plain("]") };
        let Some((to, len)) = target(self.rest().get(1..).unwrap_or_default()) else {
            if let Some(node) = self.nodes.get_mut(open) {
                *node = Node::Done(Inline::Text(written(node)));
            }
            return self.plain("]");
        };
        let inner = finished(self.nodes.split_off(open + 1));
        let is_image = matches!(self.nodes.pop(), Some(Node::Bracket { is_image: true }));
        self.nodes.push(Node::Done(if is_image {
            Inline::Image(to, plain_text(&inner))
        } else {
            Inline::Link(to, without_links(inner))
        }));
        Some(1 + len)
    }

    fn plain(&mut self, text: &str) -> Option<usize> {
        self.push_text(text);
        Some(text.len())
    }

    /// `<https://…>`.
    fn angle(&mut self) -> Option<usize> {
        let inner = self.rest().get(1..)?;
        let end =
            inner.find(['>', '<', ' ', '\n']).filter(|end| inner.get(*end..).is_some_and(|t| t.starts_with('>')))?;
        let to = inner.get(..end).filter(|to| is_safe(to))?;
        self.nodes.push(Node::Done(Inline::Link(to.to_owned(), vec![Inline::Text(to.to_owned())])));
        Some(end + 2)
    }

    /// An address that stands by itself.
    fn bare(&mut self) -> Option<usize> {
        let rest = self.rest();
        let scheme = ["https://", "http://"].into_iter().find(|scheme| rest.starts_with(scheme))?;
        if self.text.get(..self.at)?.chars().next_back().is_some_and(char::is_alphanumeric) {
            return None;
        }
        let end =
            rest.find(|c: char| c.is_whitespace() || c.is_control() || "<>[]\"`|*".contains(c)).unwrap_or(rest.len());
        let mut to = rest.get(..end)?;
        // What closes a sentence or a bracket around it is not part of it.
        while let Some(last) = to.chars().next_back() {
            let is_balanced = last == ')' && to.matches('(').count() >= to.matches(')').count();
            if !(".,;:!?'_~]".contains(last) || (last == ')' && !is_balanced)) {
                break;
            }
            to = to.get(..to.len() - last.len_utf8())?;
            if to.len() + 200 < end {
                break;
            }
        }
        if to.len() <= scheme.len() {
            return None;
        }
        self.nodes.push(Node::Done(Inline::Link(to.to_owned(), vec![Inline::Text(to.to_owned())])));
        Some(to.len())
    }

    fn entity(&mut self) -> Option<usize> {
        let known =
            [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", "\u{a0}")];
        let (name, text) = known.into_iter().find(|(name, _)| self.rest().starts_with(name))?;
        self.push_text(text);
        Some(name.len())
    }
}

fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation() || (!c.is_alphanumeric() && !c.is_whitespace() && !c.is_ascii())
}

/// `(address "title")`: the address, and the length of all. The title is not kept.
fn target(text: &str) -> Option<(String, usize)> {
    let inner = text.strip_prefix('(')?;
    let mut depth = 0usize;
    let end = inner.char_indices().take(4_000).find(|(_, c)| match c {
        '(' => {
            depth += 1;
            false
        }
        ')' if depth > 0 => {
            depth -= 1;
            false
        }
        _ => *c == ')',
    })?;
    let body = inner.get(..end.0)?.trim();
    let to = match body.strip_prefix('<').and_then(|body| body.split_once('>')) {
        Some((to, _)) => to,
        None => body.split_once([' ', '\n']).map_or(body, |(to, _)| to),
    };
    Some((to.to_owned(), end.0 + 2))
}

fn written(node: &Node) -> String {
    match node {
        Node::Bracket { is_image: true } => "![".to_owned(),
        Node::Bracket { is_image: false } => "[".to_owned(),
        Node::Delimiter { mark, count, .. } => mark.to_string().repeat(*count),
        Node::Done(_) => String::new(),
    }
}

/// Pairs delimiters, and makes text of those that have no other half.
fn finished(nodes: Vec<Node>) -> Vec<Inline> {
    let mut stack: Vec<Node> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let Node::Delimiter { mark, mut count, opens, closes: true } = node else {
            stack.push(node);
            continue;
        };
        while count > 0
            && let Some(width) = paired(&mut stack, mark, count)
        {
            count -= width;
        }
        if count > 0 {
            stack.push(Node::Delimiter { mark, count, opens, closes: true });
        }
    }
    joined(stack)
}

/// Ends the emphasis that was begun last: how many marks that takes; none where none was begun.
fn paired(stack: &mut Vec<Node>, mark: char, count: usize) -> Option<usize> {
    let start = stack.len().saturating_sub(FURTHEST);
    let is_opener = |node: &Node| matches!(node, Node::Delimiter { mark: m, opens: true, .. } if *m == mark);
    let open = start + stack.get(start..)?.iter().rposition(is_opener)?;
    let is_deep = |node: &Node| matches!(node, Node::Done(inline) if depth(inline) >= DEEPEST);
    if stack.get(open + 1..)?.iter().any(is_deep) {
        return None;
    }
    let inner = stack.split_off(open + 1);
    let Some(Node::Delimiter { count: opened, .. }) = stack.last_mut() else { return None };
    let width = if *opened >= 2 && count >= 2 { 2 } else { 1 };
    *opened -= width;
    if *opened == 0 {
        stack.pop();
    }
    let inner = joined(inner);
    stack.push(Node::Done(match (mark, width) {
        ('~', _) => Inline::Strike(inner),
        (_, 2) => Inline::Strong(inner),
        _ => Inline::Emphasis(inner),
    }));
    Some(width)
}

/// How many marks stand around each other in it. It is never more than [`DEEPEST`].
fn depth(inline: &Inline) -> usize {
    match inline {
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strike(inner) | Inline::Link(_, inner) => {
            1 + inner.iter().map(depth).max().unwrap_or(0)
        }
        _ => 0,
    }
}

fn joined(nodes: Vec<Node>) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    for node in nodes {
        let inline = match node {
            Node::Done(inline) => inline,
            other => Inline::Text(written(&other)),
        };
        match (out.last_mut(), inline) {
            (Some(Inline::Text(last)), Inline::Text(text)) => last.push_str(&text),
            (_, inline) => out.push(inline),
        }
    }
    out
}

/// What a link shows holds no other link.
fn without_links(inner: Vec<Inline>) -> Vec<Inline> {
    let mut out = Vec::new();
    for inline in inner {
        match inline {
            Inline::Link(_, shown) => out.extend(shown),
            other => out.push(other),
        }
    }
    out
}

/// The text of inlines, without their marks.
pub(super) fn plain_text(inlines: &[Inline]) -> String {
    inlines
        .iter()
        .map(|inline| match inline {
            Inline::Text(text) | Inline::Code(text) | Inline::Image(_, text) => text.clone(),
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strike(inner) | Inline::Link(_, inner) => {
                plain_text(inner)
            }
            Inline::Break => "\n".to_owned(),
        })
        .collect()
}
