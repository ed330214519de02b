//! A small HTTP server for this machine alone: HTTP/1.1, one request a connection, a thread each.
//!
//! It listens on 127.0.0.1. A page of another site could still have the browser ask it: so the `Host` has to be this
//! server's own, as a name that somebody made point here is another one; an `Origin` has to be its own; and every path
//! begins with a random token, which only the address that was printed holds.

mod request;
mod response;

pub(crate) use request::{Request, Wanted};
pub(crate) use response::{Response, content_type};

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// How long a client may take for its request.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that listens, and does not answer yet.
pub(crate) struct Server {
    listener: TcpListener,
    port: u16,
    token: String,
}

/// What answers: the request's path is that behind the token. It writes the answer itself where that has no end.
pub(crate) trait Site: Send + Sync + 'static {
    /// Answers a request that came from this server's own page, or from the address bar.
    fn answer(&self, request: &Request, stream: &mut TcpStream) -> io::Result<()>;
}

impl Server {
    /// Listens on a port of 127.0.0.1; 0 takes a free one.
    ///
    /// # Errors
    /// The port is taken, or the system gives no random bytes.
    pub(crate) fn listen(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Server { listener, port, token })
    }

    /// The address of the site: it ends with a slash.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Answers until the process ends.
    pub(crate) fn run(self, site: impl Site) {
        let (site, guard) = (Arc::new(site), Arc::new(Guard { port: self.port, token: self.token }));
        for stream in self.listener.incoming().flatten() {
            let (site, guard) = (site.clone(), guard.clone());
            // A client that goes away in the middle is no fault of ours.
            thread::spawn(move || drop(guard.answer(stream, site.as_ref())));
        }
    }
}

/// Who may ask.
struct Guard {
    port: u16,
    token: String,
}

impl Guard {
    fn answer(&self, mut stream: TcpStream, site: &impl Site) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut request = match Request::read(&mut stream) {
            Ok(request) => request,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Response::text("400 Bad Request", &error.to_string()).write(&mut stream, false);
            }
            Err(error) => return Err(error),
        };
        match self.refusal(&request) {
            Some(refusal) => refusal.write(&mut stream, request.is_head())?,
            None => {
                let prefix = self.token.len() + 2;
                request.path.drain(..prefix.min(request.path.len()));
                site.answer(&request, &mut stream)?;
            }
        }
        stream.flush()
    }

    /// Why a request is not answered; none where it is.
    fn refusal(&self, request: &Request) -> Option<Response> {
        let is_own = |host: &str| {
            [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)].iter().any(|own| own == host)
        };
        if !request.header("host").is_some_and(is_own) {
            return Some(Response::text("403 Forbidden", "This server answers to its own address only."));
        }
        let origin = request.header("origin");
        let is_own_origin = origin.is_some_and(|origin| origin.strip_prefix("http://").is_some_and(is_own));
        if origin.is_some() && !is_own_origin {
            return Some(Response::text("403 Forbidden", "This server answers to no other site."));
        }
        // What changes something comes from the page itself: browsers say so.
        if !request.is_get() && !is_own_origin {
            return Some(Response::text("403 Forbidden", "This request has to come from the page."));
        }
        let is_inside = request.path.strip_prefix('/').and_then(|path| path.strip_prefix(self.token.as_str()));
        if !is_inside.is_some_and(|path| path.starts_with('/')) {
            let why = "Open the whole address that `steplens view` printed: it holds a key.";
            return Some(Response::text("404 Not Found", why));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_itself_is_answered() {
        let guard = Guard { port: 8080, token: "abc".to_owned() };
        let status = |line: &str, headers: &str| {
            let text = format!("{line} HTTP/1.1\r\n{headers}\r\n");
            let request = Request::read(&mut text.as_bytes()).unwrap();
            guard.refusal(&request).map_or("", |response| response.status())
        };
        let own = "Host: 127.0.0.1:8080\r\n";
        assert_eq!(status("GET /abc/", own), "");
        assert_eq!(status("GET /abc/x.js", "host: localhost:8080\r\n"), "");
        // A name that somebody made point here.
        assert_eq!(status("GET /abc/", "Host: evil.example:8080\r\n"), "403 Forbidden");
        assert_eq!(status("GET /abc/", "Host: 127.0.0.1:8081\r\n"), "403 Forbidden");
        assert_eq!(status("GET /abc/", ""), "403 Forbidden");
        // Another page.
        assert_eq!(status("GET /abc/", &format!("{own}Origin: https://evil.example\r\n")), "403 Forbidden");
        assert_eq!(status("GET /abc/", &format!("{own}Origin: null\r\n")), "403 Forbidden");
        assert_eq!(status("POST /abc/live/x", &format!("{own}Origin: http://127.0.0.1:8080\r\n")), "");
        assert_eq!(status("POST /abc/live/x", own), "403 Forbidden");
        // Without the key.
        for path in ["/", "/index.html", "/abcd/", "/abc", "/ab/", "//abc/"] {
            assert_eq!(status(&format!("GET {path}"), own), "404 Not Found", "{path}");
        }
    }
}
