//! The guides and the changelog.
//!
//! A guide is a Markdown file of `templates/docs/guides`: a title, one paragraph with its purpose, and the rest. A
//! block `<!-- programs: NAME -->` is replaced by the same program in several languages. The end-to-end tests run these
//! program files unchanged.

use std::sync::LazyLock;

use askama::Template;
use axum::response::Response;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

use super::{Around, page};

/// A program in one language.
struct Program {
    language: &'static str,
    /// The name under which the tests run it.
    file: &'static str,
    text: &'static str,
}

macro_rules! programs {
    ($($language:literal $folder:literal $file:literal),* $(,)?) => {
        &[$(Program {
            language: $language,
            file: $file,
            text: include_str!(concat!("../../templates/", $folder, "/", $file)),
        }),*]
    };
}

const PROGRAMS: [(&str, &[Program]); 6] = [
    (
        "first-invoice",
        programs![
            "curl" "docs/examples" "first-invoice.sh",
            "Python" "docs/examples" "first_invoice.py",
            "TypeScript" "docs/examples" "first-invoice.ts",
            "Java" "docs/examples" "FirstInvoice.java",
            "C#" "docs/examples" "FirstInvoice.cs",
        ],
    ),
    (
        "connect",
        programs![
            "curl" "docs/examples" "connect.sh",
            "Python" "docs/examples" "connect.py",
            "TypeScript" "docs/examples" "connect.ts",
            "Java" "docs/examples" "Connect.java",
            "C#" "docs/examples" "Connect.cs",
        ],
    ),
    (
        "webhook",
        programs![
            "curl" "docs/examples" "webhook.sh",
            "Python" "docs/examples" "webhook.py",
            "TypeScript" "docs/examples" "webhook.ts",
            "Java" "docs/examples" "Webhook.java",
            "C#" "docs/examples" "Webhook.cs",
        ],
    ),
    (
        "verify",
        programs![
            "Python" "verify" "verify.py",
            "JavaScript" "verify" "verify.mjs",
            "Java" "verify" "WebhookVerifier.java",
            "C#" "verify" "WebhookVerifier.cs",
            "Go" "verify" "verify.go",
            "Rust" "verify" "verify.rs",
        ],
    ),
    (
        "credit-note",
        programs![
            "curl" "docs/examples" "credit-note.sh",
            "Python" "docs/examples" "credit_note.py",
            "TypeScript" "docs/examples" "credit-note.ts",
            "Java" "docs/examples" "CreditNote.java",
            "C#" "docs/examples" "CreditNote.cs",
        ],
    ),
    (
        "errors",
        programs![
            "curl" "docs/examples" "errors.sh",
            "Python" "docs/examples" "errors.py",
            "TypeScript" "docs/examples" "errors.ts",
            "Java" "docs/examples" "Errors.java",
            "C#" "docs/examples" "Errors.cs",
        ],
    ),
];

/// A guide.
struct Guide {
    /// The last part of its path `/docs/guides/NAME`.
    name: &'static str,
    title: String,
    about: String,
    parts: Vec<Part>,
}

/// A part of a guide, in order.
enum Part {
    /// HTML.
    Prose(String),
    /// Commands or a body, to be copied.
    Code {
        id: String,
        text: String,
    },
    Programs(&'static [Program]),
}

macro_rules! guides {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../templates/docs/guides/", $name, ".md")))),*]
    };
}

static GUIDES: LazyLock<Vec<Guide>> = LazyLock::new(|| {
    let texts = guides![
        "first-invoice",
        "connect",
        "webhooks",
        "corrections",
        "errors",
        "documents",
        "validation",
        "delivery",
        "imports",
        "archives",
        "taxpayers",
        "pages",
        "command-line",
        "limits",
        "choices",
    ];
    texts.into_iter().map(|(name, text)| guide(name, text)).collect()
});

