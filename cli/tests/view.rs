//! `steplens view`: what it serves, to whom, and what it passes on.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{command, ran};
use logs::Folder;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, Command, Stdio};

/// A running `steplens view`, ended with the test.
struct Viewing {
    child: Child,
    _viewer: Folder,
    /// `127.0.0.1:PORT`.
    host: String,
    /// `/TOKEN/`.
    base: String,
    fragment: String,
    stdin: Option<ChildStdin>,
}

impl Drop for Viewing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts it, and waits for its address.
fn view(args: &[&str]) -> Viewing {
    let viewer = logs::viewer();
    let offline = "<meta name=\"steplens-offline\" content=\"sw.js\">";
    viewer.write("index.html", format!("<head>{offline}<title>Steplens</title></head>"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_steplens"))
        .arg("view")
        .args(args)
        .env("STEPLENS_VIEWER", viewer.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (address, fragment) = line.trim_end().split_once('#').unwrap();
    let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let stdin = child.stdin.take();
    Viewing {
        child,
        _viewer: viewer,
        host: host.to_owned(),
        base: format!("/{path}"),
        fragment: fragment.to_owned(),
        stdin,
    }
}

impl Viewing {
    /// The answer to a request: its status, its head, its body.
    fn ask(&self, line: &str, headers: &str, body: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let host = if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.host) };
        write!(stream, "{line} HTTP/1.1\r\n{host}{headers}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_owned(), body.to_owned())
    }

    fn get(&self, path: &str, headers: &str) -> (u16, String, String) {
        self.ask(&format!("GET {}{path}", self.base), headers, "")
    }
}

#[test]
fn the_page_and_the_log_as_it_is_now() {
    let folder = Folder::new();
    let log = folder.write("my run.jsonl", logs::run("ses_1"));
    let viewing = view(&[&log, "--follow", "--dialect", "kilo"]);
    assert_eq!(viewing.fragment, "v=1&log=logs/0/my%2520run.jsonl&follow=1&d=kilo");
    let (status, head, body) = viewing.get("", "");
    assert_eq!((status, body.as_str()), (200, "<head><title>Steplens</title></head>"));
    assert!(head.contains("Content-Type: text/html; charset=utf-8"), "{head}");
    assert!(head.contains("frame-ancestors 'none'") && head.contains("nosniff"), "{head}");
    assert_eq!(viewing.get("app.js", "").2, "// the app");
    let (status, head, body) = viewing.get("logs/0/my%20run.jsonl", "");
    assert_eq!((status, body.as_str()), (200, logs::run("ses_1").as_str()));
    assert!(head.contains("Accept-Ranges: bytes"), "{head}");
    // What is appended is there at the next request.
    let size = body.len();
    let mut file = fs::File::options().append(true).open(&log).unwrap();
    let range = format!("Range: bytes={size}-\r\n");
    assert_eq!(viewing.get("logs/0/x", &range).0, 204);
    assert_eq!(viewing.get("logs/0/x", &format!("Range: bytes={}-\r\n", size + 1)).0, 416);
    file.write_all(b"{\"more\":1}\n").unwrap();
    let (status, head, body) = viewing.get("logs/0/x", &range);
    assert_eq!((status, body.as_str()), (206, "{\"more\":1}\n"));
    assert!(head.contains(&format!("Content-Range: bytes {size}-{}/{}", size + 10, size + 11)), "{head}");
    let (status, head, body) = viewing.ask(&format!("HEAD {}logs/0/x", viewing.base), "", "");
    assert!(head.contains(&format!("Content-Length: {}", size + 11)), "{head}");
    assert_eq!((status, body.as_str()), (200, ""));
    for path in ["logs/1/x", "logs/0", "logs/../index.html", "nothing", "live/event"] {
        assert_eq!(viewing.get(path, "").0, 404, "{path}");
    }
    // It goes on when the log is gone, and says so.
    fs::remove_file(&log).unwrap();
    let (status, _, body) = viewing.get("logs/0/x", "");
    assert!(status == 404 && body.contains("The log is gone"), "{body}");
}

#[test]
fn no_other_site_is_answered() {
    let folder = Folder::new();
    let viewing = view(&[&folder.write("run.jsonl", logs::run("ses_1"))]);
    let path = format!("GET {}logs/0/run.jsonl", viewing.base);
    assert_eq!(viewing.ask(&path, "", "").0, 200);
    assert_eq!(viewing.ask(&path, "Host: evil.example\r\n", "").0, 403);
    assert_eq!(viewing.ask(&path, "Origin: https://evil.example\r\n", "").0, 403);
    assert_eq!(viewing.ask("GET /logs/0/run.jsonl", "", "").0, 404);
    assert_eq!(viewing.ask(&path.replace("GET", "POST"), "", "").0, 403);
    let own = format!("Origin: http://{}\r\n", viewing.host);
    assert_eq!(viewing.ask(&path.replace("GET", "POST"), &own, "").0, 405);
}

#[test]
fn standard_input_is_served_as_far_as_it_came() {
    let mut viewing = view(&["-"]);
    assert_eq!(viewing.fragment, "v=1&log=logs/0/stdin.jsonl&follow=1");
    let mut stdin = viewing.stdin.take().unwrap();
    let mut size = 0;
    for text in ["{\"a\":1}\n", "{\"b\":2}\n"] {
        stdin.write_all(text.as_bytes()).unwrap();
        stdin.flush().unwrap();
        // It is kept by another thread: asked for until it is there.
        let range = format!("Range: bytes={size}-\r\n");
        let body = std::iter::repeat_with(|| viewing.get("logs/0/x", &range)).find(|(status, _, _)| *status == 206);
        assert_eq!(body.unwrap().2, text);
        size += text.len();
    }
    assert_eq!(viewing.get("logs/0/x", "").2, "{\"a\":1}\n{\"b\":2}\n");
    // The page that is opened first waits for the first bytes.
    let mut viewing = view(&["-"]);
    let mut stdin = viewing.stdin.take().unwrap();
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| viewing.get("logs/0/x", ""));
        stdin.write_all(b"{\"c\":3}\n").unwrap();
        assert_eq!(asked.join().unwrap().2, "{\"c\":3}\n");
    });
    // There may be none.
    let mut viewing = view(&["-"]);
    drop(viewing.stdin.take());
    assert_eq!(viewing.get("logs/0/x", "").2, "");
}

