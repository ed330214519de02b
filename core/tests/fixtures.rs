//! The fixtures of the step stream: one line each. `common::check` proves what holds of every log, and compares the dump
//! of the run with the snapshot beside the log.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use std::collections::BTreeSet;
use std::fs;

macro_rules! fixtures {
    ($($case:ident: $about:literal;)*) => {
        $(
            #[test]
            fn $case() {
                common::check(stringify!($case), $about);
            }
        )*
        const CASES: &[&str] = &[$(stringify!($case)),*];
    };
}

/// Every log of the folder has its line here and its snapshot, and nothing else is in the folder.
#[test]
fn every_log_is_listed_and_has_a_snapshot() {
    if common::updating() {
        return; // Snapshots are being written at this moment.
    }
    let files: BTreeSet<String> = fs::read_dir(common::fixtures())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let wanted = CASES.iter().flat_map(|case| [format!("{case}.jsonl"), format!("{case}.txt")]).collect();
    let (missing, strays): (Vec<_>, Vec<_>) =
        (files.symmetric_difference(&wanted)).partition(|name| wanted.contains(*name));
    assert!(missing.is_empty() && strays.is_empty(), "missing: {missing:?}; without a line in this file: {strays:?}");
    let sorted: BTreeSet<&&str> = CASES.iter().collect();
    assert!(CASES.iter().eq(sorted), "the list is in order, each once");
}

