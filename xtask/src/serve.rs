//! `cargo xtask serve`: builds the page and serves it to this machine.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};

use crate::process::{Error, Result, Workspace};
use crate::{build, http};

const FIRST_PORT: u16 = 8080;
const LAST_PORT: u16 = 8179;

/// Builds the page, then serves it until the process is ended.
pub(crate) fn run(workspace: &Workspace, port: Option<u16>) -> Result<()> {
    // Before the build, so that a port that can't be had is known at once.
    let listener = listen(port)?;
    build::page(workspace)?;
    let address =
        listener.local_addr().map_err(|error| Error::new(format!("cannot tell the server's address: {error}")))?;
    println!("Serving dist/ until Ctrl-C:");
    println!("http://{address}/");
    http::serve(&listener, &build::dist(workspace));
    Ok(())
}

/// The port asked for, or the first free one.
fn listen(port: Option<u16>) -> Result<TcpListener> {
    if let Some(port) = port {
        return TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
            Error::new(format!("cannot listen on 127.0.0.1:{port}: {error}; choose another by --port"))
        });
    }
    for port in FIRST_PORT..=LAST_PORT {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => {
                return Err(Error::new(format!("cannot listen on 127.0.0.1:{port}: {error}")));
            }
        }
    }
    Err(Error::new(format!("no port from {FIRST_PORT} to {LAST_PORT} is free; choose one by --port")))
}
