//! Server-sent events, as their bytes come: each event's data on a line of its own.
//!
//! ```text
//! id: 7
//! data: {"type":"session.idle","properties":{"sessionID":"s"}}
//! ```

/// Takes bytes of a stream, and hands out the data of whole events.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The line that is not whole yet.
    line: Vec<u8>,
    /// Data of the event that is not whole yet.
    data: String,
    after_cr: bool,
}

impl Decoder {
    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8], mut hear: impl FnMut(&str)) {
        for byte in bytes {
            match byte {
                b'\n' if self.after_cr => self.after_cr = false,
                b'\n' | b'\r' => {
                    self.after_cr = *byte == b'\r';
                    let line = std::mem::take(&mut self.line);
                    self.take(&String::from_utf8_lossy(&line), &mut hear);
                }
                byte => {
                    self.after_cr = false;
                    self.line.push(*byte);
                }
            }
        }
    }

    fn take(&mut self, line: &str, hear: &mut impl FnMut(&str)) {
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            if !data.trim().is_empty() {
                hear(data.trim());
            }
        } else if let Some(data) = line.strip_prefix("data:") {
            if !self.data.is_empty() {
                self.data.push('\n');
            }
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        }
    }
}

/// An event as a line of a log. One without an id has no time of its own: it gets the one at which it came.
pub fn line(data: &str, now_ms: f64) -> String {
    // JSON text holds no line ends but between its tokens.
    let data = data.replace('\n', " ");
    let is_id = |key: (u32, u32)| data.get(key.0 as usize..key.1 as usize) == Some("\"id\"");
    let has_id = steplens_core::text::tree::rows(&data)
        .is_some_and(|rows| rows.iter().any(|row| row.depth == 1 && row.key.is_some_and(is_id)));
    if has_id || !data.starts_with('{') {
        return format!("{data}\n");
    }
    format!("{{\"timestamp\":{now_ms:.0},\"event\":{data}}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(parts: &[&str]) -> Vec<String> {
        let (mut decoder, mut heard) = (Decoder::default(), Vec::new());
        parts.iter().for_each(|part| decoder.push(part.as_bytes(), |data| heard.push(data.to_owned())));
        heard
    }

    #[test]
    fn an_event_is_whole_at_its_blank_line_however_it_is_cut() {
        let stream =
            "retry: 3\n: a comment\nid: 1\ndata: {\"a\":\ndata: 1}\n\ndata:{\"b\":\"é\"}\r\n\r\nevent: x\n\ndata: cut";
        let want = ["{\"a\":\n1}", "{\"b\":\"é\"}"];
        assert_eq!(events(&[stream]), want);
        let (mut decoder, mut heard) = (Decoder::default(), Vec::new());
        stream.bytes().for_each(|byte| decoder.push(&[byte], |data| heard.push(data.to_owned())));
        assert_eq!(heard, want);
    }

    #[test]
    fn an_event_without_an_id_gets_the_time_at_which_it_came() {
        assert_eq!(line("{\"id\":\"evt_1\",\"type\":\"a.b\"}", 5.0), "{\"id\":\"evt_1\",\"type\":\"a.b\"}\n");
        assert_eq!(
            line("{\"type\":\"a.b\",\n\"properties\":{\"id\":\"per_1\"}}", 1_781_000_000_000.4),
            "{\"timestamp\":1781000000000,\"event\":{\"type\":\"a.b\", \"properties\":{\"id\":\"per_1\"}}}\n"
        );
    }
}
