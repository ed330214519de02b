use super::inline::plain_text;
use super::*;
use proptest::prelude::*;

fn line(inlines: &[Inline]) -> String {
    let one = |inline: &Inline| match inline {
        Inline::Text(text) => text.clone(),
        Inline::Code(text) => format!("<c>{text}</c>"),
        Inline::Emphasis(inner) => format!("<e>{}</e>", line(inner)),
        Inline::Strong(inner) => format!("<s>{}</s>", line(inner)),
        Inline::Strike(inner) => format!("<d>{}</d>", line(inner)),
        Inline::Link(to, inner) => format!("<a {to}>{}</a>", line(inner)),
        Inline::Image(to, alt) => format!("<i {to}>{alt}</i>"),
        Inline::Break => "<br>".to_owned(),
    };
    inlines.iter().map(one).collect()
}

fn tree(blocks: &[Block]) -> String {
    let one = |block: &Block| match block {
        Block::Heading(level, text) => format!("h{level}({})", line(text)),
        Block::Paragraph(text) => format!("p({})", line(text)),
        Block::Code(language, text) => format!("code[{language}]({text})"),
        Block::Quote(inner) => format!("q({})", tree(inner)),
        Block::List(start, items) => {
            let item = |item: &Item| {
                let check = item.checked.map_or("", |checked| if checked { "x:" } else { "o:" });
                format!("[{check}{}]", tree(&item.blocks))
            };
            let items: String = items.iter().map(item).collect();
            start.map_or(format!("ul{items}"), |start| format!("ol{start}{items}"))
        }
        Block::Table(table) => {
            let row = |row: &Vec<Vec<Inline>>| row.iter().map(|cell| line(cell)).collect::<Vec<_>>().join(",");
            let rows: Vec<String> = table.rows.iter().map(row).collect();
            format!("t{:?}({};{})", table.align, row(&table.head), rows.join(";"))
        }
        Block::Rule => "hr".to_owned(),
    };
    blocks.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(text: &str, want: &str) {
    assert_eq!(tree(&blocks(text)), want);
}

#[test]
fn paragraphs_headings_rules() {
    check(
        "# A *b* #\n\ntext\nmore  \nbroken\n***\nB\n---\n#no",
        "h1(A <e>b</e>) p(text\nmore<br>broken) hr h2(B) p(#no)",
    );
}

#[test]
fn code() {
    check("```rust\nlet a = 1;\n\n# no\n```\nafter\n~~~\nopen", "code[rust](let a = 1;\n\n# no) p(after) code[](open)");
    check("text\n\n    indented\n      more\n\nend", "p(text) code[](indented\n  more) p(end)");
}

#[test]
fn lists() {
    check(
        "- a\n  more\n- b\n  - c\n  - d\n\n    text\n\n1. x\n2. y\nlazy\n\nend",
        "ul[p(a\nmore)][p(b) ul[p(c)][p(d) p(text)]] ol1[p(x)][p(y\nlazy)] p(end)",
    );
    check("- [ ] open\n- [x] done\n* other", "ul[o:p(open)][x:p(done)] ul[p(other)]");
    check("7) a\n8) b", "ol7[p(a)][p(b)]");
    check("- ```\n  code\n  ```", "ul[code[](code)]");
    check("in 2019. It was\n2019. not a list\n-5 no\n-no", "p(in 2019. It was\n2019. not a list\n-5 no\n-no)");
}

#[test]
fn quotes() {
    check("> a\nlazy\n> - b\n\nc", "q(p(a\nlazy) ul[p(b)]) p(c)");
}

#[test]
fn tables() {
    check("| a | b |\n|:--|--:|\n| 1 | `x|y` \\| z |\n| 2 |\n\nend", "t[Start, End](a,b;1,<c>x|y</c> | z;2,) p(end)");
    check("a | b\nno table", "p(a | b\nno table)");
}

#[test]
fn emphasis() {
    check(
        "**bold** *it* ***both*** snake_case_name __b__ _e_",
        "p(<s>bold</s> <e>it</e> <e><s>both</s></e> snake_case_name <s>b</s> <e>e</e>)",
    );
    check("2 * 3 * 4, **open, ~~gone~~ ~x~", "p(2 * 3 * 4, **open, <d>gone</d> ~x~)");
    check("`a*b*` ``x`y`` `open", "p(<c>a*b*</c> <c>x`y</c> `open)");
    check("\\*no\\* &lt;b&gt; <b>html</b> 50 % & more", "p(*no* <b> <b>html</b> 50 % & more)");
}

#[test]
fn links() {
    check(
        "[a **b**](https://x.y/(z) \"t\") [no] [x](javascript:alert(1))",
        "p(<a https://x.y/(z)>a <s>b</s></a> [no] <a javascript:alert(1)>x</a>)",
    );
    check(
        "see https://x.y/a_b?c=1&d=2. (http://z.w/) <mailto:a@b.c>",
        "p(see <a https://x.y/a_b?c=1&d=2>https://x.y/a_b?c=1&d=2</a>. (<a http://z.w/>http://z.w/</a>) <a mailto:a@b.c>mailto:a@b.c</a>)",
    );
    check("![alt *t*](https://x/y.png)", "p(<i https://x/y.png>alt t</i>)");
    check("[https://x.y](https://evil.z)", "p(<a https://evil.z>https://x.y</a>)");
}

#[test]
fn only_three_schemes_are_followed() {
    for to in ["https://x.y", "http://x", "MAILTO:a@b.c"] {
        assert!(is_safe(to), "{to}");
    }
    for to in [
        "javascript:alert(1)",
        "data:text/html,x",
        "/relative",
        "src/a.rs",
        "java\nscript:x",
        "file:///etc",
        "https://a b",
        "",
    ] {
        assert!(!is_safe(to), "{to}");
    }
}

#[test]
fn hostile_texts_end_soon() {
    for text in [
        "*a **b ".repeat(20_000),
        "[".repeat(100_000),
        "`".repeat(3) + &"``a".repeat(50_000),
        "> ".repeat(50_000),
        "- ".repeat(50_000),
        "a|b\n".repeat(20_000),
        "*a ".repeat(50_000) + &"a* ".repeat(50_000),
        "_*".repeat(50_000),
    ] {
        blocks(&text);
    }
}

proptest! {
    #[test]
    fn no_text_is_too_odd(text in "([*_~`\\[\\]()<>!#|>\\-+=:\\\\ \t\na1ä]|https://|1\\. |```|\\*\\*){0,60}") {
        blocks(&text);
    }

    #[test]
    fn words_are_never_lost(words in prop::collection::vec("[a-gi-z]{1,5}", 1..20), marks in prop::collection::vec("[*_~`\\[\\]() ]{1,3}", 20)) {
        let text: String = words.iter().zip(&marks).map(|(word, mark)| format!("{word}{mark}")).collect();
        let shown: String = plain_text(&inlines(&text)).chars().filter(|c| c.is_alphabetic()).collect();
        // The address of a link is not shown; there is none without a bracket and a parenthesis.
        if !text.contains("](") {
            prop_assert_eq!(shown, words.concat());
        }
    }
}