fn guide(name: &'static str, text: &'static str) -> Guide {
    let mut paragraphs = text.splitn(3, "\n\n");
    let mut next = || paragraphs.next().unwrap_or_default();
    let title = next().trim_start_matches("# ").to_owned();
    let (about, rest) = (next().to_owned(), next());
    let parts = parts(&title, rest);
    Guide { name, title, about, parts }
}

/// The parts of a Markdown text. `title` names the tables above its first heading.
fn parts(title: &str, markdown: &str) -> Vec<Part> {
    let mut events = Parser::new_ext(markdown, Options::ENABLE_TABLES);
    let (mut parts, mut prose, mut heading) = (Vec::new(), String::new(), title.to_owned());
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                let text = plain(&until(&mut events, TagEnd::CodeBlock));
                parts.push(Part::Prose(std::mem::take(&mut prose)));
                parts.push(Part::Code { id: format!("code-{}", parts.len()), text });
            }
            Event::Start(Tag::HtmlBlock) => {
                let comment = plain(&until(&mut events, TagEnd::HtmlBlock));
                parts.push(Part::Prose(std::mem::take(&mut prose)));
                parts.extend(programs(&comment).map(Part::Programs));
            }
            Event::Start(Tag::Heading { level, .. }) => {
                let inner = until(&mut events, TagEnd::Heading(level));
                heading = plain(&inner);
                let id = slug(&heading);
                prose += &format!("<{level} id=\"{id}\">{}</{level}>\n", written(inner));
            }
            Event::Start(Tag::Table(_)) => {
                prose += &table(&heading, until(&mut events, TagEnd::Table));
            }
            event => prose += &written(vec![event]),
        }
    }
    parts.push(Part::Prose(prose));
    parts
}

/// The programs that a comment names; `None` for an unknown name, which a test detects.
fn programs(comment: &str) -> Option<&'static [Program]> {
    let name = comment.trim().strip_prefix("<!-- programs: ")?.strip_suffix(" -->")?;
    PROGRAMS.iter().find(|(known, _)| *known == name).map(|(_, programs)| *programs)
}

/// A table in the style of the pages. The first column names the rows. Every other cell repeats its column's name,
/// which narrow screens show beside it.
fn table(caption: &str, events: Vec<Event>) -> String {
    let mut rows = rows(events).into_iter();
    let head: Vec<String> =
        rows.next().unwrap_or_default().iter().map(|cell| plain(cell)).collect();
    let mut out =
        format!("<table><caption class=\"unseen\">{}</caption><thead><tr>", escaped(caption));
    for name in &head {
        out += &format!("<th scope=\"col\">{}</th>", escaped(name));
    }
    out += "</tr></thead><tbody>\n";
    for row in rows {
        out += "<tr>";
        for (place, (cell, name)) in row.into_iter().zip(&head).enumerate() {
            let cell = written(cell);
            out += &match place {
                0 => format!("<th scope=\"row\">{cell}</th>"),
                _ => format!("<td data-label=\"{}\"><div>{cell}</div></td>", escaped(name)),
            };
        }
        out += "</tr>\n";
    }
    out + "</tbody></table>\n"
}

/// The cells of a table, by row; the first row is its head.
fn rows(events: Vec<Event>) -> Vec<Vec<Vec<Event>>> {
    let mut rows: Vec<Vec<Vec<Event>>> = Vec::new();
    for event in events {
        match event {
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => {
                rows.last_mut().into_iter().for_each(|row| row.push(Vec::new()))
            }
            Event::End(TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell) => {}
            event => rows
                .last_mut()
                .and_then(|row| row.last_mut())
                .into_iter()
                .for_each(|cell| cell.push(event.clone())),
        }
    }
    rows
}

/// The events before the end of an element; also consumes the end.
fn until<'a>(events: &mut Parser<'a>, end: TagEnd) -> Vec<Event<'a>> {
    events.take_while(|event| *event != Event::End(end)).collect()
}

fn written(events: Vec<Event>) -> String {
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    out
}

