use super::*;

struct Got(Vec<String>);

impl Sink for Got {
    fn unit(&mut self, unit: Unit<'_>) {
        let what = match unit.what {
            What::Object(_) => "object",
            What::Malformed(_) => "malformed",
            What::ExportHead => "head",
            What::CutMessage => "cut",
        };
        let text: String = unit.text.split_whitespace().collect();
        self.0.push(format!("{}@{}+{} {what} {text}", unit.place.line, unit.place.offset, unit.place.len));
    }
}

fn frame(text: &str) -> Vec<String> {
    let mut framer = Framer::default();
    let mut got = Got(Vec::new());
    let mut offset = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        let len = body.len() as u64;
        framer.feed(TextLine { number, offset, len, text: body, verbatim: Some(0), end }, &mut got);
        offset += line.len() as u64;
    }
    framer.finish(&mut got);
    got.0
}

#[test]
fn a_line_an_object() {
    assert_eq!(
        frame("{\"a\":1}\nnoise\n{\"b\":"),
        ["1@0+7 object {\"a\":1}", "2@8+5 malformed noise", "3@14+5 malformed {\"b\":"]
    );
}

#[test]
fn several_on_a_line_and_one_on_several() {
    assert_eq!(frame("{\"a\":1}{\"b\":2}\n"), ["1@0+7 object {\"a\":1}", "1@7+7 object {\"b\":2}"]);
    assert_eq!(frame("{\n  \"a\": 1\n}\n{\n  \"b\": 2\n}"), ["1@0+12 object {\"a\":1}", "4@13+12 object {\"b\":2}"]);
    assert_eq!(frame("{\"a\":1} x\n"), ["1@0+9 malformed {\"a\":1}x"]);
}

#[test]
fn an_array_gives_its_elements() {
    assert_eq!(frame("[{\"a\":1},\n {\"b\":2}\n]\n"), ["1@1+7 object {\"a\":1}", "2@11+7 object {\"b\":2}"]);
    assert_eq!(frame("[\n  {\n    \"a\": 1\n  }\n]"), ["2@4+16 object {\"a\":1}"]);
    assert_eq!(frame("[1,2]\n"), ["1@0+5 malformed [1,2]"]);
}

#[test]
fn a_cut_object_swallows_no_other() {
    assert_eq!(
        frame("{\"a\":\n{\"type\":1}\n{\"b\":2}\n"),
        ["1@0+5 malformed {\"a\":", "2@6+10 object {\"type\":1}", "3@17+7 object {\"b\":2}"]
    );
    assert_eq!(frame("{\n  \"a\": [\n{\n  \"b\": 2\n}\n"), ["1@0+10 malformed {\"a\":[", "3@11+12 object {\"b\":2}"]);
}

#[test]
fn an_export_gives_its_messages() {
    let export = "Exporting session: s{\"info\":{\"id\":\"s\"},\"messages\":[{\"info\":{},\"parts\":[]},\n{\"info\":{},\"parts\":[{\"a\":1},{\"b\":";
    assert_eq!(
        frame(export),
        [
            "1@0+20 malformed Exportingsession:s",
            "1@20+31 head {\"info\":{\"id\":\"s\"},\"messages\":[]}",
            "1@51+22 object {\"info\":{},\"parts\":[]}",
            "2@75+27 cut {\"info\":{},\"parts\":[{\"a\":1}]}",
            "2@103+5 malformed {\"b\":",
        ]
    );
    let whole = "{\n\"info\":{},\n\"messages\":[\n{\"info\":1}\n],\n\"todos\":[{\"x\":1}]\n}\n{\"type\":\"text\"}\n";
    assert_eq!(
        frame(whole),
        [
            "1@0+25 head {\"info\":{},\"messages\":[]}",
            "4@26+10 object {\"info\":1}",
            "8@60+15 object {\"type\":\"text\"}"
        ]
    );
}

#[test]
fn a_cut_document_ends_in_one_record() {
    // Cut in a string, in a word, and behind a whole value.
    let lines = "{\n  \"a\": [\n    \"b\",\n    \"c";
    assert_eq!(frame(lines), ["1@0+26 malformed {\"a\":[\"b\",\"c"]);
    assert_eq!(frame("{\n  \"a\": tr"), ["1@0+11 malformed {\"a\":tr"]);
    assert_eq!(frame("{\n  \"a\": 1\n"), ["1@0+10 malformed {\"a\":1"]);
    // What follows a cut is no piece of it.
    assert_eq!(
        frame(&format!("{lines}Error: no space left\n{{\"d\":1}}\n")),
        ["1@0+19 malformed {\"a\":[\"b\",", "4@24+22 malformed \"cError:nospaceleft", "5@47+7 object {\"d\":1}"]
    );
}
