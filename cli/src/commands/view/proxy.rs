//! What `--connect` names: a harness's own server on this machine, passed on so that its events and the page are of one
//! origin. Only what the page needs of it is: its events, what there is, and answers to what it asks.

use crate::serve::{Request, Response};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// How long the server may take to take the call.
const PATIENCE: Duration = Duration::from_secs(5);

/// What may be asked of it, each path whole: a server's settings may hold keys.
const READS: [&str; 6] = ["event", "global/event", "global/health", "permission", "question", "suggestion"];

/// Headers that are passed on.
const HEADERS: [&str; 5] = ["accept", "authorization", "content-type", "last-event-id", "user-agent"];

/// The server.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Upstream {
    /// As its address says it.
    host: String,
    port: u16,
    /// Where its paths begin: empty, or with a slash before and none behind it.
    base: String,
}

impl Upstream {
    /// Of an address such as `http://127.0.0.1:4096`; `127.0.0.1:4096` and `4096` are the same.
    ///
    /// # Errors
    /// It is no such address, or one of another machine: a sentence.
    pub(super) fn parse(address: &str) -> Result<Upstream, String> {
        let wrong = |why: &str| format!("--connect {address}: {why}; give an address such as http://127.0.0.1:4096");
        let rest = match address.strip_prefix("http://") {
            Some(rest) => rest.to_owned(),
            None if address.contains("://") => return Err(wrong("it does not begin with http://")),
            None if !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_digit()) => {
                format!("127.0.0.1:{address}")
            }
            None => address.to_owned(),
        };
        let (authority, path) = rest.split_once('/').unwrap_or((&rest, ""));
        if let Some((_, host)) = authority.rsplit_once('@') {
            // Not repeated: it may stand in somebody's log.
            return Err(format!(
                "--connect: a password does not belong in an address; give http://{host}, and type the password on the page"
            ));
        }
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, port.parse().map_err(|_| wrong("its port is no number"))?)
            }
            _ => (authority, 80),
        };
        if !["127.0.0.1", "localhost", "[::1]"].contains(&host) {
            return Err(wrong("only a server on this machine is passed on"));
        }
        let base = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let base = if base.is_empty() { String::new() } else { format!("/{base}") };
        // That of the stream itself may have been pasted.
        let stream = ["/global/event", "/event"].into_iter().find_map(|stream| base.strip_suffix(stream));
        let base = stream.unwrap_or(&base).to_owned();
        Ok(Upstream { host: host.to_owned(), port, base })
    }

    /// Its address, as the page shows it.
    pub(super) fn address(&self) -> String {
        format!("http://{}:{}{}", self.host, self.port, self.base)
    }

    /// Whether nobody answers there: why.
    pub(super) fn missing(&self) -> Option<io::Error> {
        self.connect().err()
    }

    /// Passes a request on, and what comes back, for as long as it comes.
    pub(super) fn pass(&self, path: &str, request: &Request, client: &mut TcpStream) -> io::Result<()> {
        if !is_passed(&request.method, path) {
            let why = "This is not passed on: events, lists and replies are.";
            return Response::text("403 Forbidden", why).write(client, request.is_head());
        }
        let mut server = match self.connect() {
            Ok(server) => server,
            Err(error) => {
                let why = format!("{} does not answer: {error}.", self.address());
                return Response::text("502 Bad Gateway", &why).write(client, request.is_head());
            }
        };
        let query = if request.query.is_empty() { String::new() } else { format!("?{}", request.query) };
        let path = steplens_core::share::percent::encode(path);
        let mut head = format!(
            "{} {}/{path}{query} HTTP/1.1\r\nHost: {}:{}\r\nConnection: close\r\nContent-Length: {}\r\n",
            request.method,
            self.base,
            self.host,
            self.port,
            request.body.len()
        );
        for name in HEADERS {
            if let Some(value) = request.header(name) {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        server.write_all(format!("{head}\r\n").as_bytes())?;
        server.write_all(&request.body)?;
        // As it comes: an event is to be seen when it happens.
        let mut piece = vec![0; 16 << 10];
        loop {
            let read = server.read(&mut piece)?;
            if read == 0 {
                return Ok(());
            }
            client.write_all(piece.get(..read).unwrap_or_default())?;
        }
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let v4 = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let v6 = SocketAddr::from((Ipv6Addr::LOCALHOST, self.port));
        match self.host.as_str() {
            "127.0.0.1" => TcpStream::connect_timeout(&v4, PATIENCE),
            "[::1]" => TcpStream::connect_timeout(&v6, PATIENCE),
            // A name of this machine; which of its addresses is listened at, nobody says.
            _ => TcpStream::connect_timeout(&v4, PATIENCE).or_else(|_| TcpStream::connect_timeout(&v6, PATIENCE)),
        }
    }
}

/// Whether a request is one of those that the page makes.
fn is_passed(method: &str, path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    if parts.iter().any(|part| part.is_empty() || *part == "." || *part == "..") {
        return false;
    }
    match method {
        "GET" => READS.contains(&path),
        "POST" => matches!(
            parts.as_slice(),
            ["permission", _, "reply"]
                | ["question", _, "reply" | "reject"]
                | ["suggestion", _, "accept" | "dismiss"]
                | ["session", _, "permissions", _]
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_connected_to() {
        let upstream = |host: &str, port, base: &str| Upstream { host: host.to_owned(), port, base: base.to_owned() };
        assert_eq!(Upstream::parse("http://127.0.0.1:4096"), Ok(upstream("127.0.0.1", 4096, "")));
        assert_eq!(Upstream::parse("http://localhost:1/a/"), Ok(upstream("localhost", 1, "/a")));
        assert_eq!(Upstream::parse("http://[::1]"), Ok(upstream("[::1]", 80, "")));
        for same in ["127.0.0.1:4096", "4096", "http://127.0.0.1:4096/event", "127.0.0.1:4096/global/event"] {
            assert_eq!(Upstream::parse(same), Ok(upstream("127.0.0.1", 4096, "")), "{same}");
        }
        let secret = Upstream::parse("http://kilo:geheim@127.0.0.1:4096").unwrap_err();
        assert!(secret.contains("a password does not belong in an address"), "{secret}");
        assert!(!secret.contains("geheim"), "{secret}");
        for wrong in [
            "",
            "https://127.0.0.1",
            "http://example.org",
            "http://127.0.0.1.example.org",
            "http://127.0.0.1@example.org",
            "http://127.0.0.1:x",
            "http://",
        ] {
            assert!(Upstream::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_what_the_page_needs_is_passed_on() {
        for (method, path) in [
            ("GET", "event"),
            ("GET", "global/health"),
            ("POST", "permission/per_1/reply"),
            ("POST", "question/q_1/reject"),
            ("GET", "suggestion"),
            ("POST", "suggestion/sug_1/accept"),
            ("POST", "suggestion/sug_1/dismiss"),
            ("POST", "session/ses_1/permissions/per_1"),
        ] {
            assert!(is_passed(method, path), "{method} {path}");
        }
        for (method, path) in [
            ("GET", "file/content"),
            ("GET", "events"),
            ("GET", "config"),
            ("GET", "config/providers"),
            ("GET", "session/ses_1/message"),
            ("GET", "session/../file"),
            ("GET", ""),
            ("POST", "event"),
            ("POST", "session/ses_1/shell"),
            ("POST", "session/ses_1/message"),
            ("POST", "permission//reply"),
            ("POST", "suggestion/sug_1/show"),
            ("DELETE", "session/ses_1"),
        ] {
            assert!(!is_passed(method, path), "{method} {path}");
        }
    }
}
