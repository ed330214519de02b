//! The table, command by command (in the modules below), and what must hold of any text.

mod files;
mod scripts;
mod searches;

use super::{Operation, classify};
use proptest::prelude::*;

fn read(path: &str) -> Option<Operation> {
    Some(Operation::Read { path: path.into(), lines: None })
}
fn lines(path: &str, first: u64, last: u64) -> Option<Operation> {
    Some(Operation::Read { path: path.into(), lines: Some((first, last)) })
}
fn write(path: &str) -> Option<Operation> {
    Some(Operation::Write { path: path.into() })
}
fn search(query: &str, path: &str) -> Option<Operation> {
    Some(Operation::Search { query: query.into(), path: Some(path.into()) })
}
fn search_here(query: &str) -> Option<Operation> {
    Some(Operation::Search { query: query.into(), path: None })
}
fn list(path: &str) -> Option<Operation> {
    Some(Operation::List { path: Some(path.into()) })
}
fn list_here() -> Option<Operation> {
    Some(Operation::List { path: None })
}
const COMMAND: Option<Operation> = None;

/// Every command of `table` gives its operation, under the rule of that operation, and a reason.
#[track_caller]
fn check(table: &[(&str, Option<Operation>)]) {
    let mut wrong = Vec::new();
    for (command, expected) in table {
        let found = classify(command);
        assert!(!found.reason.is_empty(), "{command:?} has no reason");
        let rule = expected.as_ref().map(Operation::rule);
        if found.operation != expected.clone().map(|it| (rule.unwrap_or(""), it)) {
            wrong.push(format!("{command:?}\n  want {expected:?}\n  have {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

#[track_caller]
fn check_directory(command: &str, directory: Option<&str>) {
    assert_eq!(classify(command).directory.as_deref(), directory, "{command:?}");
}

#[test]
fn doubtful_texts() {
    check(&[
        ("", COMMAND),
        ("   \n ", COMMAND),
        ("# only a comment", COMMAND),
        ("cat 'f", COMMAND),
        ("cat \"f", COMMAND),
        ("cat f; echo 'x", COMMAND),
        ("cat f | grep \"$(echo", COMMAND),
        ("cat f; echo `date", COMMAND),
        ("cat f; echo ${x", COMMAND),
        ("cat f; echo $'x", COMMAND),
        ("cat >", COMMAND),
        ("cat > \n", COMMAND),
        ("cat f )", read("f")),
        ("cat ab\\", read("ab\\")),
        ("&& cat f", read("f")),
        ("| ; && ||", COMMAND),
        ("cat f; echo \"${x:-it's}\"", read("f")),
        ("cat f; echo $(( (1 << 3) > 2 ))", read("f")),
        ("cat f; echo $(case x in x) echo;; esac)", COMMAND),
    ]);
}

#[test]
fn the_reason_says_why() {
    let reason = |command| classify(command).reason;
    assert_eq!(reason("cargo test"), "first word `cargo` has no row in the shell table");
    assert_eq!(reason("cat a b"), "`cat` with 2 file operands");
    assert_eq!(reason("cat src/main.rs"), "`cat` with one file operand");
    assert_eq!(reason("git status"), "`git status` has no row in the shell table");
    assert_eq!(reason("ls && rm x"), "`rm` follows, which may change files");
    assert_eq!(reason("cat a; cat b"), "another file operation follows: more than one file");
    assert_eq!(reason("cat $F"), "`$F` is no certain path: the shell changes it");
    assert_eq!(reason("cat 'f"), "a quote is not closed");
    assert_eq!(reason(""), "the command is empty");
}

/// Texts that would overflow or hang if anything nested, looked ahead or started over unbounded.
#[test]
fn long_texts_neither_overflow_nor_hang() {
    let times = 10_000;
    for part in [
        "(",
        ")",
        "{ ",
        "}",
        "$(",
        "\"$(",
        "${",
        "\"${x:-",
        "$((",
        "<(",
        "`",
        "'",
        "\"",
        "\\",
        "\\\n",
        "<<a ",
        "<<a\n",
        "1",
        "1>",
        ">&",
        "cd a && ",
        "! ",
        "a=b ",
        "sudo ",
        "bash -c ",
        "cat f; ",
        "cat f | ",
        "if ",
        "-a ",
        "find -name ",
        "\u{e9}",
        "# ",
        "\r\n",
        "echo a > f; ",
        "[",
        "{a,",
    ] {
        classify(&part.repeat(times));
        classify(&format!("cat f; {}", part.repeat(times)));
        classify(&format!("rg {}", part.repeat(times)));
    }
    let mut nested = "cat f".to_owned();
    for _ in 0..12 {
        nested = format!("bash -c '{}'", nested.replace('\'', r"'\''"));
    }
    assert_eq!(classify(&nested).operation, None);
}

fn shell_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "cat",
        "f",
        "-n",
        "40",
        " ",
        " ",
        "\n",
        "'",
        "\"",
        "\\",
        "$",
        "$(",
        ")",
        "(",
        "{",
        "}",
        "`",
        "${x",
        "$'",
        "<",
        ">",
        ">>",
        "<<EOF",
        "EOF",
        "&",
        "&&",
        "|",
        "||",
        ";",
        "#",
        "*",
        "[",
        "]",
        "~",
        "é",
        "\r\n",
        "bash -c",
        "cd a",
        "sed -n 1,2p",
        "rg -A",
        "-",
        "--",
        "--x=",
        "=",
        "A=1",
        "find . -name",
        "tee",
        "sudo",
        "env",
        "git grep",
        "!",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn plain_word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "cat",
        "head",
        "sed",
        "rg",
        "grep",
        "find",
        "ls",
        "tee",
        "echo",
        "git",
        "cargo",
        "f",
        "g",
        ".",
        "-n",
        "-40",
        "-e",
        "-A",
        "3",
        "1,2p",
        "-name",
        "*",
        "~/x",
        "--",
        "-",
        "sudo",
        "env",
        "A=1",
        "2>&1",
        "2>/dev/null",
        ">f",
        "!",
        "time",
        "bash",
        "-c",
    ])
}

proptest! {
    #[test]
    fn any_text_is_classified(text in any::<String>()) {
        prop_assert!(!classify(&text).reason.is_empty());
    }

    #[test]
    fn any_shell_like_text_is_classified(text in shell_like()) {
        let found = classify(&text);
        prop_assert!(!found.reason.is_empty());
        if let Some((rule, operation)) = found.operation {
            prop_assert_eq!(rule, operation.rule());
        }
    }

    /// A quoted name comes out as it went in, however it is spelt and however deep in shells it
    /// stands.
    #[test]
    fn quoting_is_undone(name in "[^\0\r-]\\PC{0,20}", shells in 0_usize..4) {
        let quote = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
        let mut command = format!("cat {}", quote(&name));
        for _ in 0..shells {
            command = format!("bash -lc {}", quote(&command));
        }
        prop_assert_eq!(classify(&command).operation, Some(("bash.read", read(&name).unwrap())));
        let escape = |c| if c == '\n' { "'\n'".to_owned() } else { format!("\\{c}") };
        let escaped: String = name.chars().map(escape).collect();
        let found = classify(&format!("cat {escaped}"));
        prop_assert_eq!(found.operation, Some(("bash.read", read(&name).unwrap())));
    }

    /// A filter behind a simple command changes nothing of its label.
    #[test]
    fn a_filter_changes_no_label(words in prop::collection::vec(plain_word(), 1..8)) {
        let text = words.join(" ");
        let (alone, filtered) = (classify(&text), classify(&format!("{text} | head -5")));
        prop_assert_eq!(alone.operation, filtered.operation);
    }
}
