//! Tables in a terminal: columns as wide as their widest cell, numbers to the right.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Which side a column's cells lean to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// How wide a name may stand in a table; beyond it the figures would leave the screen.
const WIDEST: usize = 40;

/// A name that fits a table: of a wider one the middle gives way, as its ends tell it from others.
pub(crate) fn fitted(name: &str) -> String {
    if name.width() <= WIDEST {
        return name.to_owned();
    }
    let half = |chars: &mut dyn Iterator<Item = char>| {
        let mut room = (WIDEST - 1) / 2;
        let fits = |c: &char| {
            let width = c.width().unwrap_or(0);
            let fits = width <= room;
            room = room.saturating_sub(width);
            fits
        };
        chars.take_while(fits).collect::<String>()
    };
    let (start, end) = (half(&mut name.chars()), half(&mut name.chars().rev()));
    format!("{start}…{}", end.chars().rev().collect::<String>())
}

/// Lays out rows, the first of which is the head. Two spaces stand between columns, none at the end of a line.
pub(crate) fn layout(sides: &[Side], rows: &[Vec<String>]) -> Vec<String> {
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..sides.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let mut line = String::new();
        for ((cell, width), side) in row.iter().zip(&widths).zip(sides) {
            let gap = " ".repeat(width.saturating_sub(cell.width()));
            match side {
                Side::Left => line.extend([cell.as_str(), gap.as_str()]),
                Side::Right => line.extend([gap.as_str(), cell.as_str()]),
            }
            line.push_str("  ");
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_name_keeps_its_ends() {
        let name = format!("mcp_{}_read", "long".repeat(20));
        assert_eq!(fitted(&name), "mcp_longlonglonglon…nglonglonglong_read");
        assert_eq!(fitted(&"表".repeat(30)).width(), 37);
        assert_eq!(fitted("read"), "read");
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["tool".to_owned(), "n".to_owned()], vec!["é→".to_owned(), "100".to_owned()]];
        assert_eq!(layout(&[Side::Left, Side::Right], &rows), ["tool    n", "é→    100"]);
    }
}
