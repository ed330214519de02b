//! Terminal output as it looks: runs of text with their colours, after carriage returns and backspaces.
//!
//! Colours and weights of `ESC [ … m` (16, 256 and true colours) become styles; every other sequence is left out, an
//! `OSC 8` link among them, whose text stays. An escape character that begins no sequence stays where it is.

/// A colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Colour {
    /// That of the text around it.
    #[default]
    Plain,
    /// One of the 256.
    Index(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
}

/// How a run looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// Colour of the text.
    pub ink: Colour,
    /// Colour behind it.
    pub ground: Colour,
    /// SGR 1.
    pub bold: bool,
    /// SGR 2.
    pub dim: bool,
    /// SGR 3.
    pub italic: bool,
    /// SGR 4, 21.
    pub underline: bool,
    /// SGR 7: both colours change places.
    pub inverse: bool,
    /// SGR 9.
    pub strike: bool,
}

/// A stretch of text of one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The text.
    pub text: String,
    /// Its style.
    pub style: Style,
}

const ESCAPE: char = '\u{1b}';

/// A line wider than this is not laid out again for what its carriage returns overwrite.
const WIDEST: usize = 200_000;

/// The style that the next line begins with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Terminal {
    style: Style,
}

impl Terminal {
    /// The style in force.
    pub fn style(self) -> Style {
        self.style
    }

    /// One line without its `\n`, as runs. The style at its end is that of the next line.
    pub fn line(&mut self, line: &str) -> Vec<Run> {
        let mut screen = Screen::default();
        let mut rest = line.strip_suffix('\r').unwrap_or(line);
        // A carriage return that nothing follows moves nowhere that can be seen.
        while let Some(shorter) = rest.strip_suffix('\r') {
            rest = shorter;
        }
        while let Some(c) = rest.chars().next() {
            let (token, len) = token(rest, c);
            rest = rest.get(len..).unwrap_or_default();
            match token {
                Token::Text(text) => screen.write(text, self.style),
                Token::Style(parameters) => self.sgr(parameters),
                Token::Return => screen.at = Some(0),
                Token::Back(n) => screen.back(n),
                Token::Forward(n) => screen.forward(n),
                Token::Column(n) => {
                    screen.at = Some(0);
                    screen.forward(n.saturating_sub(1));
                }
                Token::Erase(how) => screen.erase(how),
                Token::Nothing => {}
            }
        }
        screen.runs
    }

    fn sgr(&mut self, parameters: &str) {
        let mut codes = parameters.split([';', ':']).map(|code| code.parse::<u16>().unwrap_or(0));
        while let Some(code) = codes.next() {
            let style = &mut self.style;
            match code {
                0 => *style = Style::default(),
                1 => style.bold = true,
                2 => style.dim = true,
                3 => style.italic = true,
                4 | 21 => style.underline = true,
                7 => style.inverse = true,
                9 => style.strike = true,
                22 => (style.bold, style.dim) = (false, false),
                23 => style.italic = false,
                24 => style.underline = false,
                27 => style.inverse = false,
                29 => style.strike = false,
                30..=37 => style.ink = Colour::Index((code - 30) as u8),
                38 => style.ink = extended(&mut codes).unwrap_or(style.ink),
                39 => style.ink = Colour::Plain,
                40..=47 => style.ground = Colour::Index((code - 40) as u8),
                48 => style.ground = extended(&mut codes).unwrap_or(style.ground),
                49 => style.ground = Colour::Plain,
                90..=97 => style.ink = Colour::Index((code - 90 + 8) as u8),
                100..=107 => style.ground = Colour::Index((code - 100 + 8) as u8),
                _ => {}
            }
        }
    }
}

/// `5;N` or `2;R;G;B`.
fn extended(codes: &mut impl Iterator<Item = u16>) -> Option<Colour> {
    let byte = |code: u16| code.min(255) as u8;
    match codes.next()? {
        5 => codes.next().map(byte).map(Colour::Index),
        2 => Some(Colour::Rgb(byte(codes.next()?), byte(codes.next()?), byte(codes.next()?))),
        _ => None,
    }
}

