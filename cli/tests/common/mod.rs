//! Runs the binary as a shell would: nothing of the caller's environment decides about colour.

// Each test program uses a part of it.
#![allow(dead_code)]

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};

/// What a run of the binary left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The binary, away from the environment's own wishes.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steplens"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
        command.env_remove(name);
    }
    command
}

/// Runs the binary with these arguments and no input.
#[track_caller]
pub(crate) fn steplens(args: &[&str]) -> Ran {
    ran(command().args(args).write_stdin(""))
}

/// Runs the binary with these arguments and an input.
#[track_caller]
pub(crate) fn with_input(args: &[&str], input: &[u8]) -> Ran {
    ran(command().args(args).write_stdin(input))
}

/// Runs a command to its end. Nothing that it prints may be anything but UTF-8, and it may not panic.
#[track_caller]
pub(crate) fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(!err.contains("panicked"), "{err}");
    Ran { code: output.status.code().expect("it ended by itself"), out, err }
}

impl Ran {
    /// Its output, where it ended well and complained about nothing.
    #[track_caller]
    pub(crate) fn good(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// Its message, where it could not do its work: exit code 2, nothing on standard output.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{}", self.err);
        self.err
    }
}

/// The folder of the step stream's fixtures.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/step_stream")
}

/// The path of a fixture.
pub(crate) fn fixture(case: &str) -> String {
    let path = fixtures().join(format!("{case}.jsonl"));
    assert!(path.exists(), "{case}");
    path.display().to_string()
}

/// The names of all fixtures, in order.
pub(crate) fn cases() -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut cases: Vec<String> = fs::read_dir(fixtures())
        .unwrap()
        .map(name)
        .filter_map(|name| Some(name.strip_suffix(".jsonl")?.to_owned()))
        .collect();
    cases.sort();
    assert!(cases.len() > 100, "the fixtures are there");
    cases
}

/// A file of the test's own, which goes when the test ends.
pub(crate) struct OwnFile {
    _folder: tempfile::TempDir,
    pub(crate) path: String,
}

/// Writes a file of the test's own.
pub(crate) fn own_file(name: &str, bytes: impl AsRef<[u8]>) -> OwnFile {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    OwnFile { path: path.display().to_string(), _folder: folder }
}
