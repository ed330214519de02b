//! The shell table: one simple command, looked up by the base name of its first word. Searches are
//! in `search`.

use super::Operation;
use super::options::{Arguments, Spec};
use super::place::Place;
use super::redirect::{self, Output, Streams};
use super::search;
use super::token::Redirect;
use super::word::Word;

/// What the table says of one simple command.
#[derive(Debug)]
pub(super) enum Row {
    /// It is this operation, and why.
    Is(Operation, String),
    /// It works on no file the table would know of: a program without a row, a filter, help.
    Other(String),
    /// It works on files, but on which, or how, is not certain.
    Doubt(String),
}

/// One simple command, ready to be looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    /// The base name of the first word.
    pub(super) program: &'a str,
    /// The words after the first.
    pub(super) words: &'a [Word],
    /// Where output goes and input comes from.
    pub(super) streams: Streams<'a>,
    /// The directory it runs in.
    pub(super) place: &'a Place,
    /// It reads what another command writes.
    pub(super) piped: bool,
}

/// Options of the programs that read one file. `less -o LOG` writes.
const HEAD: Spec = Spec { short: "nc", number: "", long: "lines bytes" };
const TAIL: Spec = Spec { short: "ncs", number: "", long: "lines bytes pid sleep-interval max-unchanged-stats" };
const NL: Spec = Spec {
    short: "bdfhilnsvw",
    number: "",
    long: "body-numbering section-delimiter footer-numbering header-numbering line-increment \
        join-blank-lines number-format number-separator starting-line-number number-width",
};
const LESS: Spec = Spec {
    short: "bhjkoOpPtTxyzD#",
    number: "",
    long: "buffers pattern prompt tabs window tag shift jump-target log-file LOG-FILE",
};
const BAT: Spec = Spec {
    short: "lrHm",
    number: "",
    long: "language line-range highlight-line map-syntax theme theme-dark theme-light style \
        wrap terminal-width tabs paging pager decorations color italic-text file-name \
        diff-context ignored-suffix squeeze-limit nonprintable-notation strip-ansi \
        completion",
};
const SED: Spec = Spec { short: "efl", number: "", long: "expression file line-length" };
const LS: Spec = Spec {
    short: "ITw",
    number: "",
    long: "block-size format hide ignore indicator-style quoting-style sort tabsize time \
        time-style width",
};
const TREE: Spec = Spec { short: "LPIoHT", number: "", long: "filelimit timefmt charset sort gitfile infofile" };

/// Looks up the simple command `words`, from which wrappers were taken off.
pub(super) fn find(words: &[Word], redirects: &[Redirect], place: &Place, piped: bool) -> Row {
    let Some((first, words)) = words.split_first() else {
        return Row::Other("it runs no program".to_owned());
    };
    let program = first.program();
    let look_up: fn(Call<'_>) -> Result<Row, String> = match program {
        "cat" => |call| {
            if matches!(call.streams.output, Output::File(_)) { write(call) } else { read(call, &Spec::default()) }
        },
        "head" => |call| read(call, &HEAD),
        "tail" => |call| read(call, &TAIL),
        "nl" => |call| read(call, &NL),
        "less" => |call| read(call, &LESS),
        "bat" => |call| read(call, &BAT),
        "sed" => sed,
        "echo" | "printf" => write,
        "tee" => tee,
        "ls" => |call| list(call, &LS),
        "tree" => |call| list(call, &TREE),
        // `fgrep` is not in the written table, but is `grep -F` under an old name.
        "rg" | "grep" | "egrep" | "fgrep" | "ag" => search::text,
        "git" => search::git,
        "find" => search::names,
        _ => {
            return Row::Other(format!("first word `{}` has no row in the shell table", first.shown()));
        }
    };
    let streams = redirect::streams(redirects);
    let found = streams.and_then(|streams| look_up(Call { program, words, streams, place, piped }));
    found.unwrap_or_else(Row::Doubt)
}

impl Call<'_> {
    /// An error where the output is a file, or the input one that no operand names.
    pub(super) fn check_streams(&self) -> Result<(), String> {
        if let Output::File(file) = self.streams.output {
            return Err(format!("the output of `{}` goes to `{}`", self.program, file.shown()));
        }
        if self.streams.input { Err(format!("`{}` reads a redirected file", self.program)) } else { Ok(()) }
    }

    /// A row that only prints help.
    pub(super) fn help(&self, arguments: &Arguments<'_>) -> Option<Row> {
        arguments.has(&["help", "version"]).then(|| Row::Other(format!("`{}` is asked for help", self.program)))
    }

    fn is(&self, operation: Operation, why: &str) -> Result<Row, String> {
        Ok(Row::Is(operation, format!("`{}` {why}", self.program)))
    }

    /// A read of the one file among `files`.
    fn read_one(&self, files: &[&Word], lines: Option<(u64, u64)>) -> Result<Row, String> {
        let file = match files {
            [] => {
                return Ok(Row::Other(format!("`{}` without a file operand", self.program)));
            }
            [file] if file.text == "-" => {
                return Ok(Row::Other(format!("`{}` reads its standard input", self.program)));
            }
            [file] => file,
            _ => {
                return Err(format!("`{}` with {} file operands", self.program, files.len()));
            }
        };
        self.check_streams()?;
        // Nobody sees such a read; it is a test of the file, or warms a cache.
        if matches!(self.streams.output, Output::Discarded) {
            return Err(format!("the output of `{}` is thrown away", self.program));
        }
        self.is(Operation::Read { path: self.place.path(file)?, lines }, "with one file operand")
    }
}

