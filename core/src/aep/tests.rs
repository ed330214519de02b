//! The mapper over small logs: identity, order, runs, copies, times, ceilings and channels.

use super::*;
use crate::time::TimeMs;
use serde_json::{Value, json};

/// The fates of records, with the envelopes as JSON.
fn map_with(records: &[Value], settings: Settings) -> (Vec<Fate>, Mapper) {
    let moments: Vec<Moment> = records.iter().filter_map(Moment::of).collect();
    assert_eq!(moments.len(), records.len(), "every record is a moment");
    let mut survey = Survey::default();
    moments.iter().for_each(|moment| survey.see(moment));
    let mut mapper = Mapper::new(settings, survey);
    let fates = (1..).zip(&moments).map(|(line, moment)| mapper.take(moment, Place { file: 0, line })).collect();
    (fates, mapper)
}

fn events(records: &[Value]) -> Vec<Envelope> {
    events_with(records, Settings::default())
}

fn events_with(records: &[Value], settings: Settings) -> Vec<Envelope> {
    let (fates, _) = map_with(records, settings);
    let events = fates.into_iter().flat_map(|fate| match fate {
        Fate::Mapped(events) => events,
        _ => Vec::new(),
    });
    events.collect()
}

fn types(events: &[Envelope]) -> Vec<&str> {
    events.iter().map(|event| event.event_type.as_str()).collect()
}

fn bus(name: &str, properties: Value) -> Value {
    json!({"type": name, "properties": properties})
}

fn prompt(id: &str) -> Value {
    bus("message.updated", json!({"info": {"id": id, "sessionID": "s", "role": "user"}}))
}

fn idle() -> Value {
    bus("session.idle", json!({"sessionID": "s"}))
}

#[test]
fn a_prompt_opens_a_run_and_idle_closes_it() {
    let records = [
        idle(),
        prompt("m1"),
        prompt("m1"),
        prompt("m2"),
        bus("file.edited", json!({"file": "a"})),
        idle(),
        idle(),
        // The server publishes old prompts again: neither the one that opened a run nor the one that steered it does.
        prompt("m1"),
        prompt("m2"),
        prompt("m3"),
    ];
    let (fates, mapper) = map_with(&records, Settings::default());
    let suppressed: Vec<Option<&str>> = fates
        .iter()
        .map(|fate| match fate {
            Fate::Suppressed(why) => Some(*why),
            _ => None,
        })
        .collect();
    let steers = Some("a run is open: a further prompt steers it");
    let old = Some("this prompt was published before");
    let none = Some("no run is open");
    assert_eq!(suppressed, [none, None, steers, steers, None, None, none, old, old, None]);
    let events = events(&records);
    assert_eq!(types(&events), ["run.started", "x.opencode.file.edited", "run.finished", "run.started"]);
    let runs: Vec<Option<&str>> = events.iter().map(|event| event.run.as_deref()).collect();
    assert_eq!(runs, [Some("s/run/1"), Some("s/run/1"), Some("s/run/1"), Some("s/run/2")]);
    let totals = mapper.totals();
    assert_eq!((totals.moments, totals.mapped, totals.suppressed, totals.duplicates), (10, 4, 6, 0));
}

#[test]
fn what_names_no_session_is_of_the_one_before() {
    let records = [bus("server.connected", json!({})), prompt("m1"), bus("file.edited", json!({"file": "a"}))];
    let (_, mapper) = map_with(&records, Settings::default());
    let events = events(&records);
    let identity: Vec<(Option<&str>, Option<u64>, &str)> =
        events.iter().map(|event| (event.session.as_deref(), event.seq, event.source.as_str())).collect();
    let whole = "aep://local/agent/opencode/session/s";
    assert_eq!(
        identity,
        [(None, None, "aep://local/agent/opencode"), (Some("s"), Some(0), whole), (Some("s"), Some(1), whole)]
    );
    assert_eq!(mapper.totals().without_session, 1);
}

#[test]
fn what_is_absent_is_left_out() {
    let line = events(&[bus("server.connected", json!({}))])[0].to_json_line();
    assert_eq!(
        line,
        concat!(
            r#"{"aep":"0.1","id":"1-1-1","type":"x.opencode.server.connected","time":"1970-01-01T00:00:00.000Z","#,
            r#""source":"aep://local/agent/opencode","agent":"opencode","capture":"metadata","data":{}}"#
        )
    );
}

