//! Files that are written whole or not at all; pipes that close; shell completions.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{command, steplens};
use logs::{Folder, run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn a_file_is_written_and_an_existing_one_is_kept() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", run("ses_1"));
    let wanted = steplens(&["trace", &log]).good();
    let out = folder.at("trace.json");
    assert_eq!(steplens(&["trace", &log, "-o", &out]).good(), "");
    assert_eq!(fs::read_to_string(&out).unwrap(), wanted);
    fs::write(&out, "mine").unwrap();
    let message = format!("steplens: {out}: this file exists, and is kept; `--force` replaces it\n");
    assert_eq!(steplens(&["trace", &log, "-o", &out]).refused(), message);
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    assert_eq!(steplens(&["trace", &log, "--output", &out, "--force"]).good(), "");
    assert_eq!(fs::read_to_string(&out).unwrap(), wanted);
    assert_eq!(steplens(&["trace", &log, "-o", "-"]).good(), wanted);
    assert!(steplens(&["trace", &log, "--force"]).refused().contains("--output"));
    // Nothing is left lying about.
    assert_eq!(folder.names(), ["run.jsonl", "trace.json"]);
}

#[test]
fn check_writes_a_report_and_keeps_its_exit_code() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", run("ses_1"));
    let report = folder.at("steplens.xml");
    let ran = steplens(&["check", &log, "--no-unknown", "--format", "junit", "-o", &report]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (1, "", ""));
    assert!(fs::read_to_string(&report).unwrap().ends_with("</testsuites>\n"));
    let ran = steplens(&["check", &log, "--no-malformed", "--force", "-o", &report]);
    assert_eq!(ran.code, 0);
    assert!(fs::read_to_string(&report).unwrap().ends_with("the limit holds\n"));
}

#[test]
fn a_failure_leaves_nothing_and_takes_nothing() {
    let folder = Folder::new();
    let out = folder.write("trace.json", "mine");
    assert_eq!(steplens(&["trace", "gone.jsonl", "-o", &out, "--force"]).code, 2);
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    let log = folder.write("run.jsonl", run("ses_1"));
    let nowhere = folder.at("no/such/trace.json");
    let message = steplens(&["trace", &log, "-o", &nowhere]).refused();
    assert!(message.starts_with(&format!("steplens: {nowhere}: cannot be written: ")), "{message}");
    let message = steplens(&["trace", &log, "--force", "-o", &folder.at("")]).refused();
    assert!(message.contains("cannot be written: is a directory"), "{message}");
    assert_eq!(folder.names(), ["run.jsonl", "trace.json"]);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_device_a_device() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let log = folder.write("run.jsonl", run("ses_1"));
    let target = folder.write("target.json", "old");
    let link = folder.at("link.json");
    symlink(&target, &link).unwrap();
    assert_eq!(steplens(&["trace", &log, "-o", &link, "--force"]).good(), "");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().starts_with("{\"displayTimeUnit\""));
    // As readable as any new file, not the secret that a temporary file is.
    let mode = fs::metadata(&target).unwrap().permissions().mode() & 0o777;
    let other = fs::metadata(&log).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, other);
    assert_eq!(steplens(&["trace", &log, "-o", "/dev/null"]).good(), "");
}

/// Whoever reads the first line only is no error, whatever the command.
#[test]
fn a_pipe_that_closes_is_no_error() {
    let folder = Folder::new();
    let log: String = (0..2000).map(|number| logs::run_at(number * 5000, &format!("ses_{number}"))).collect();
    let log = folder.write("run.jsonl", log);
    for args in [
        &["events"][..],
        &["trace"],
        &["summary"],
        &["summary", "--json"],
        &["unmapped", "--json"],
        &["check", "--no-unknown", "--format", "json"],
    ] {
        let mut child = std::process::Command::new(command().get_program())
            .args(args)
            .arg(&log)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
        let broken = args.contains(&"check");
        assert!(output.status.success() || broken && output.status.code() == Some(1), "{args:?}: {}", output.status);
    }
}

/// All commands.
const COMMANDS: [&str; 16] = [
    "summary",
    "events",
    "explain",
    "unmapped",
    "rules",
    "map-test",
    "check",
    "trace",
    "compare",
    "aep",
    "redact",
    "export",
    "link",
    "site",
    "view",
    "completions",
];

#[test]
fn completions_name_every_command_and_option() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = steplens(&["completions", shell]).good();
        for word in COMMANDS.into_iter().chain(["max-cost-usd", "prices"]) {
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    assert!(
        steplens(&["completions", "tcsh"]).refused().contains("[possible values: bash, elvish, fish, powershell, zsh]")
    );
}

#[test]
fn every_command_has_a_help_with_examples() {
    let help = steplens(&["--help"]).good();
    for name in COMMANDS {
        assert!(help.contains(&format!("\n  {name} ")), "{name}");
        let text = steplens(&[name, "--help"]).good();
        assert!(text.contains("\nExamples:\n  "), "{name}: {text}");
        // Options of all commands stand under a head of their own.
        assert!(text.contains("Options of all commands:"), "{name}");
    }
}

#[test]
fn a_log_is_never_replaced_by_what_is_read_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("run.jsonl");
    let text = "{\"type\":\"text\",\"sessionID\":\"s\",\"part\":{\"id\":\"p\",\"text\":\"x\"}}\n";
    std::fs::write(&log, text).unwrap();
    for command in [&["check", "--max-tokens", "9"][..], &["trace"][..]] {
        let mut steplens = std::process::Command::new(env!("CARGO_BIN_EXE_steplens"));
        let output = steplens.args(command).arg(&log).arg("-o").arg(&log).arg("--force").output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("one of the logs that are read"), "{message}");
        assert_eq!(std::fs::read_to_string(&log).unwrap(), text);
    }
}

#[test]
fn an_error_does_not_name_the_temporary_file() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", logs::run("ses_1"));
    let message = steplens(&["trace", "-q", "-o", "/no/such/folder/trace.json", &log]).refused();
    assert!(message.starts_with("steplens: /no/such/folder/trace.json: cannot be written: No such file"), "{message}");
    assert!(!message.contains(".steplens-"), "{message}");
}
