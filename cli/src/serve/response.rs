//! What a client gets.

use std::io::{self, Read, Write};

/// Sent with every answer: it is of now, of this server alone, and stands in no other page.
const ALWAYS: &str = "Cache-Control: no-store\r\n\
    Content-Security-Policy: frame-ancestors 'none'\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Referrer-Policy: no-referrer\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Connection: close\r\n\r\n";

/// An answer whose length is known.
pub(crate) struct Response {
    status: &'static str,
    content_type: &'static str,
    headers: String,
    length: u64,
    body: Box<dyn Read>,
}

impl Response {
    /// Of some bytes.
    pub(crate) fn bytes(content_type: &'static str, bytes: Vec<u8>) -> Response {
        let length = bytes.len() as u64;
        Response {
            status: "200 OK",
            content_type,
            headers: String::new(),
            length,
            body: Box::new(io::Cursor::new(bytes)),
        }
    }

    /// A sentence.
    pub(crate) fn text(status: &'static str, text: &str) -> Response {
        Response { status, ..Response::bytes("text/plain; charset=utf-8", format!("{text}\n").into_bytes()) }
    }

    /// Of so many bytes that are read while they are sent.
    pub(crate) fn of(
        status: &'static str,
        content_type: &'static str,
        length: u64,
        body: impl Read + 'static,
    ) -> Response {
        Response { status, content_type, headers: String::new(), length, body: Box::new(body) }
    }

    /// With one more header.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Response {
        self.headers.push_str(&format!("{name}: {value}\r\n"));
        self
    }

    /// What it says first.
    #[cfg(test)]
    pub(crate) fn status(&self) -> &'static str {
        self.status
    }

    /// Sends it; without its body if only the head is wanted.
    ///
    /// # Errors
    /// The client is gone, or what is sent cannot be read.
    pub(crate) fn write(self, stream: &mut impl Write, head_only: bool) -> io::Result<()> {
        let Response { status, content_type, headers, length, body } = self;
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n{headers}{ALWAYS}"
        );
        stream.write_all(head.as_bytes())?;
        if !head_only {
            io::copy(&mut body.take(length), stream)?;
        }
        stream.flush()
    }
}

/// The type that browsers insist on, by a name's end.
pub(crate) fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("jsonl" | "txt" | "log") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
