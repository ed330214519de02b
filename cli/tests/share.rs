//! `steplens export` and `steplens site`: what is in the files that they make, and what is not.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{Ran, command, ran};
use flate2::read::GzDecoder;
use logs::Folder;
use serde_json::{Value, json};
use std::fs;
use std::io::Read;
use std::path::Path;

/// Runs the binary with the viewer of the tests.
fn steplens(args: &[&str]) -> Ran {
    let viewer = logs::viewer();
    ran(command().env("STEPLENS_VIEWER", viewer.path()).args(args).write_stdin(""))
}

/// A call that prints a token and a home directory, and one that uses the token again.
fn log() -> String {
    let call = |n: i64, command: &str| {
        logs::call((n, n + 1), "ses_1", "msg_1", "bash", json!({ "command": command }), "completed")
    };
    let print =
        call(1, "export FOO_TOKEN=abc12345678; ls /home/bob/x").replace("\"output\":\"", "\"output\":\"abc12345678 ");
    [logs::step_start(0, "ses_1", "msg_1"), print, call(3, "curl -d abc12345678 x")].concat()
}

fn base64(text: &str) -> Vec<u8> {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |sign: u8| digits.iter().position(|digit| *digit == sign).unwrap() as u32;
    let mut bytes = Vec::new();
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = four.iter().fold(0, |bits, sign| bits << 6 | digit(*sign)) << (6 * (4 - four.len()));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..four.len()]);
    }
    bytes
}

/// The logs in a page: their names as they stand there, and what they hold.
fn logs_of(page: &str) -> Vec<(String, String)> {
    let text = |(name, log)| (name, String::from_utf8(log).unwrap());
    bytes_of(page).into_iter().map(text).collect()
}

/// The same, of logs that may be no text.
fn bytes_of(page: &str) -> Vec<(String, Vec<u8>)> {
    let blocks = page.split("<script type=\"application/octet-stream\" data-log=\"").skip(1);
    let log = |block: &str| {
        let (name, data) = block.split_once("\">").unwrap();
        let mut log = Vec::new();
        GzDecoder::new(base64(data.split_once("</script>").unwrap().0).as_slice()).read_to_end(&mut log).unwrap();
        (name.to_owned(), log)
    };
    blocks.map(log).collect()
}

