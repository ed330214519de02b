//! A small file server: GET and HEAD of the files of one folder, for one's own machine only.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The longest request that is read, with its headers.
const REQUEST_LIMIT_BYTES: u64 = 64 * 1024;

/// Answers requests until the process ends.
pub(crate) fn serve(listener: &TcpListener, folder: &Path) {
    for stream in listener.incoming().flatten() {
        let folder = folder.to_path_buf();
        // A client that goes away in the middle is no fault of ours.
        thread::spawn(move || drop(answer(stream, &folder)));
    }
}

struct Response {
    status: &'static str,
    content_type: &'static str,
    body: Vec<u8>,
}

impl Response {
    fn text(status: &'static str) -> Self {
        Self { status, content_type: "text/plain; charset=utf-8", body: status.as_bytes().to_vec() }
    }
}

fn answer(mut stream: TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut lines = BufReader::new(stream.try_clone()?.take(REQUEST_LIMIT_BYTES)).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    // The headers change nothing, but have to be read before an answer is sent.
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let (head_only, response) = respond(&request, folder);
    let length = response.body.len();
    let Response { status, content_type, body } = response;
    write!(
        stream,
        "HTTP/1.1 {status}\r\n\
         Content-Type: {content_type}\r\n\
         Content-Length: {length}\r\n\
         Cache-Control: no-cache\r\n\
         Content-Security-Policy: frame-ancestors 'none'\r\n\
         X-Content-Type-Options: nosniff\r\n\
         Connection: close\r\n\r\n"
    )?;
    if !head_only {
        stream.write_all(&body)?;
    }
    stream.flush()
}

/// The answer to a request's first line, and whether its body stays away.
fn respond(request: &str, folder: &Path) -> (bool, Response) {
    let mut words = request.split_whitespace();
    let (method, target) = (words.next(), words.next());
    let head_only = method == Some("HEAD");
    let response = match (method, target) {
        (Some("GET" | "HEAD"), Some(target)) => match file(target, folder) {
            Some(path) => match fs::read(&path) {
                Ok(body) => Response { status: "200 OK", content_type: content_type(&path), body },
                Err(_) => Response::text("404 Not Found"),
            },
            None => Response::text("404 Not Found"),
        },
        (Some(_), Some(_)) => Response::text("405 Method Not Allowed"),
        _ => Response::text("400 Bad Request"),
    };
    (head_only, response)
}

/// The file that a request's target names, never outside the folder.
fn file(target: &str, folder: &Path) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?;
    let path = decode(path)?;
    let relative = Path::new(path.strip_prefix('/')?);
    let inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
    let found = folder.join(relative).canonicalize().ok()?;
    // The second check is for links that lead out.
    if !inside || !found.starts_with(folder.canonicalize().ok()?) {
        return None;
    }
    Some(if found.is_dir() { found.join("index.html") } else { found })
}

/// Decodes `%41`; `None` if that gives no text.
fn decode(path: &str) -> Option<String> {
    let mut bytes = path.bytes();
    let mut decoded = Vec::with_capacity(path.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let value = digit(bytes.next())? * 16 + digit(bytes.next())?;
            u8::try_from(value).ok()?
        } else {
            byte
        });
    }
    let text = String::from_utf8(decoded).ok()?;
    (!text.contains(['\0', '\\'])).then_some(text)
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("woff2") => "font/woff2",
        Some("jsonl" | "txt" | "log") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Status and type of the answer to a request line, in this package's folder.
    fn check(request: &str, status: &str, content_type: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (head_only, response) = respond(request, folder);
        assert_eq!((response.status, response.content_type), (status, content_type), "{request}");
        assert_eq!(head_only, request.starts_with("HEAD"));
    }

    #[test]
    fn serves_files_of_the_folder_only() {
        const TEXT: &str = "text/plain; charset=utf-8";
        let octets = "application/octet-stream";
        check("GET /Cargo.toml HTTP/1.1", "200 OK", octets);
        check("GET /src/main%2Ers?x=1 HTTP/1.1", "200 OK", octets);
        check("HEAD /src/main.rs HTTP/1.1", "200 OK", octets);
        check("GET / HTTP/1.1", "404 Not Found", TEXT);
        check("GET /../Cargo.toml HTTP/1.1", "404 Not Found", TEXT);
        check("GET /src/../Cargo.toml HTTP/1.1", "404 Not Found", TEXT);
        check("GET /%2e%2e/Cargo.toml HTTP/1.1", "404 Not Found", TEXT);
        check("GET //etc/passwd HTTP/1.1", "404 Not Found", TEXT);
        check("GET /%zz HTTP/1.1", "404 Not Found", TEXT);
        check("POST / HTTP/1.1", "405 Method Not Allowed", TEXT);
        check("", "400 Bad Request", TEXT);
    }

    #[test]
    fn knows_the_types_that_browsers_insist_on() {
        let of = |name: &str| content_type(Path::new(name));
        assert_eq!(of("a.wasm"), "application/wasm");
        assert_eq!(of("a.js"), "text/javascript; charset=utf-8");
        assert_eq!(of("a.css"), "text/css; charset=utf-8");
        assert_eq!(of("a.svg"), "image/svg+xml");
    }
}
