//! What a client asks.

use std::io::{self, BufRead, BufReader, Read};

/// The longest head of a request that is read.
const HEAD: u64 = 64 * 1024;
/// The longest body.
const BODY: u64 = 1024 * 1024;

/// A request.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query, decoded.
    pub(crate) path: String,
    /// Behind the `?`; empty where there is none.
    pub(crate) query: String,
    /// Names in small letters.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// The connection fails; or, as `InvalidData`, this is no request, or too long a one.
    pub(crate) fn read(stream: &mut impl Read) -> io::Result<Request> {
        let mut reader = BufReader::new(stream);
        let mut head = Vec::new();
        loop {
            let before = head.len();
            let read = (&mut reader).take(HEAD - before as u64).read_until(b'\n', &mut head)?;
            let line = head.get(before..).unwrap_or_default();
            if read == 0 || !line.ends_with(b"\n") {
                return Err(invalid("the request is cut, or too long"));
            }
            if line == b"\r\n" || line == b"\n" {
                break;
            }
        }
        let mut request = Request::parse(&String::from_utf8_lossy(&head))?;
        if request.header("transfer-encoding").is_some() {
            return Err(invalid("the length of the body has to be said"));
        }
        let length: u64 = match request.header("content-length") {
            Some(length) => length.parse().map_err(|_| invalid("the length of the body is no number"))?,
            None => 0,
        };
        if length > BODY {
            return Err(invalid("the body is too long"));
        }
        reader.take(length).read_to_end(&mut request.body)?;
        if (request.body.len() as u64) < length {
            return Err(invalid("the body is cut"));
        }
        Ok(request)
    }

    fn parse(head: &str) -> io::Result<Request> {
        let mut lines = head.lines();
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
            return Err(invalid("this is no HTTP"));
        };
        if !version.starts_with("HTTP/1.") || !target.starts_with('/') {
            return Err(invalid("this is no HTTP/1.1"));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let path = decode(path).ok_or_else(|| invalid("the path is no text"))?;
        let header = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        };
        let headers = lines.filter(|line| !line.is_empty()).filter_map(header).collect();
        Ok(Request { method: method.to_owned(), path, query: query.to_owned(), headers, body: Vec::new() })
    }

    /// The value of a header, by its name in small letters.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether it changes nothing.
    pub(crate) fn is_get(&self) -> bool {
        self.method == "GET" || self.is_head()
    }

    /// Whether only the head of the answer is wanted.
    pub(crate) fn is_head(&self) -> bool {
        self.method == "HEAD"
    }

    /// Which bytes of a file of that size are wanted, as `bytes=4-` or `bytes=4-9`: start and end. All where none are named.
    pub(crate) fn range(&self, size: u64) -> Wanted {
        let Some(range) = self.header("range").and_then(|range| range.strip_prefix("bytes=")) else {
            return Wanted::All;
        };
        let Some((from, to)) = range.split_once('-') else { return Wanted::All };
        let (Ok(from), to) = (from.parse::<u64>(), to.parse::<u64>()) else { return Wanted::All };
        match to {
            _ if from > size => Wanted::Behind,
            _ if from == size => Wanted::Nothing,
            Ok(to) if to < from => Wanted::All,
            Ok(to) => Wanted::Part(from, to.saturating_add(1).min(size)),
            Err(_) => Wanted::Part(from, size),
        }
    }
}

/// Which bytes of a file are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All.
    All,
    /// From the first place up to the second.
    Part(u64, u64),
    /// What is behind its end, where there is nothing yet.
    Nothing,
    /// Some that are not there.
    Behind,
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_owned())
}

/// Decodes `%41`; none if that gives no text.
fn decode(path: &str) -> Option<String> {
    let mut bytes = path.bytes();
    let mut decoded = Vec::with_capacity(path.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            u8::try_from(digit(bytes.next())? * 16 + digit(bytes.next())?).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<Request> {
        Request::read(&mut text.as_bytes())
    }

    #[test]
    fn a_request_is_read() {
        let request = read("POST /a%20b/c?x=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc+more").unwrap();
        assert_eq!((request.path.as_str(), request.query.as_str()), ("/a b/c", "x=1"));
        assert_eq!((request.header("host"), request.body.as_slice()), (Some("x"), b"abc".as_slice()));
        for wrong in [
            "",
            "GET /\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x",
            "GET http://x/ HTTP/1.1\r\n\r\n",
            "GET /%ff HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab",
            "POST / HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ] {
            assert_eq!(read(wrong).unwrap_err().kind(), io::ErrorKind::InvalidData, "{wrong}");
        }
        assert!(read(&format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(70_000))).is_err());
    }

    #[test]
    fn parts_of_a_file_are_named() {
        let range = |range: &str| read(&format!("GET / HTTP/1.1\r\nRange: {range}\r\n\r\n")).unwrap().range(10);
        assert_eq!(range("bytes=4-"), Wanted::Part(4, 10));
        assert_eq!(range("bytes=4-5"), Wanted::Part(4, 6));
        assert_eq!(range("bytes=4-99"), Wanted::Part(4, 10));
        assert_eq!((range("bytes=10-"), range("bytes=11-")), (Wanted::Nothing, Wanted::Behind));
        for all in ["bytes=5-4", "bytes=x-", "lines=1-", "bytes=-3"] {
            assert_eq!(range(all), Wanted::All, "{all}");
        }
    }
}
