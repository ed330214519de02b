//! `steplens view`: the page with the log open, served to this machine until Ctrl-C.
//!
//! ```text
//! http://127.0.0.1:PORT/TOKEN/             the viewer
//! http://127.0.0.1:PORT/TOKEN/logs/0/…     the first log, as it is now
//! http://127.0.0.1:PORT/TOKEN/live         its own address
//! http://127.0.0.1:PORT/TOKEN/live/…       what `--connect` names
//! ```

mod log;
mod proxy;

use crate::args::{Common, View};
use crate::error::Error;
use crate::leave::Leaving;
use crate::serve::{Request, Response, Server, Site, content_type};
use crate::{input, link, style, viewer};
use log::Log;
use proxy::Upstream;
use std::io::{self, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use steplens_core::share::percent::encode;

/// What `index.html` says where it works offline: a page of this server is not to outlive it.
const OFFLINE: &str = "<meta name=\"steplens-offline\" content=\"sw.js\">";

pub(crate) fn run(view: &View, common: &Common) -> Result<(), Error> {
    let viewer = viewer::files("view")?;
    let upstream = view.connect.as_deref().map(Upstream::parse).transpose().map_err(Error::Usage)?;
    let mut pairs = Vec::new();
    let mut logs = Vec::new();
    for (place, path) in view.files.iter().enumerate() {
        let log = Log::open(path)?;
        // The page shows the last part as the log's name.
        let name = if input::is_stdin(path) { "stdin.jsonl".to_owned() } else { input::name_of(path) };
        let key = if place == 0 { "log" } else { "also" };
        pairs.push((key, format!("logs/{place}/{}", encode(&name))));
        logs.push(log);
    }
    if view.follow || logs.iter().any(Log::is_growing) {
        pairs.push(("follow", "1".to_owned()));
    }
    link::check(common)?;
    pairs.extend(link::options(common, &Leaving::as_it_is())?);
    let server = Server::listen(view.port.unwrap_or(0)).map_err(|source| {
        Error::Usage(match source.kind() {
            io::ErrorKind::AddrInUse => {
                format!(
                    "port {} is in use; name another by `--port`, or none to take a free one",
                    view.port.unwrap_or(0)
                )
            }
            _ => format!("cannot listen on 127.0.0.1: {source}"),
        })
    })?;
    let base = server.address();
    pairs.extend(upstream.as_ref().map(|_| ("live", format!("{base}live"))));
    let address = format!("{base}#{}", link::fragment(&pairs));
    {
        let mut out = io::stdout().lock();
        writeln!(out, "{address}")?;
        out.flush()?;
    }
    if !common.quiet {
        style::note("only this machine can open it, by this address; Ctrl-C stops");
    }
    if let Some((upstream, error)) = upstream.as_ref().and_then(|upstream| Some((upstream, upstream.missing()?))) {
        let address = upstream.address();
        style::note(&format!(
            "warning: {address} does not answer ({error}); start the agent, then connect on the page"
        ));
    }
    if view.open {
        open(&address);
    }
    server.run(Viewing { viewer, logs, upstream });
    Ok(())
}

/// Has the system open an address.
fn open(address: &str) {
    let (program, args): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        // `start` is none of its own: the first quoted word would be a title.
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(args).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        style::note(&format!("no browser could be opened ({program}: {error}); open the address yourself"));
    }
}

/// What is served.
struct Viewing {
    viewer: Vec<viewer::File>,
    logs: Vec<Log>,
    upstream: Option<Upstream>,
}

impl Site for Viewing {
    fn answer(&self, request: &Request, stream: &mut TcpStream) -> io::Result<()> {
        if let (Some(path), Some(upstream)) = (request.path.strip_prefix("live/"), &self.upstream) {
            return upstream.pass(path, request, stream);
        }
        let response = if request.is_get() {
            let name = self.upstream.as_ref().filter(|_| request.path == "live").map(Upstream::address);
            if let Some(name) = name {
                return Response::text("200 OK", &name).write(stream, request.is_head());
            }
            self.file(request).unwrap_or_else(|| Response::text("404 Not Found", "There is no such file here."))
        } else {
            Response::text("405 Method Not Allowed", "Nothing here can be changed.").with("Allow", "GET, HEAD")
        };
        response.write(stream, request.is_head())
    }
}

impl Viewing {
    fn file(&self, request: &Request) -> Option<Response> {
        if let Some(rest) = request.path.strip_prefix("logs/") {
            let (place, _) = rest.split_once('/')?;
            return Some(self.logs.get(place.parse::<usize>().ok()?)?.response(request));
        }
        let name = if request.path.is_empty() { "index.html" } else { &request.path };
        let file = self.viewer.iter().find(|file| file.name == name)?;
        let mut bytes = match file.bytes() {
            Ok(bytes) => bytes,
            Err(error) => return Some(Response::text("500 Internal Server Error", &error.to_string())),
        };
        if name == "index.html"
            && let Ok(text) = std::str::from_utf8(&bytes)
        {
            bytes = text.replace(OFFLINE, "").into_bytes();
        }
        Some(Response::bytes(content_type(name), bytes))
    }
}