/// The line so far. It is cut into characters only when something is overwritten.
#[derive(Debug, Default)]
struct Screen {
    runs: Vec<Run>,
    /// Where the next character goes, counted in characters; none is the end.
    at: Option<usize>,
    /// Characters that were laid out again.
    work: usize,
}

/// A line that was laid out again for more characters than that is written on at its end.
const MOST_WORK: usize = 2_000_000;

impl Screen {
    fn is_worn(&self) -> bool {
        self.work > MOST_WORK
    }

    fn len(&self) -> usize {
        self.runs.iter().map(|run| run.text.chars().count()).sum()
    }

    fn cursor(&self) -> usize {
        self.at.unwrap_or_else(|| self.len())
    }

    fn push(&mut self, text: &str, style: Style) {
        match self.runs.last_mut() {
            Some(run) if run.style == style => run.text.push_str(text),
            _ if text.is_empty() => {}
            _ => self.runs.push(Run { text: text.to_owned(), style }),
        }
    }

    fn write(&mut self, text: &str, style: Style) {
        let Some(at) = self.at.filter(|_| !self.is_worn()) else {
            self.at = None;
            return self.push(text, style);
        };
        let cells = self.cells();
        self.work += cells.len();
        if at >= cells.len() || cells.len() > WIDEST {
            self.at = None;
            return self.push(text, style);
        }
        let end = at + text.chars().count();
        let (before, after) = (cells.get(..at).unwrap_or_default(), cells.get(end..).unwrap_or_default());
        self.runs.clear();
        self.put(before);
        self.push(text, style);
        self.put(after);
        self.at = (!after.is_empty()).then_some(end);
    }

    fn back(&mut self, n: usize) {
        if self.is_worn() {
            return;
        }
        let at = self.cursor();
        self.work += at;
        self.at = Some(at.saturating_sub(n));
    }

    fn forward(&mut self, n: usize) {
        if self.is_worn() {
            return;
        }
        let (at, len) = (self.cursor(), self.len());
        self.work += len + n.min(WIDEST);
        let to = at.saturating_add(n).min(WIDEST);
        if to > len {
            self.push(&" ".repeat(to - len), Style::default());
        }
        self.at = (to < len).then_some(to);
    }

    /// To the end, from the start, or all of the line.
    fn erase(&mut self, how: usize) {
        if self.is_worn() {
            return;
        }
        let at = self.cursor();
        let cells = self.cells();
        self.work += cells.len() + at;
        self.runs.clear();
        match how {
            0 => self.put(cells.get(..at).unwrap_or(&cells)),
            1 => {
                self.push(&" ".repeat(at.min(cells.len())), Style::default());
                self.put(cells.get(at..).unwrap_or_default());
            }
            _ => self.push(&" ".repeat(at), Style::default()),
        }
        self.at = Some(at);
    }

    fn cells(&self) -> Vec<(char, Style)> {
        self.runs.iter().flat_map(|run| run.text.chars().map(|c| (c, run.style))).collect()
    }

    fn put(&mut self, cells: &[(char, Style)]) {
        let mut buffer = [0; 4];
        for (c, style) in cells {
            self.push(c.encode_utf8(&mut buffer), *style);
        }
    }
}