#[test]
fn a_server_of_a_harness_is_passed_on() {
    let upstream = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", upstream.local_addr().unwrap());
    let viewing = view(&["--connect", &address]);
    // Once it was looked whether anybody answers.
    upstream.accept().unwrap();
    // Its own address is told to the page: the other one holds the key.
    assert_eq!(viewing.get("live", "").2.trim(), address);
    let live = format!("http%3A//{}{}live", viewing.host, viewing.base).replace("http%3A", "http:");
    assert_eq!(viewing.fragment, format!("v=1&live={live}"));
    let own = format!("Origin: http://{}\r\nAuthorization: Basic eDp5\r\nCookie: a=b\r\n", viewing.host);
    let path = format!("{}live/permission/per_1/reply", viewing.base);
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| viewing.ask(&format!("POST {path}?directory=x"), &own, "{\"reply\":\"once\"}"));
        let (mut stream, _) = upstream.accept().unwrap();
        let mut request = vec![0; 4096];
        let mut read = 0;
        while !request[..read].ends_with(b"}") {
            read += stream.read(&mut request[read..]).unwrap();
        }
        let request = String::from_utf8_lossy(&request[..read]).into_owned();
        assert!(request.starts_with("POST /permission/per_1/reply?directory=x HTTP/1.1\r\n"), "{request}");
        assert!(
            request.contains("authorization: Basic eDp5\r\n") && request.ends_with("{\"reply\":\"once\"}"),
            "{request}"
        );
        assert!(!request.to_lowercase().contains("origin:") && !request.contains("a=b"), "{request}");
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue").unwrap();
        drop(stream);
        assert_eq!(asked.join().unwrap().2, "true");
    });
    // An event is passed on when it happens, not when the stream ends.
    let mut client = TcpStream::connect(&viewing.host).unwrap();
    write!(client, "GET {}live/event HTTP/1.1\r\nHost: {}\r\n\r\n", viewing.base, viewing.host).unwrap();
    let (mut stream, _) = upstream.accept().unwrap();
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n").unwrap();
    let mut lines = BufReader::new(client).lines();
    assert_eq!(lines.find(|line| line.as_ref().unwrap().starts_with("data")).unwrap().unwrap(), "data: 1");
    stream.write_all(b"data: 2\n").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "data: 2");
    // Nothing else is, and nothing without the page's own origin.
    assert_eq!(viewing.get("live/file/content", "").0, 403);
    assert_eq!(viewing.ask(&format!("POST {path}"), "", "{}").0, 403);
    assert_eq!(viewing.ask(&format!("POST {}live/session/s/shell", viewing.base), &own, "{}").0, 403);
    drop((upstream, stream));
    let (status, _, body) = viewing.get("live/event", "");
    assert!(status == 502 && body.contains(&address), "{body}");
}

#[test]
fn a_server_that_does_not_answer_is_told_at_the_start() {
    let viewer = logs::viewer();
    viewer.write("index.html", "");
    let mut child = Command::new(env!("CARGO_BIN_EXE_steplens"))
        .args(["view", "--connect", "127.0.0.1:1"])
        .env("STEPLENS_VIEWER", viewer.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let told = lines.map_while(Result::ok).find(|line| line.contains("warning")).unwrap();
    assert!(told.starts_with("steplens: warning: http://127.0.0.1:1 does not answer ("), "{told}");
    assert!(told.ends_with("); start the agent, then connect on the page"), "{told}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_cannot_be_served_is_refused_at_once() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", logs::run("ses_1"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let viewer = logs::viewer();
    let refused = |args: &[&str]| {
        let viewer = viewer.path();
        ran(command().env("STEPLENS_VIEWER", viewer).arg("view").args(args).write_stdin("")).refused()
    };
    assert!(refused(&[&log, "--port", &port]).contains("is in use"));
    assert!(refused(&[&folder.at("none.jsonl")]).contains("there is no such file"));
    assert!(refused(&[&folder.at("")]).contains("this is a folder"));
    assert!(refused(&["--connect", "http://example.org"]).contains("only a server on this machine"));
    let secret = refused(&["--connect", "http://kilo:geheim@127.0.0.1:4096"]);
    assert!(secret.contains("a password does not belong in an address") && !secret.contains("geheim"), "{secret}");
    assert!(refused(&[]).contains("<FILE>"));
}