#[test]
fn the_page_holds_the_log_between_the_halves_of_the_viewer() {
    let folder = Folder::new();
    let (file, out) = (folder.write("a \"b\".jsonl.gz", logs::gzip(log())), folder.at("run.html"));
    let ran = steplens(&["export", &file, "-o", &out]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    let page = fs::read_to_string(&out).unwrap();
    assert!(page.starts_with("<!doctype html>\n<head><title>Steplens</title>\n<script "), "{page}");
    assert!(page.ends_with("</script>\n<!--steplens-data--></head>\n"), "{page}");
    assert_eq!(logs_of(&page), [("a &#34;b&#34;.jsonl.gz".to_owned(), log())]);
    assert!(ran.err.contains(&format!("run.html: {} B\n", page.len())), "{}", ran.err);
    assert!(ran.err.contains("nothing is masked"), "{}", ran.err);
    // The same log gives the same file, also on standard output.
    assert_eq!(steplens(&["export", &file, "-q"]).good(), page);
}

#[test]
fn how_it_is_read_goes_with_it() {
    let folder = Folder::new();
    let file = folder.write("run.jsonl", log());
    let start = |args: &[&str]| {
        let page = steplens(&[&["export", file.as_str(), "-q"], args].concat()).good();
        page.split_once("data-start=\"").map(|(_, rest)| rest.split('"').next().unwrap().replace("&#38;", "&"))
    };
    assert_eq!(start(&[]), None);
    let args = ["--dialect", "kilo", "--line", "2", "--session", "ses_1", "--extensions", "--model", "a/b"];
    assert_eq!(start(&args).unwrap(), "v=1&d=kilo&f=session:ses_1&m=a/b&x=1&e=2");
    let rules = folder.write("mine.toml", "[[rule]]\n");
    let refused = steplens(&["export", &file, "--rules", &rules, "-q"]).refused();
    assert!(refused.contains("mine.toml"), "{refused}");
    let prices = folder.write("prices.json", "{}");
    assert!(steplens(&["export", &file, "--prices", &prices]).refused().contains("--prices"));
}

#[test]
fn what_is_secret_in_one_log_is_masked_in_all() {
    let folder = Folder::new();
    let one = folder.write("one.jsonl", log());
    let text = log().replace("FOO_TOKEN=", "").replace("ses_1", "ses_2").replace("prt_", "prt_2");
    let (two, out) = (folder.write("two.jsonl", text), folder.at("run.html"));
    let ran = steplens(&["export", &two, &one, "--redact", "-o", &out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found = logs_of(&fs::read_to_string(&out).unwrap());
    assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["two.jsonl", "one.jsonl"]);
    for (name, log) in found {
        assert!(!log.contains("abc12345678") && !log.contains("bob"), "{name}: {log}");
        assert!(log.contains("[REDACTED:token]"), "{name}: {log}");
    }
    assert!(ran.err.ends_with("masked: 2 home, 6 token\n"), "{}", ran.err);
    let only_home = steplens(&["export", &one, "--redact", "--kinds", "home", "-q"]).good();
    assert_eq!(logs_of(&only_home)[0].1, log().replace("/home/bob", "~"));
    assert!(steplens(&["export", &one, "--kinds", "home"]).refused().contains("--redact"));
}

#[test]
fn without_outputs_the_events_are_the_same() {
    let folder = Folder::new();
    for case in common::cases() {
        let file = common::fixture(&case);
        let exported = steplens(&["export", &file, "--no-outputs", "-q"]);
        if exported.code != 0 {
            continue;
        }
        let stripped = folder.write(&format!("{case}.jsonl"), &bytes_of(&exported.out)[0].1);
        let events = |file: &str| {
            let events = steplens(&["events", file, "-q"]).good();
            // An unknown record shows itself.
            let known = |line: &str| {
                let mut event: Value = serde_json::from_str(line).unwrap();
                event.as_object_mut().unwrap().remove("raw");
                event
            };
            events.lines().map(known).collect::<Vec<_>>()
        };
        assert_eq!(events(&stripped), events(&file), "{case}");
    }
}

#[test]
fn outputs_are_counted_and_gone() {
    let folder = Folder::new();
    let (file, out) = (folder.write("run.jsonl", log()), folder.at("run.html"));
    let ran = steplens(&["export", &file, "--no-outputs", "-o", &out]);
    let (_, log) = &logs_of(&fs::read_to_string(&out).unwrap())[0];
    let second: Value = serde_json::from_str(log.lines().nth(1).unwrap()).unwrap();
    let original: Value = serde_json::from_str(self::log().lines().nth(1).unwrap()).unwrap();
    let length = original["part"]["state"]["output"].as_str().unwrap().len();
    assert_eq!(second["part"]["state"]["output"], format!("[output left out: {length} bytes]"));
    assert_eq!(second["part"]["state"]["input"], original["part"]["state"]["input"]);
    assert!(ran.err.contains("2 outputs were left out, "), "{}", ran.err);
}

#[test]
fn an_existing_file_is_kept() {
    let folder = Folder::new();
    let (file, out) = (folder.write("run.jsonl", log()), folder.write("run.html", "mine"));
    assert!(steplens(&["export", &file, "-o", &out]).refused().contains("--force"));
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    assert_eq!(steplens(&["export", &file, "-o", &out, "--force", "-q"]).good(), "");
    assert_eq!(logs_of(&fs::read_to_string(&out).unwrap()).len(), 1);
    assert!(steplens(&["export", &file, "-o", &file, "--force"]).refused().contains("is kept"));
    let text = folder.write("notes.txt", "no log");
    assert!(steplens(&["export", &text, "-o", &folder.at("x.html")]).refused().contains("no record recognised"));
    assert_eq!(folder.names(), ["notes.txt", "run.html", "run.jsonl"]);
}

#[test]
fn without_a_viewer_they_say_which_command_to_run() {
    let folder = Folder::new();
    let file = folder.write("run.jsonl", log());
    let (page, site, empty) = (folder.at("run.html"), folder.at("site"), Folder::new());
    for args in [["export", &file, "-o", &page], ["site", &site, &file, "-q"]] {
        let ran = ran(command().env("STEPLENS_VIEWER", empty.path()).args(args).write_stdin(""));
        let message = ran.refused();
        assert!(message.contains("cargo xtask build") && message.contains(args[0]), "{message}");
    }
    assert_eq!(folder.names(), ["run.jsonl"]);
}

#[test]
fn a_site_holds_viewer_logs_and_an_index() {
    let folder = Folder::new();
    let (one, two) =
        (folder.write("a/run.jsonl", log()), folder.write("b/run.jsonl.gz", logs::gzip(logs::run("ses_2"))));
    let site = folder.at("site");
    let ran = steplens(&["site", &site, &one, &two, "--redact", "--title", "Nightly <runs>"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(ran.err.contains("site: 2 runs") && ran.err.contains("masked: 1 home, 3 token"), "{}", ran.err);
    let read = |name: &str| fs::read_to_string(Path::new(&site).join(name)).unwrap();
    assert_eq!(read("viewer/app.js"), "// the app");
    assert!(!read("logs/run.jsonl").contains("abc12345678") && read("logs/run.jsonl").contains("[REDACTED:token]"));
    assert_eq!(read("logs/run-2.jsonl"), logs::run("ses_2"));
    let index = read("index.html");
    assert!(index.contains("<h1>Nightly &#60;runs&#62;</h1>") && !index.contains("<script"), "{index}");
    assert!(index.contains("<a href=\"viewer/#v=1&#38;log=../logs/run-2.jsonl\">run-2.jsonl</a>"), "{index}");
    let summary: Value = serde_json::from_str(&steplens(&["summary", &two, "--json"]).good()).unwrap();
    let verdict = summary["sessions"][0]["verdict"]["state"].as_str().unwrap();
    assert!(index.contains(&format!("<span class=\"verdict {verdict}\">{verdict}</span>")), "{index}");
    let calls = &summary["total"]["calls"];
    assert!(index.contains(&format!("<td class=\"number\" data-name=\"Calls\">{calls}</td>")), "{index}");
}

#[test]
fn an_index_holds_nothing_that_is_masked() {
    let folder = Folder::new();
    let error = json!({"type": "error", "timestamp": logs::START, "sessionID": "ses_3",
        "error": {"name": "APIError", "data": {"message": "refused: FOO_TOKEN=abc12345678"}}});
    let (log, site) = (folder.write("run.jsonl", format!("{error}\n")), folder.at("site"));
    steplens(&["site", &site, &log, "--redact", "-q"]).good();
    let index = fs::read_to_string(Path::new(&site).join("index.html")).unwrap();
    assert!(index.contains("refused: FOO_TOKEN=[REDACTED:token]"), "{index}");
    assert!(!index.contains("abc12345678"), "{index}");
}

#[test]
fn a_site_is_made_anew_only_in_its_own_place() {
    let folder = Folder::new();
    let (one, two) = (folder.write("one.jsonl", log()), folder.write("two.jsonl", logs::run("ses_2")));
    let site = folder.at("site");
    steplens(&["site", &site, &one, "-q"]).good();
    assert!(steplens(&["site", &site, &two]).refused().contains("--force"));
    folder.write("site/CNAME", "runs.example.org");
    steplens(&["site", &site, &two, "--force", "-q"]).good();
    let names = |at: &str| {
        let mut names: Vec<_> = fs::read_dir(folder.path().join(at)).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("site"), ["CNAME", "index.html", "logs", "viewer"]);
    assert_eq!(names("site/logs"), ["two.jsonl"]);
    folder.write("other/notes.txt", "mine");
    assert!(steplens(&["site", &folder.at("other"), &one, "--force"]).refused().contains("is kept"));
    // A log that is none leaves nothing behind.
    let text = folder.write("notes.txt", "no log");
    steplens(&["site", &folder.at("new"), &one, &text]).refused();
    assert_eq!(folder.names(), ["notes.txt", "one.jsonl", "other", "site", "two.jsonl"]);
}

#[test]
fn what_is_secret_in_one_log_leaves_neither_in_another_nor_in_a_name() {
    let secret = "abc12345678";
    let folder = Folder::new();
    let one = folder.write("one.jsonl", log());
    let text =
        logs::call((5, 6), "ses_2", "msg_2", "bash", json!({ "command": format!("echo {secret}") }), "completed");
    let two = folder.write(&format!("run-{secret}.html"), text);
    let model = format!("models/{secret}");
    let (page, site) = (folder.at("run.html"), folder.at("site"));
    let common = ["--redact", "--model", &model];
    let ran = steplens(&[["site", &site, &one, &two, "--title", secret].as_slice(), &common].concat());
    assert!(ran.err.contains("`--model` holds what is masked, and does not go along"), "{}", ran.err);
    steplens(&[["export", &one, &two, "-o", &page, "-q"].as_slice(), &common].concat()).good();
    let link = steplens(&[["link", &one, "-q"].as_slice(), &common].concat()).good();
    let mut left = vec![link, fs::read_to_string(&page).unwrap()];
    left.extend(logs_of(&left[1]).into_iter().flat_map(|(name, log)| [name, log]));
    left.push(fs::read_to_string(Path::new(&site).join("index.html")).unwrap());
    for entry in fs::read_dir(Path::new(&site).join("logs")).unwrap() {
        let path = entry.unwrap().path();
        left.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        assert!(path.extension().is_some_and(|end| end == "jsonl"), "a log is never served as a page: {path:?}");
        left.push(fs::read_to_string(path).unwrap());
    }
    for text in &left {
        assert!(!text.contains(secret), "{text}");
    }
    assert_eq!(logs_of(&left[1])[1].0.matches("REDACTED").count(), 1);
}