enum Token<'a> {
    Text(&'a str),
    Style(&'a str),
    Return,
    Back(usize),
    Forward(usize),
    Column(usize),
    Erase(usize),
    Nothing,
}

/// The first token and its length in bytes: at least one character.
fn token(rest: &str, first: char) -> (Token<'_>, usize) {
    match first {
        '\r' => (Token::Return, 1),
        '\u{8}' => (Token::Back(1), 1),
        ESCAPE => sequence(rest).unwrap_or((Token::Text(rest.get(..1).unwrap_or_default()), 1)),
        _ => {
            let end = rest.find([ESCAPE, '\r', '\u{8}']).unwrap_or(rest.len());
            (Token::Text(rest.get(..end).unwrap_or_default()), end)
        }
    }
}

/// A control sequence at the start; none where the text is no whole one.
fn sequence(rest: &str) -> Option<(Token<'_>, usize)> {
    let body = rest.get(1..)?;
    match body.chars().next()? {
        '[' => {
            let inner = body.get(1..)?;
            let end = inner.find(|c: char| !(' '..='?').contains(&c))?;
            let last = inner.get(end..)?.chars().next().filter(|c| ('@'..='~').contains(c))?;
            let parameters = inner.get(..end)?;
            let number = |default: usize| parameters.parse::<usize>().unwrap_or(default);
            let token = match last {
                'm' if parameters.chars().all(|c| c.is_ascii_digit() || c == ';' || c == ':') => {
                    Token::Style(parameters)
                }
                'K' => Token::Erase(number(0)),
                'C' => Token::Forward(number(1).max(1)),
                'D' => Token::Back(number(1).max(1)),
                'G' => Token::Column(number(1)),
                _ => Token::Nothing,
            };
            Some((token, 2 + end + 1))
        }
        // An operating system command and the other strings, up to BEL or ESC \.
        ']' | 'P' | '^' | '_' => {
            let inner = body.get(1..)?;
            let bell = inner.find('\u{7}').map(|at| at + 1);
            let string = inner.find("\u{1b}\\").map(|at| at + 2);
            let end = bell.into_iter().chain(string).min()?;
            Some((Token::Nothing, 2 + end))
        }
        '(' | ')' | '#' => Some((Token::Nothing, 2 + body.get(1..)?.chars().next()?.len_utf8())),
        '0'..='~' => Some((Token::Nothing, 2)),
        _ => None,
    }
}

/// Whether a text has nothing that [`Terminal::line`] would change.
pub fn is_plain(text: &str) -> bool {
    !text.bytes().any(|byte| byte == 0x1B || byte == 0x08 || byte == b'\r')
}

/// A text as it looks, without its colours.
pub fn plain(text: &str) -> String {
    let mut terminal = Terminal::default();
    let mut out = String::with_capacity(text.len());
    for (n, line) in text.split('\n').enumerate() {
        if n > 0 {
            out.push('\n');
        }
        out.extend(terminal.line(line).iter().map(|run| run.text.as_str()));
    }
    out
}

/// The levels of the 6×6×6 cube.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The 16 colours, as most terminals have them.
const SIXTEEN: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (190, 30, 30),
    (20, 130, 50),
    (150, 105, 0),
    (40, 85, 210),
    (150, 45, 160),
    (0, 125, 140),
    (190, 190, 190),
    (100, 100, 100),
    (225, 60, 55),
    (40, 165, 75),
    (190, 140, 10),
    (75, 125, 245),
    (190, 85, 200),
    (20, 160, 175),
    (255, 255, 255),
];

/// Red, green and blue of a colour; none for the plain one.
pub fn rgb(colour: Colour) -> Option<(u8, u8, u8)> {
    match colour {
        Colour::Plain => None,
        Colour::Rgb(r, g, b) => Some((r, g, b)),
        Colour::Index(n @ 0..16) => SIXTEEN.get(usize::from(n)).copied(),
        Colour::Index(n @ 16..232) => {
            let level = |n: u8| LEVELS.get(usize::from(n % 6)).copied().unwrap_or(0);
            let n = n - 16;
            Some((level(n / 36), level(n / 6), level(n)))
        }
        Colour::Index(n) => {
            let grey = 8 + (n - 232) * 10;
            Some((grey, grey, grey))
        }
    }
}

/// The colour, made darker or lighter until it can be read on that ground (4.5 to 1).
pub fn readable((r, g, b): (u8, u8, u8), ground: (u8, u8, u8)) -> (u8, u8, u8) {
    let target = if luminance(ground) > 0.18 { 0.0 } else { 255.0 };
    for step in 0..=20 {
        let share = f64::from(step) / 20.0;
        let mix = |c: u8| (f64::from(c) * (1.0 - share) + target * share).round() as u8;
        let mixed = (mix(r), mix(g), mix(b));
        if contrast(mixed, ground) >= 5.0 {
            return mixed;
        }
    }
    if target == 0.0 { (0, 0, 0) } else { (255, 255, 255) }
}

/// The contrast of two colours by WCAG, from 1 to 21.
pub fn contrast(a: (u8, u8, u8), b: (u8, u8, u8)) -> f64 {
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    if a > b { a / b } else { b / a }
}

