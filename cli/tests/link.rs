//! `steplens link`: what is in the link, and what is not.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{Ran, command, ran};
use logs::Folder;
use serde_json::json;
use steplens_core::share::{MOST, codec::unpack};

fn steplens(args: &[&str]) -> Ran {
    ran(command().args(args).write_stdin(""))
}

fn log() -> String {
    let command = json!({ "command": "export FOO_TOKEN=abc12345678; ls /home/bob/x" });
    let call = logs::call((1, 2), "ses_1", "msg_1", "bash", command, "completed");
    [logs::step_start(0, "ses_1", "msg_1"), call].concat()
}

#[test]
fn a_link_holds_the_run() {
    let folder = Folder::new();
    let file = folder.write("my run.jsonl", log());
    let link =
        steplens(&["link", &file, "--viewer", "https://v.example/x#old", "--line", "2", "--dialect", "kilo", "-q"])
            .good();
    let (page, fragment) = link.trim_end().split_once('#').unwrap();
    assert_eq!(page, "https://v.example/x");
    let (z, rest) = fragment.strip_prefix("v=1&z=").unwrap().split_once('&').unwrap();
    assert_eq!(rest, "n=my%20run.jsonl&d=kilo&e=2");
    assert_eq!(String::from_utf8(unpack(z, MOST).unwrap()).unwrap(), log());
}

#[test]
fn what_is_masked_is_not_in_it() {
    let folder = Folder::new();
    let file = folder.write("run.jsonl", log());
    let ran = steplens(&["link", &file, "--redact"]);
    assert_eq!(ran.code, 0);
    let (link, said) = (ran.out, ran.err);
    let z = link.trim_end().strip_prefix("#v=1&z=").unwrap().split('&').next().unwrap();
    let held = String::from_utf8(unpack(z, MOST).unwrap()).unwrap();
    assert!(held.contains("FOO_TOKEN=[REDACTED:token]; ls ~/x"), "{held}");
    let length = link.trim_end().len();
    assert!(said.contains(&format!("{length} characters: fits anywhere")), "{said}");
    assert!(said.contains("masked: "), "{said}");
}

#[test]
fn a_line_that_is_not_there_is_refused() {
    let folder = Folder::new();
    let file = folder.write("run.jsonl", log());
    let said = steplens(&["link", &file, "--line", "99"]).refused();
    assert!(said.contains("`--line 99`: no record of run.jsonl begins on that line"), "{said}");
}

#[test]
fn only_an_address_of_a_page_stands_before_the_run() {
    let folder = Folder::new();
    let file = folder.write("run.jsonl", log());
    for address in ["javascript:alert(1)", "foo", ""] {
        let said = steplens(&["link", &file, "--viewer", address]).refused();
        assert!(said.contains("is no address of a page"), "{said}");
    }
}
