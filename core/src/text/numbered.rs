//! Files as a harness writes them out when they are read: each line behind its number.
//!
//! ```text
//! <content>                  <file>
//! 23: fn main() {            00023| fn main() {
//! ```

/// A line: its number, where it has one, and its text.
pub type Line<'a> = (Option<u32>, &'a str);

/// The lines of a numbered output; none where the output is none: a line with a number has to be followed by the next
/// number, and most lines have one.
pub fn lines(output: &str) -> Option<Vec<Line<'_>>> {
    let mut out = Vec::new();
    let mut last = None;
    let mut with = 0usize;
    for line in output.lines() {
        let number = number(line).filter(|(n, _)| last.is_none_or(|last| *n == last + 1));
        match number {
            Some((n, text)) => {
                (last, with) = (Some(n), with + 1);
                out.push((Some(n), text));
            }
            None => out.push((None, line)),
        }
    }
    (with > 0 && with * 2 >= out.len().saturating_sub(6)).then_some(out)
}

fn number(line: &str) -> Option<(u32, &str)> {
    let bare = line.trim_start();
    let digits = bare.chars().take_while(char::is_ascii_digit).count();
    let (number, rest) = bare.split_at_checked(digits)?;
    let text = ["| ", ": ", "\t", "→"].into_iter().find_map(|mark| rest.strip_prefix(mark));
    let text = text.or_else(|| matches!(rest, "|" | ":").then_some(""))?;
    Some((number.parse().ok()?, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        let new = lines("<path>/a</path>\n<content>\n9: a\n10: \n11:  b\n\n(End of file)\n</content>").unwrap();
        assert_eq!(new[2..5], [(Some(9), "a"), (Some(10), ""), (Some(11), " b")]);
        assert_eq!(new[0], (None, "<path>/a</path>"));
        let old = lines("<file>\n00001| # Demo\n00002| \n</file>").unwrap();
        assert_eq!(old[1..3], [(Some(1), "# Demo"), (Some(2), "")]);
    }

    #[test]
    fn other_outputs_are_none() {
        for text in ["", "total 24\n", "12: a\n99: b\nc\nd\ne\nf\ng\nh\ni\nj", "error: no"] {
            assert_eq!(lines(text), None, "{text}");
        }
    }
}
