//! Builds, serves and tests Steplens, starting from a machine with only Rust and Node.
//!
//! `main.rs` reads the command; `tools.rs` and `browser.rs` install what is missing; `build.rs`,
//! `serve.rs` and `test.rs` are the commands. Only std is used, so that this starts at once.

mod bench;
mod browser;
mod build;
mod http;
mod prices;
mod process;
mod serve;
mod test;
mod tools;
mod traces;

use std::process::ExitCode;

use process::{Error, Result};

const HELP: &str = "\
Builds, serves and tests Steplens. Installs what is missing into target/tools and node_modules.

Usage: cargo xtask <command> [options]

Commands:
  build               the page into dist/, and the command line into target/release/steplens
  serve [--port N]    builds the page and serves it on 127.0.0.1 (port 8080, or the next free one)
                      until Ctrl-C; it doesn't watch the sources: start it again after a change
  test [--only NAME]  runs all checks, or the named ones (--only may be repeated)
  bench [--quick] [--no-build]
                      measures the page and the command line, and writes docs/benchmarks.md
  prices [--check]    makes core/data/prices.json of a pinned PyPI package (needs python3 with pip)
  conformance FIXTURE checks the AEP mapping against a fixture of it, a line a check
  help                prints this

Checks, in their order:
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["build"] => build::all(&process::Workspace::find()?),
        ["serve", options @ ..] => serve::run(&process::Workspace::find()?, port(options)?),
        ["test", options @ ..] => test::run(&process::Workspace::find()?, &only(options)?),
        ["bench", options @ ..] => bench::run(&process::Workspace::find()?, options),
        ["conformance", fixture] => conformance(&process::Workspace::find()?, fixture),
        ["conformance", ..] => Err(Error::new("conformance: it takes one fixture, a JSON file")),
        ["prices", options @ ..] => prices::make(&process::Workspace::find()?, options),
        ["help" | "-h" | "--help"] | [_, "-h" | "--help"] => {
            print!("{HELP}{}", test::list());
            Ok(())
        }
        [] => Err(Error::new(format!("no command given\n\n{HELP}{}", test::list()))),
        [other, ..] => Err(Error::new(format!(
            "`cargo xtask {other}` isn't a command, or takes no such options; \
             `cargo xtask help` lists what there is"
        ))),
    }
}

/// Checks a fixture of the AEP mapping. A program of its own does it, as xtask itself uses only std.
fn conformance(workspace: &process::Workspace, fixture: &str) -> Result<()> {
    let fixture = std::path::absolute(fixture).map_err(|error| Error::new(format!("{fixture}: {error}")))?;
    let fixture = fixture.to_string_lossy();
    let package = ["run", "--quiet", "--locked", "--package", "steplens-core", "--example", "conformance", "--"];
    let mut command = workspace.command("cargo", &package);
    process::run(command.arg(&*fixture))
}

fn port(options: &[&str]) -> Result<Option<u16>> {
    let text = match options {
        [] => return Ok(None),
        ["--port", text] => text,
        [text] => text
            .strip_prefix("--port=")
            .ok_or_else(|| Error::new(format!("serve: `{text}` isn't an option; there is --port N")))?,
        _ => return Err(Error::new("serve: the only option is --port N")),
    };
    match text.parse() {
        Ok(port) => Ok(Some(port)),
        Err(_) => Err(Error::new(format!("serve: `{text}` isn't a port: a number from 0 to 65535"))),
    }
}

fn only<'a>(mut options: &[&'a str]) -> Result<Vec<&'a str>> {
    let mut names = Vec::new();
    loop {
        options = match options {
            [] => return Ok(names),
            ["--only", name, rest @ ..] => {
                names.push(*name);
                rest
            }
            [option, rest @ ..] => {
                let name = option
                    .strip_prefix("--only=")
                    .ok_or_else(|| Error::new(format!("test: `{option}` isn't an option; there is --only NAME")))?;
                names.push(name);
                rest
            }
        };
    }
}