#[test]
fn copies_are_the_event_only_where_their_original_is_not() {
    let created = json!({"info": {"id": "s", "version": "1.18.33"}});
    let original = json!({"id": "evt_1", "type": "session.created", "properties": created});
    let copy = json!({"type": "sync", "syncEvent": {"id": "evt_1", "type": "session.created.1", "data": created}});
    let versioned = bus("session.created.v1", created.clone());
    let (fates, _) = map_with(&[copy.clone(), original, versioned.clone()], Settings::default());
    assert!(matches!(fates.as_slice(), [Fate::Duplicate, Fate::Mapped(_), Fate::Duplicate]), "{fates:?}");
    let (fates, mapper) = map_with(&[copy, versioned], Settings::default());
    assert!(matches!(fates.as_slice(), [Fate::Mapped(_), Fate::Duplicate]), "{fates:?}");
    assert_eq!(mapper.totals().duplicates, 1);
}

#[test]
fn an_event_that_is_sent_again_is_the_same() {
    let event = json!({"id": "evt_9", "type": "session.idle", "properties": {"sessionID": "s"}});
    let (fates, _) = map_with(&[prompt("m1"), event.clone(), event], Settings::default());
    assert!(matches!(fates.as_slice(), [Fate::Mapped(_), Fate::Mapped(_), Fate::Duplicate]), "{fates:?}");
    // Without an id, two equal events are two.
    assert_eq!(types(&events(&[prompt("m1"), idle(), prompt("m2"), idle()])).len(), 4);
}

#[test]
fn a_request_that_was_found_open_is_one_with_its_event_and_has_the_time_of_its_id() {
    let ask = json!({"id": "per_22becbf29001Fs6zd5JCTaG0jn", "sessionID": "s", "permission": "bash"});
    let event = bus("permission.asked", ask);
    let found = json!({"openAt": 1_796_033_325_447_i64, "event": event.clone()});
    let (fates, _) = map_with(&[found.clone(), event, found], Settings::default());
    let [Fate::Mapped(asked), Fate::Duplicate, Fate::Duplicate] = fates.as_slice() else { panic!("{fates:?}") };
    assert_eq!((asked[0].event_type.as_str(), asked[0].time), ("attention.requested", TimeMs(1_796_033_265_449)));
}

#[test]
fn times_come_from_the_wrapper_then_the_id_then_the_event_then_the_one_before() {
    let created = json!({"info": {"id": "s", "time": {"created": 1_796_033_265_447_i64}}});
    let records = [
        // Its id alone: the first full time of the log tells which 795 days it is of.
        json!({"id": "evt_22becbb3f001yzWJbIeiRjSAqc", "type": "server.connected", "properties": {}}),
        json!({"id": "evt_22becbf29001Fs6zd5JCTaG0jn", "type": "session.created", "properties": created}),
        bus("session.updated", json!({"info": {"id": "s", "time": {"updated": 1_796_033_265_500_i64}}})),
        idle(),
        json!({"timestamp": 1_796_033_266_000_i64, "event": prompt("m1")}),
        json!({"timestamp": "2026-11-30T10:07:47Z", "event": idle()}),
    ];
    let moments: Vec<Moment> = records.iter().filter_map(Moment::of).collect();
    let mut survey = Survey::default();
    moments.iter().for_each(|moment| survey.see(moment));
    let mut clock = clock::Clock::new(survey.first_time());
    let times: Vec<i64> = moments.iter().filter_map(|moment| clock.time_of(moment)).map(|time| time.0).collect();
    assert_eq!(
        times,
        [
            1_796_033_264_447,
            1_796_033_265_449,
            1_796_033_265_500,
            1_796_033_265_500,
            1_796_033_266_000,
            1_796_033_267_000
        ]
    );
}

#[test]
fn an_answer_names_the_ask_and_a_result_its_call() {
    let asked = bus("permission.asked", json!({"id": "per_1", "sessionID": "s", "permission": "bash"}));
    let replied = bus("permission.replied", json!({"sessionID": "s", "requestID": "per_1", "reply": "once"}));
    let input = json!({"tool": "bash", "sessionID": "s", "callID": "c"});
    let before = json!({"kind": "tool.before", "input": input, "output": {"args": {}}});
    let after = json!({"kind": "tool.after", "input": input, "output": {"output": "x"}});
    let events = events(&[asked, before, replied.clone(), after, replied]);
    let causes: Vec<Option<&str>> = events.iter().map(|event| event.cause.as_deref()).collect();
    assert_eq!(causes, [None, None, Some("1-1-1"), Some("1-2-1"), None]);
}