fn read(call: Call<'_>, spec: &Spec) -> Result<Row, String> {
    let arguments = Arguments::read(call.words, spec);
    if let Some(help) = call.help(&arguments) {
        return Ok(help);
    }
    if call.program == "less" && arguments.has(&["o", "O", "log-file", "LOG-FILE"]) {
        return Err("`less` writes a log file".to_owned());
    }
    if call.program == "bat" && arguments.has(&["build", "clear"]) {
        return Err("`bat cache` changes its cache".to_owned());
    }
    // `less +G f` and `tail +5 f`: commands that look like operands.
    let plus = matches!(call.program, "less" | "tail");
    let mut files = arguments.operands.clone();
    files.retain(|word| !(plus && word.text.starts_with('+')));
    let lines = if call.program == "head" { head_lines(&arguments) } else { None };
    call.read_one(&files, lines)
}

/// 1 to N of `head -n N`; `head -n -5` and `head -c 5` end at a line the text does not say.
fn head_lines(arguments: &Arguments<'_>) -> Option<(u64, u64)> {
    let mut lines = None;
    for (name, value) in arguments.options() {
        if matches!(name, "n" | "lines" | "#" | "c" | "bytes") {
            let count = value.filter(|_| !matches!(name, "c" | "bytes")).and_then(|value| line_number(&value.text));
            lines = count.map(|count| (1, count));
        }
    }
    lines
}

/// A line number: digits only, and not 0.
fn line_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number > 0)
}

/// `sed -n 'A,Bp' FILE`. Every other script may print anything, or, with `-i`, edits: a command. So
/// is `10,$p`: its last line is not known.
fn sed(call: Call<'_>) -> Result<Row, String> {
    let arguments = Arguments::read(call.words, &SED);
    if let Some(help) = call.help(&arguments) {
        return Ok(help);
    }
    if arguments.has(&["i", "I", "in-place"]) {
        return Err("`sed -i` edits in place".to_owned());
    }
    let scripts: Vec<&Word> = arguments.values(&["e", "expression"]).collect();
    let given = !scripts.is_empty() || arguments.has(&["f", "file"]);
    let (script, files) = match (given, arguments.operands.split_first()) {
        (true, _) => (scripts.first().copied(), arguments.operands.as_slice()),
        (false, Some((script, files))) => (Some(*script), files),
        (false, None) => (None, [].as_slice()),
    };
    if files.is_empty() {
        return Ok(Row::Other("`sed` without a file operand".to_owned()));
    }
    let single = scripts.len() <= 1 && !arguments.has(&["f", "file"]);
    let quiet = arguments.has(&["n", "quiet", "silent"]);
    let lines = script.filter(|script| single && quiet && !script.expansion).and_then(|script| sed_lines(&script.text));
    let Some(lines) = lines else {
        return Err("`sed` without `-n` and one `A,Bp` script".to_owned());
    };
    call.read_one(files, Some(lines))
}

/// The lines of `A,Bp` or `Ap`. Where B is before A, sed prints a line this does not guess.
fn sed_lines(script: &str) -> Option<(u64, u64)> {
    let range = script.trim().trim_end_matches(';').trim_end().strip_suffix('p')?;
    let (first, last) = range.split_once(',').unwrap_or((range, range));
    let (first, last) = (line_number(first.trim())?, line_number(last.trim())?);
    (first <= last).then_some((first, last))
}

/// `cat`, `echo`, `printf` with their output in a file. What they write may be anything: `cat a b >
/// c` writes `c`.
fn write(call: Call<'_>) -> Result<Row, String> {
    match call.streams.output {
        Output::File(file) => call.is(Operation::Write { path: call.place.path(file)? }, "with its output in a file"),
        Output::Shown | Output::Discarded => Ok(Row::Other(format!("`{}` without a file to write", call.program))),
    }
}

fn tee(call: Call<'_>) -> Result<Row, String> {
    let arguments = Arguments::read(call.words, &Spec::default());
    if let Some(help) = call.help(&arguments) {
        return Ok(help);
    }
    match (arguments.operands.as_slice(), call.streams.output) {
        (_, Output::File(_)) => Err("`tee` with its output in another file".to_owned()),
        ([file], _) if !redirect::is_device(file) => {
            call.is(Operation::Write { path: call.place.path(file)? }, "with one file operand")
        }
        ([] | [_], _) => Ok(Row::Other("`tee` without a file to write".to_owned())),
        (files, _) => Err(format!("`tee` with {} file operands", files.len())),
    }
}

/// `ls`, `tree`: the path is the first operand, however many there are; they are one listing.
fn list(call: Call<'_>, spec: &Spec) -> Result<Row, String> {
    let arguments = Arguments::read(call.words, spec);
    if let Some(help) = call.help(&arguments) {
        return Ok(help);
    }
    if call.program == "tree" && arguments.has(&["o"]) {
        return Err("`tree -o` writes a file".to_owned());
    }
    call.check_streams()?;
    match arguments.operands.first() {
        Some(path) => call.is(Operation::List { path: Some(call.place.path(path)?) }, "of its first operand"),
        None => call.is(Operation::List { path: call.place.here()? }, "without an operand"),
    }
}