fn luminance((r, g, b): (u8, u8, u8)) -> f64 {
    let channel = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(line: &str) -> String {
        plain(line)
    }

    #[test]
    fn colours_and_weights() {
        let mut terminal = Terminal::default();
        let runs = terminal.line("a\u{1b}[1;31mb\u{1b}[22;38;5;208mc\u{1b}[38;2;1;2;3;48;5;4md\u{1b}[me");
        let style = |run: usize| runs[run].style;
        assert_eq!(runs.iter().map(|run| run.text.as_str()).collect::<Vec<_>>(), ["a", "b", "c", "d", "e"]);
        assert_eq!((style(1).ink, style(1).bold), (Colour::Index(1), true));
        assert_eq!((style(2).ink, style(2).bold), (Colour::Index(208), false));
        assert_eq!((style(3).ink, style(3).ground), (Colour::Rgb(1, 2, 3), Colour::Index(4)));
        assert_eq!(style(4), Style::default());
    }

    #[test]
    fn a_style_goes_on_over_lines() {
        let mut terminal = Terminal::default();
        terminal.line("\u{1b}[32mok");
        assert_eq!(terminal.line("still")[0].style.ink, Colour::Index(2));
    }

    #[test]
    fn returns_and_backspaces_overwrite() {
        assert_eq!(shown("10%\r20%\r100%"), "100%");
        assert_eq!(shown("long line\rshort"), "shortline");
        assert_eq!(shown("a\u{8}b\u{8}\u{8}c"), "c");
        assert_eq!(shown("progress 1\r\u{1b}[Kdone\r\n"), "done\n");
        assert_eq!(shown("abc\u{1b}[2Dx"), "axc");
        assert_eq!(shown("ab\u{1b}[5Gx"), "ab  x");
        assert_eq!(shown("dos\r\nline\r\n"), "dos\nline\n");
    }

    #[test]
    fn a_line_that_is_overwritten_without_end_comes_out() {
        let line = "x".repeat(10_000) + &"\ry\u{8}\u{1b}[9C".repeat(20_000);
        assert!(shown(&line).starts_with('y'));
    }

    #[test]
    fn other_sequences_go_and_links_stay_text() {
        assert_eq!(shown("\u{1b}]8;;https://x.y\u{1b}\\link\u{1b}]8;;\u{1b}\\!"), "link!");
        assert_eq!(shown("\u{1b}]0;title\u{7}a\u{1b}(Bb\u{1b}7c\u{1b}[?25l\u{1b}[2Jd"), "abcd");
    }

    #[test]
    fn what_is_no_sequence_stays() {
        assert_eq!(shown("a\u{1b}"), "a\u{1b}");
        assert_eq!(shown("\u{1b}[31"), "\u{1b}[31");
        assert_eq!(shown("\u{1b}]0;never ends"), "\u{1b}]0;never ends");
    }

    #[test]
    fn every_colour_can_be_read_in_both_themes() {
        for ground in [(0xF1, 0xF1, 0xEE), (0x1E, 0x21, 0x26)] {
            for n in 0..=255 {
                let colour = rgb(Colour::Index(n)).unwrap();
                assert!(contrast(readable(colour, ground), ground) >= 4.5, "{n}");
            }
        }
        for n in 0..=255 {
            let ground = rgb(Colour::Index(n)).unwrap();
            assert!(contrast(readable((128, 128, 128), ground), ground) >= 4.5, "on {n}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_is_the_text_between_the_sequences(
            texts in prop::collection::vec("[a-zä ]{0,5}", 1..8),
            codes in prop::collection::vec("\u{1b}\\[([0-9]{1,3};){0,3}[0-9]{0,3}m|\u{1b}\\]8;;[a-z:/]{0,5}\u{7}|\u{1b}\\[2J", 8),
        ) {
            let line: String = texts.iter().zip(&codes).map(|(text, code)| format!("{text}{code}")).collect();
            prop_assert_eq!(plain(&line), texts.concat());
        }

        #[test]
        fn no_text_is_too_odd(text in "([\u{1b}\r\u{8}\nab\\[\\];0-9mKDCG]|\u{1b}\\[[0-9]{0,6}[A-Za-z]){0,40}") {
            plain(&text);
        }
    }
}