#[test]
fn an_old_ask_counts_only_where_no_hook_carries_it() {
    let asked = json!({"id": "per_1", "sessionID": "s", "type": "bash", "title": "ls"});
    let updated = bus("permission.updated", asked.clone());
    let hook = json!({"kind": "permission.ask", "permission": asked});
    assert_eq!(types(&events(&[updated.clone(), hook.clone()])), ["attention.requested"]);
    let alone = events(&[updated]);
    assert_eq!(
        Value::from(alone[0].data.clone()),
        json!({
            "kind": "permission",
            "prompt": "Permission requested: bash — ls",
            "options": [{"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny"}],
            "respond_via": ["control"],
        })
    );
    let (fates, _) = map_with(&[hook.clone(), hook], Settings::default());
    assert!(matches!(fates.as_slice(), [Fate::Mapped(_), Fate::Duplicate]), "a held ask is one");
}

#[test]
fn tasks_are_told_by_what_changed() {
    let todos = |list: Value| bus("todo.updated", json!({"sessionID": "s", "todos": list}));
    let one = |status: &str| json!([{"id": "t", "content": "one", "status": status}]);
    let records = [todos(one("pending")), todos(one("in_progress")), todos(one("completed")), todos(json!([]))];
    let (fates, _) = map_with(&records, Settings::default());
    assert!(matches!(fates.as_slice(), [Fate::Mapped(_), Fate::Suppressed(_), Fate::Mapped(_), Fate::Suppressed(_)]));
    let settings = Settings { capture: Capture::Redacted, ..Settings::default() };
    let events = events_with(&records, settings);
    assert_eq!(types(&events), ["progress.task.planned", "progress.task.completed"]);
    assert_eq!(events[0].subject.as_deref(), Some("t"));
    assert_eq!(Value::from(events[0].data.clone()), json!({"label": "one"}));
}

#[test]
fn fields_above_the_ceiling_are_left_out() {
    let created = bus("session.created", json!({"info": {"id": "s", "title": "T", "directory": "/w", "version": "1"}}));
    let call =
        json!({"kind": "tool.before", "input": {"tool": "bash", "sessionID": "s"}, "output": {"args": {"a": 1}}});
    let asked = bus(
        "question.asked",
        json!({"id": "q", "sessionID": "s", "questions": [{"question": "Which?", "options": [{"label": "A"}]}]}),
    );
    let other = bus("vcs.branch.updated", json!({"branch": "main"}));
    let records = [created, call, asked, other];
    let keys = |capture| -> Vec<Vec<String>> {
        let events = events_with(&records, Settings { capture, ..Settings::default() });
        events.iter().map(|event| event.data.keys().cloned().collect()).collect()
    };
    let ask = || vec!["fields", "kind", "prompt", "respond_via"];
    assert_eq!(keys(Capture::None), vec![Vec::<&str>::new(); 4]);
    assert_eq!(keys(Capture::Metadata), vec![vec!["client"], vec!["args_digest", "tool"], ask(), vec![]]);
    let texts = || vec![vec!["client", "cwd", "label"], vec!["args", "args_digest", "tool"], ask()];
    assert_eq!(keys(Capture::Redacted), [texts(), vec![vec![]]].concat());
    assert_eq!(keys(Capture::Full), [texts(), vec![vec!["properties"]]].concat());
}

#[test]
fn texts_go_through_the_redactor_unless_everything_may_be_shown() {
    let asked = bus(
        "permission.asked",
        json!({"id": "p", "sessionID": "s", "permission": "bash", "metadata": {"command": "export DB_PASSWORD=hunter22x"}}),
    );
    let prompt = |capture| {
        events_with(std::slice::from_ref(&asked), Settings { capture, ..Settings::default() })[0].data["prompt"].clone()
    };
    assert_eq!(prompt(Capture::Metadata), "Permission requested: bash — export DB_PASSWORD=[REDACTED:password]");
    assert_eq!(prompt(Capture::Full), "Permission requested: bash — export DB_PASSWORD=hunter22x");
}

#[test]
fn a_companion_emits_no_core_type_and_a_primary_no_way_to_answer() {
    let records = [
        bus("session.created", json!({"info": {"id": "s", "version": "1"}})),
        prompt("m1"),
        bus("permission.asked", json!({"id": "p", "sessionID": "s", "permission": "bash"})),
        bus("todo.updated", json!({"sessionID": "s", "todos": [{"id": "t", "status": "pending"}]})),
        bus("command.executed", json!({"name": "init", "sessionID": "s"})),
        idle(),
    ];
    let companion = events_with(&records, Settings { mode: Mode::Companion, ..Settings::default() });
    assert_eq!(
        types(&companion),
        [
            "x.opencode.session.created",
            "x.opencode.message.updated",
            "x.opencode.permission.asked",
            "x.opencode.todo.updated",
            "x.opencode.command.executed",
            "x.opencode.session.idle"
        ]
    );
    let with_data: Vec<&str> =
        companion.iter().filter(|event| !event.data.is_empty()).map(|event| event.event_type.as_str()).collect();
    assert_eq!(with_data, ["x.opencode.command.executed"]);
    assert!(companion.iter().all(|event| event.subject.is_none() && event.run.is_none()));
    let primary = events_with(&records, Settings { mode: Mode::Primary, ..Settings::default() });
    assert_eq!(
        types(&primary),
        [
            "session.started",
            "run.started",
            "attention.requested",
            "progress.task.planned",
            "x.opencode.command.executed",
            "run.finished"
        ]
    );
    let asked: Vec<&str> = primary[2].data.keys().map(String::as_str).collect();
    assert_eq!(asked, ["kind", "prompt"]);
}

