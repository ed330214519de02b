//! Lines: of a log, found here without the code that is tested; of two texts, side by side.

/// One line of a log: its number from 1, its offset, and its bytes without the line's end.
pub(crate) type LogLine<'a> = (u64, u64, &'a [u8]);

/// The lines of a log that hold anything. `\n` ends a line, a `\r` before it belongs to the end, and a byte order mark
/// belongs to no line.
pub(crate) fn filled(log: &[u8]) -> Vec<LogLine<'_>> {
    let mut out = Vec::new();
    let mut offset = 0;
    for (index, line) in log.split(|byte| *byte == b'\n').enumerate() {
        let mark = if index == 0 && line.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let body = &line[mark..];
        let body = body.strip_suffix(b"\r").unwrap_or(body);
        if !body.iter().all(u8::is_ascii_whitespace) {
            out.push((index as u64 + 1, (offset + mark) as u64, body));
        }
        offset += line.len() + 1;
    }
    out
}

/// Where two texts part: the first lines that differ, with what stands before them.
pub(crate) fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let tail = tail.min(old.len() - same).min(new.len() - same);
    let mut out = String::new();
    for line in &old[same.saturating_sub(2)..same] {
        out.push_str(&format!("    {line}\n"));
    }
    for line in &old[same..old.len() - tail] {
        out.push_str(&format!("  - {line}\n"));
    }
    for line in &new[same..new.len() - tail] {
        out.push_str(&format!("  + {line}\n"));
    }
    out
}
