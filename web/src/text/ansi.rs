//! Terminal output on the page: which class and which colours a style of the log gets.
//!
//! The colours are made to be read on the page's own ground, in both themes: each style carries one for either
//! (`--l`, `--d`), and the style sheet picks. A colour behind the text stays as it is, and the text on it gives way.

use steplens_core::text::ansi::{Colour, Style, readable, rgb};
pub use steplens_core::text::ansi::{Terminal, is_plain};

/// The ground that outputs stand on, in the light and the dark theme: `--sunk` of the style sheet.
const GROUNDS: [(u8, u8, u8); 2] = [(0xF1, 0xF1, 0xEE), (0x1E, 0x21, 0x26)];

/// The class and the style attribute of a run; none where it is plain text.
pub fn look(style: Style) -> Option<(String, Option<String>)> {
    if style == Style::default() {
        return None;
    }
    let mut class = String::from("a");
    let flags = [
        (style.bold, " a-bold"),
        (style.dim, " a-dim"),
        (style.italic, " a-italic"),
        (style.underline, " a-line"),
        (style.strike, " a-strike"),
    ];
    for (_, name) in flags.into_iter().filter(|(is_set, _)| *is_set) {
        class.push_str(name);
    }
    let (ink, ground) = if style.inverse { (style.ground, style.ink) } else { (style.ink, style.ground) };
    let hex = |(r, g, b): (u8, u8, u8)| format!("#{r:02x}{g:02x}{b:02x}");
    let css = match (rgb(ink), rgb(ground)) {
        (None, None) if style.inverse => {
            class.push_str(" a-inverse");
            None
        }
        (None, None) => None,
        (Some(ink), None) if style.inverse && ground == Colour::Plain => {
            // The plain ink is the ground now; that differs by theme, so the theme's own pair is taken.
            let _ = ink;
            class.push_str(" a-inverse");
            None
        }
        (Some(ink), None) => {
            class.push_str(" a-ink");
            let [light, dark] = GROUNDS.map(|ground| hex(readable(ink, ground)));
            Some(format!("--l:{light};--d:{dark}"))
        }
        (ink, Some(ground)) => {
            class.push_str(" a-ground");
            let ink = readable(ink.unwrap_or(ground), ground);
            Some(format!("--i:{};--g:{}", hex(ink), hex(ground)))
        }
    };
    Some((class, css))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_has_a_colour_for_either_theme() {
        let mut terminal = Terminal::default();
        let style = terminal.line("\u{1b}[1;93mx")[0].style;
        let (class, css) = look(style).unwrap();
        assert_eq!(class, "a a-bold a-ink");
        assert_eq!(css.unwrap(), "--l:#7c5b07;--d:#be8c0a");
        assert_eq!(look(Style::default()), None);
        let inverse = Style { inverse: true, ..Style::default() };
        assert_eq!(look(inverse), Some(("a a-inverse".to_owned(), None)));
        let ground = Style { ground: Colour::Index(15), ..Style::default() };
        assert_eq!(look(ground).unwrap().1.unwrap(), "--i:#666666;--g:#ffffff");
    }
}