/// The text without markup.
fn plain(events: &[Event]) -> String {
    let texts = events.iter().filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) | Event::Html(text) => Some(text.as_ref()),
        _ => None,
    });
    texts.collect()
}

fn escaped(text: &str) -> String {
    written(vec![Event::Text(text.into())])
}

/// The anchor of a heading.
fn slug(heading: &str) -> String {
    let words = heading.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

#[derive(Template)]
#[template(path = "docs/guide.html")]
struct GuidePage {
    around: Around,
    guide: &'static Guide,
}

/// The page of a guide.
pub(super) fn of(name: &str) -> Option<Response> {
    let guide = GUIDES.iter().find(|guide| guide.name == name)?;
    Some(page(&GuidePage { around: Around::new(&guide.title, "guides"), guide }))
}

/// The start page of the documentation.
#[derive(Template)]
#[template(path = "docs/index.html")]
pub(super) struct Index {
    around: Around,
    guides: &'static [Guide],
}

impl Index {
    pub(super) fn new() -> Self {
        Index { around: Around::new("Guides", "guides"), guides: &GUIDES }
    }
}

/// The changes of the API, the latest first.
#[derive(Template)]
#[template(path = "docs/changelog.html")]
pub(super) struct Changelog {
    around: Around,
}

impl Changelog {
    pub(super) fn new() -> Self {
        Changelog { around: Around::new("Changelog", "changelog") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(markdown: &str) -> String {
        match parts("Title", markdown).as_slice() {
            [Part::Prose(html)] => html.clone(),
            parts => panic!("{} parts", parts.len()),
        }
    }

    #[test]
    fn a_table_names_its_rows_and_the_column_of_each_cell() {
        let table = "| a & b | c |\n|---|---|\n| `x` | [y](/z) |\n| only | |\n";
        let expected = concat!(
            "<table><caption class=\"unseen\">Title</caption><thead><tr><th scope=\"col\">a &amp; b</th>",
            "<th scope=\"col\">c</th></tr></thead><tbody>\n",
            "<tr><th scope=\"row\"><code>x</code></th><td data-label=\"c\"><div><a href=\"/z\">y</a></div></td></tr>\n",
            "<tr><th scope=\"row\">only</th><td data-label=\"c\"><div></div></td></tr>\n",
            "</tbody></table>\n",
        );
        assert_eq!(prose(table), expected);
        let below = prose(&format!("## What is *sent*\n\n{table}"));
        assert!(below.starts_with("<h2 id=\"what-is-sent\">What is <em>sent</em></h2>\n"));
        assert!(below.contains("<caption class=\"unseen\">What is sent</caption>"), "{below}");
    }

    #[test]
    fn commands_and_programs_stand_between_the_prose_around_them() {
        let found = parts("", "one\n\n```sh\na <b\n```\n\n<!-- programs: verify -->\n\ntwo\n");
        let [
            Part::Prose(one),
            Part::Code { text, .. },
            Part::Prose(none),
            Part::Programs(programs),
            Part::Prose(two),
        ] = found.as_slice()
        else {
            panic!("{} parts", found.len());
        };
        assert_eq!((one.as_str(), text.as_str(), none.as_str()), ("<p>one</p>\n", "a <b\n", ""));
        assert_eq!((programs.len(), two.as_str()), (6, "<p>two</p>\n"));
    }

    #[test]
    fn every_guide_has_a_title_a_purpose_and_the_programs_that_it_names() {
        let mut shown = 0;
        for guide in GUIDES.iter() {
            assert!(
                !guide.title.contains(['#', '\n']) && !guide.title.is_empty(),
                "{}",
                guide.title
            );
            assert!(guide.about.ends_with('.') && !guide.about.contains('\n'), "{}", guide.about);
            let programs = guide.parts.iter().filter(|part| matches!(part, Part::Programs(_)));
            shown += programs.count();
        }
        // Each list is shown once. An unknown name would leave one out.
        assert_eq!(shown, PROGRAMS.len());
    }
}