fixtures! {
    agent_manager_tasks: "Several agents in one call: one event for each that has a name; without any name the call stays unknown.";
    bad_counts: "Negative, fractional and non-numeric counts count as absent, and are named; whole floats count.";
    batch_tool: "The batch tool: its children are calls of their own, written before it, each with its part id as call id.";
    blank_lines_only_between: "Blank lines are lines and no records.";
    case_apply_patch: "One write for each file that the patch names. After seed 002.";
    case_bad_lines: "Cut, blank and non-object lines: the good ones load, the bad ones are named. After delexw/claude-code-trace#66.";
    case_bash_table: "Shell commands that are file operations, and those that are not. After seed 002.";
    case_cache_read_larger: "cache.read larger than input is shown in full, never subtracted. After pingdotgg/t3code#8918.";
    case_cache_write_folds: "cache.write counts as uncached input, and is shown apart. After seed 004.";
    case_child_not_here: "A task names a child whose events are not in the file. After anomalyco/opencode#49300.";
    case_cost_zero_with_tokens: "A reported zero with tokens stays a zero, and is remarked on. After ccusage/ccusage#1348.";
    case_cut_after_tool_calls: "A last step that ended to call tools is no end of the run. After multica-ai/multica#5233.";
    case_cut_no_finish: "Text came, the last step_finish did not. After anomalyco/opencode#26855.";
    case_cut_one_line: "The stream stops after step_start: unknown is not zero. After anomalyco/opencode#29866.";
    case_dup_every_line: "Every record written twice: totals counted once, the doubles shown as duplicates. After Kilo-Org/kilocode#12505.";
    case_dup_running_then_completed: "One call written while running and again when completed is one call, with its last state. After ccusage/ccusage#901.";
    case_empty_text: "Empty text and reasoning give nothing and are consumed. After seed 000.";
    case_error_shapes: "Where the message of an error is found. After seed 000.";
    case_error_without_output: "Status error carries its text in state.error. After onyx-dot-app/onyx#12050.";
    case_exit_key_exitcode: "The exit code under its other name. After banteg/takopi#256.";
    case_exit_null: "A null exit code (timed out) is unknown, not zero.";
    case_explain_missing_field: "Why a call is unknown: the keys that were looked for, and the ones that are there. After seed 002.";
    case_explain_unmapped: "Why a call is unknown: the tool has no rule. After seed 002.";
    case_flat_shape: "Name, status and input at the top level of the line. After seed 002.";
    case_green_but_failed: "Bash exit 127 with status completed. After kenn-io/agentsview#1256.";
    case_invalid_tool: "Tool `invalid` with status completed is a failed call of the tool that was asked for. After kenn-io/agentsview#1254.";
    case_kilo_detected: "Kilo is told by its own marks.";
    case_line_separators: "U+2028 and U+2029 inside a string are no line ends; CRLF is. After talesofai/cohub#161.";
    case_lone_surrogates: "Half a surrogate pair becomes U+FFFD, the line stays. After delexw/claude-code-trace#85.";
    case_mcp_tools_kept: "Calls of tools without a rule keep their name and their place. After blpsoares/agentistics#412.";
    case_negative_duration: "An end before its start gives no duration. After newrelic-experimental/preflight#393.";
    case_no_model: "The stream names no model. After anomalyco/opencode#40544.";
    case_noise_between: "Log lines of another program between the records. After banso-labs/banso#1193.";
    case_not_dup_equal_steps: "Two steps with equal numbers and different ids are two steps.";
    case_only_error: "A file with one error line and no step.";
    case_opencode_by_default: "No mark of Kilo: OpenCode.";
    case_parallel_calls: "Two calls at once: 3 s each, 4 s of wall clock. After langflow-ai/langflow#14356.";
    case_percentiles: "Nearest-rank percentiles over ten calls.";
    case_placeholder_ids: "A redacted log that repeats one placeholder id loses nothing.";
    case_rejected: "A permission that was refused is told apart from a failure.";
    case_retry_same_message: "step_start again with the same messageID is another attempt of one step.";
    case_session_keys: "The session id under each of its three names, kept until another is named. After seed 000.";
    case_status_words: "Every status word of the seed. After seed 002.";
    case_table_kilo: "The rows that Kilo adds. After seed 000.";
    case_table_opencode: "The OpenCode tool table. After seed 002.";
    case_timestamp_wire: "The event's time is the line's own, in UTC.";
    case_two_sessions: "Two sessions in one file: totals for each and for all.";
    case_unknown_types: "Types that nobody knows stay, neutral and counted. After fullsend-ai/fullsend#6147.";
    case_usage_renamed: "A step_finish without `tokens` is unknown, never zero. After fullsend-ai/fullsend#6147.";
    case_utf8_bom: "A UTF-8 byte order mark. After jqlang/jq#2351.";
    case_verdict_aborted: "An abort by the user is its own end. After anomalyco/opencode#830.";
    case_verdict_error: "An error after the last good step: failed, with its message. After banteg/takopi.";
    case_verdict_filter_error: "Content-filter, then its error: stopped, not failed.";
    case_verdict_length: "Reason length: the answer was cut by the limit.";
    case_verdict_rejected: "A refused permission ends the run after tool-calls, exit 0: stopped, not cut. After anomalyco/opencode#39459.";
    case_verdict_stop: "Reason stop is the end.";
    child_sessions_in_file: "A parent, its child and the child's child in one file: a tree, no child is missing.";
    continued_run: "Two runs of one session in a file (`--continue`): nothing but a gap in time tells them apart.";
    control_characters: "Control characters, escapes of a terminal, bidirectional marks and line ends inside of values.";
    costs_exact: "Costs are decimal text: 0.1 + 0.2 is 0.3; tiny ones count, down to half a pico-dollar.";
    costs_missing: "Some steps report a cost and others do not: the sum is a lower bound.";
    crlf_and_bom: "A UTF-8 byte order mark and CRLF line ends, as on Windows.";
    cut_after_compaction: "Only the harness's own text follows the last step: cut, though that step ended with `stop`.";
    cut_line_inside: "A line that was cut and ended all the same (a full disk, a kill): malformed, and the next one loads.";
    cut_mid_character: "The file ends in the middle of a character: the half of it is shown as U+FFFD.";
    cut_mid_line: "The file ends in the middle of a line: what came before it loads.";
    duplicate_keys: "A key that stands twice counts with its last value, at every level.";
    empty_run_completes: "A run without text and without a call completes, and the verdict says what it lacks.";
    empty_texts: "Texts and thinking without a text give nothing and are consumed; white space is a text.";
    error_shapes_all: "Where an error's message and its code are found, in every order of preference.";
    extension_tools: "Tools that only the extension rules read, under each of their keys: unknown while those rules are off.";
    fields_in_the_part: "Name, input, status and session directly in the part, under their other spellings.";
    flat_third_party: "Third parties flatten the record: name, input and status at the top level, under their other spellings.";
    future_types: "Types that were proposed and types that nobody knows stay as they are; a type that is no string is no type.";
    huge_numbers: "Counts up to 2^64 − 1 are exact; a sum beyond stops there.";
    ids_are_of_a_type_and_session: "One part id in two sessions, and for two types, is several parts.";
    inputs_as_text: "An input that is a string holding a JSON object is read as that object; any other string is no object.";
    invalid_utf8: "Bytes that are no UTF-8: shown as U+FFFD, the record stays where it still is JSON.";
    kilo_compaction: "A compaction: an ordinary step whose text is the summary, then the text that the harness wrote itself.";
    kilo_empty_answer: "An empty answer: Kilo says so in its own words, which also tells that it is Kilo.";
    kilo_failing_calls: "Failures of many kinds in Kilo: a missing file, an unavailable tool, unreadable arguments, a timeout, an abort.";
    kilo_late_mark: "The first mark of Kilo comes late: the calls before it are read by Kilo's table all the same.";
    kilo_permission_refused: "A refused permission is the last thing of the run: stopped, not cut; Kilo says so in an error line too.";
    kilo_run_all_tools: "A run of Kilo Code with every kind of tool, nested as the command line nests it.";
    kilo_text_after_error: "The stream broke: Kilo writes the partial text after the error.";
    lone_step_finish: "A step whose start is not in the log is a step all the same.";
    lone_surrogates_everywhere: "Half a surrogate pair in a text, a key, an id, a command and a path: U+FFFD, and the line stays.";
    long_values: "Long outputs, attachments and commands: a row shows one line of them, the event has the whole.";
    no_part_ids: "Without part ids: the same message, call, status and body is a repeat; without message and time nothing is.";
    no_session: "A file whose records name no session has one without an id.";
    noise_between_records: "Log lines of another program, blank lines and plain text between the records.";
    old_stream: "An old stream: no timestamp, no `part.type`, no reason, no total.";
    opencode2_errors: "The error shapes of OpenCode 2: the code is the status.";
    opencode2_shapes: "OpenCode 2: `partID`, the call's id as `id` (which a provider may use twice), errors with a type, a type that is not released yet.";
    opencode_green_failures: "Green but failed: tools that do not exist, exit codes under both keys, also of commands that are file operations.";
    opencode_overflow_recovered: "An error is not the end where a step that began after it finishes well.";
    opencode_permission_refused: "A refused permission is the last thing of the run: stopped, not cut, although the step ended to call tools.";
    opencode_run_all_tools: "The same of OpenCode: keys in its order, no approval, no metrics; a `task` is no rule of its table.";
    parts_of_wrong_types: "Fields of unexpected JSON types count as absent; no line is refused for one.";
    parts_written_again: "A text, a thinking and an end of a step that are written again with news: the last one holds the values.";
    patch_and_skill_keys: "Every key that may hold a patch, and every key that may hold a skill's file.";
    path_keys: "Every key that may hold a path, in their order; an empty text counts as missing; a number is no path.";
    piped_text_twice: "Piped runs of autumn 2025 ended with the whole text once more, without a part.";
    placeholder_ids_over_messages: "One placeholder for every part id, over several messages: nothing is taken for a duplicate that is none.";
    pruned_calls: "Completed calls are written again when they are pruned: they stay where they stood, with the values of the last record.";
    read_lines: "Lines of a read under every key: offset and limit, start and end, a limit alone, what is not above zero.";
    reasoning_without_thinking: "Reasoning tokens are reported, and no thinking is in the log.";
    refusals_and_denials: "A rule that prevents and a dismissed question are refusals; the system's \"permission denied\" is a failure.";
    retry_six_starts_then_error: "Six starts of one message and no end: one step with six attempts, failed by its error.";
    sanitized_inputs: "An input that a sanitizer took out is said to be redacted, not to lack keys.";
    search_keys: "Every key that may hold a query or a place to search.";
    session_ids: "The session under each of its names, empty ones passed over, kept until another is named; records before it belong to it.";
    shell_operations: "Commands that are file operations keep their command and exit code; a leading cd names the folder.";
    silent_steps: "Old versions leave failed calls out of their log: a step ends to call tools and holds no call.";
    skills: "Where the file of a skill is found: named, in its folder, in the folder of the result, by its name alone.";
    start_after_finish: "A start that comes after the end of its message opens a new step; one before it is a retry.";
    status_words_any_case: "Status words are compared without regard to case; other words say neither success nor failure.";
    step_model: "Kilo names the model of a step that was routed to another one.";
    subagent_keys: "Every key that may name a subagent or its session: Kilo's rules read them, OpenCode's none.";
    task_failing: "Subagents: one failed with its session, one failed before it had one, one cannot be told, one is still running.";
    times_of_calls: "An end before its start, no end, no start, no time at all, an end in RFC 3339, overlapping calls.";
    timestamps: "A number is milliseconds, text is RFC 3339; nothing is guessed to be seconds; what is no time is left out and named.";
    todo_lists: "The todo list is the agent's own: consumed, whatever its status.";
    token_classes_missing: "A class that one step lacks and another has, and a step without tokens: sums are lower bounds.";
    token_conventions: "Reasoning beside the output and inside it, a total that fits neither: sums are of what is reported.";
    tools_without_a_rule: "Tools without a rule keep their name and their row; names are grouped as written.";
    triples_of_states: "Pending, running, completed: one call each, at the line of its first finished state; one never finished.";
    two_sessions_interleaved: "Two sessions, of the two command lines, line by line in one file: each is its own, with its own dialect.";
    verdict_errors_recovered: "When an error is recovered: only by a step that begins after it and ends well.";
    verdict_of_every_error: "One session for each kind of error that can be the last word.";
    verdict_of_every_reason: "One session for each reason that a last step can end with.";
}