/// An SSE channel of either kind sheds what it cannot carry from asks of both surfaces and from forms; what is none of it
/// stays as it is.
#[test]
fn a_channel_that_is_only_read_sheds_the_ways_to_answer() {
    let ask = json!({"id": "p", "sessionID": "s", "type": "bash", "title": "ls"});
    let form = json!({"id": "q", "sessionID": "s", "questions": [{"question": "Which?", "options": [{"label": "A"}]}]});
    let records = [
        bus("permission.updated", ask.clone()),
        json!({"kind": "permission.ask", "permission": json!({"id": "p2", "sessionID": "s", "type": "bash"})}),
        bus("question.asked", form),
        bus("session.error", json!({"sessionID": "s", "error": {"name": "X"}})),
    ];
    let of = |mode| events_with(&records, Settings { mode, ..Settings::default() });
    let keys = |event: &Envelope| event.data.keys().cloned().collect::<Vec<_>>().join(" ");
    let told = |mode| -> Vec<String> {
        of(mode).iter().map(|event| format!("{}: {}", event.event_type, keys(event))).collect()
    };
    // Beside a hook the bus event is silent in a plugin only: the SSE channel has no hook.
    assert_eq!(
        told(Mode::Plugin),
        [
            "attention.requested: kind options prompt respond_via",
            "attention.requested: fields kind prompt respond_via",
            "x.opencode.session.error: type"
        ]
    );
    assert_eq!(
        told(Mode::Primary),
        [
            "attention.requested: kind prompt",
            "attention.requested: kind prompt",
            "attention.requested: fields kind prompt",
            "x.opencode.session.error: type"
        ]
    );
    assert_eq!(
        told(Mode::Companion),
        [
            "x.opencode.permission.updated: ",
            "x.opencode.permission.ask: ",
            "x.opencode.question.asked: ",
            "x.opencode.session.error: type"
        ]
    );
}

#[test]
fn the_log_tells_its_agent_and_its_surface() {
    let of = |records: &[Value]| {
        let (_, mapper) = map_with(records, Settings::default());
        (mapper.agent(), mapper.survey().surface(), mapper.survey().evidence())
    };
    let asked = bus("permission.asked", json!({"id": "p", "sessionID": "s"}));
    let updated = bus("permission.updated", json!({"id": "p", "sessionID": "s"}));
    let kilo = bus("session.created", json!({"info": {"id": "s", "version": "7.4.11"}}));
    let opencode = bus("session.created", json!({"info": {"id": "s", "version": "1.18.33"}}));
    let turn = bus("session.turn.close", json!({"sessionID": "s", "reason": "completed"}));
    assert_eq!(of(&[kilo, asked.clone()]), (Agent::KiloCode, Surface::Bus, vec!["1 × `permission.asked`".to_owned()]));
    assert_eq!(of(&[turn]), (Agent::KiloCode, Surface::None, vec![]));
    let (agent, surface, _) = of(&[opencode, updated.clone()]);
    assert_eq!((agent, surface), (Agent::OpenCode, Surface::Hook));
    assert_eq!(of(&[updated, asked]).1, Surface::Both);
}

#[test]
fn the_published_table_of_opencode_holds() {
    let fixture = include_str!("../../../tests/fixtures/aep/opencode.json");
    let checks = conformance(&serde_json::from_str(fixture).unwrap()).unwrap();
    for check in &checks {
        assert_eq!(check.got, check.expected, "{}", check.name);
    }
    assert_eq!(checks.len(), 92);
}

#[test]
fn a_fixture_that_is_none_says_what_it_lacks() {
    assert_eq!(conformance(&json!({})).unwrap_err(), "it has no object `moments`");
    assert_eq!(
        conformance(&json!({"moments": {}})).unwrap_err(),
        "no moment names its agent in `expected.data.client.name`"
    );
}
