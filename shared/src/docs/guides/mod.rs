//! The guides, in English and Arabic.
//!
//! A guide is a Markdown file of `templates/docs/guides`: a title, one paragraph with its purpose, and the rest. A
//! comment is replaced:
//! - `<!-- programs: NAME -->` by the same program in several languages, which the end-to-end tests run unchanged;
//! - `<!-- answer: ID -->` by the recorded answer of an operation;
//! - `<!-- code -->`, in Arabic, by the next block of commands of the English guide.

mod markdown;
mod programs;

use std::{collections::VecDeque, sync::LazyLock};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use self::{
    markdown::{plain, slug, table, until, written},
    programs::{PROGRAMS, Program},
};
use crate::i18n::Language;

/// A guide.
pub(super) struct Guide {
    /// The last part of its path `/docs/guides/NAME`.
    pub(super) name: &'static str,
    pub(super) title: String,
    pub(super) about: String,
    pub(super) parts: Vec<Part>,
    /// Its headings of the second level: id and text.
    pub(super) headings: Vec<(String, String)>,
}

impl Guide {
    /// The path of its page.
    pub(super) fn path(&self, language: Language) -> String {
        match language {
            Language::English => format!("/docs/guides/{}", self.name),
            Language::Arabic => format!("/docs/ar/guides/{}", self.name),
        }
    }
}

/// A part of a guide, in order.
pub(super) enum Part {
    /// The beginning of a section.
    Section,
    /// HTML.
    Prose(String),
    /// Commands, to be copied.
    Code(String),
    Programs(&'static str, &'static [Program]),
    /// The recorded answer of an operation, by its id.
    Answer(String),
}

macro_rules! guides {
    ($($name:literal),* $(,)?) => {
        [$((
            $name,
            include_str!(concat!("../../../templates/docs/guides/", $name, ".md")),
            include_str!(concat!("../../../templates/docs/guides/ar/", $name, ".md")),
        )),*]
    };
}

/// The topics of the guides: the message with the title, and the guides in a sensible order of reading.
pub(super) const TOPICS: [(&str, &[&str]); 5] = [
    ("docs-topic-start", &["first-invoice", "authentication", "testing", "going-live"]),
    (
        "docs-topic-send",
        &["documents", "validation", "errors", "idempotency", "imports", "corrections"],
    ),
    ("docs-topic-follow", &["webhooks", "delivery", "paging", "archives"]),
    ("docs-topic-businesses", &["connect", "taxpayers"]),
    ("docs-topic-more", &["pages", "command-line", "limits", "choices"]),
];

static GUIDES: LazyLock<[Vec<Guide>; 2]> = LazyLock::new(|| {
    let texts = guides![
        "first-invoice",
        "authentication",
        "testing",
        "going-live",
        "documents",
        "validation",
        "errors",
        "idempotency",
        "imports",
        "corrections",
        "webhooks",
        "delivery",
        "paging",
        "archives",
        "connect",
        "taxpayers",
        "pages",
        "command-line",
        "limits",
        "choices",
    ];
    let english: Vec<_> =
        texts.iter().map(|(name, text, _)| guide(name, text, VecDeque::new())).collect();
    let arabic = texts.iter().zip(&english).map(|((name, _, text), original)| {
        let codes = original.parts.iter().filter_map(|part| match part {
            Part::Code(text) => Some(text.clone()),
            _ => None,
        });
        guide(name, text, codes.collect())
    });
    let arabic = arabic.collect();
    [english, arabic]
});

/// The guides in a language.
pub(super) fn all(language: Language) -> &'static [Guide] {
    match language {
        Language::English => &GUIDES[0],
        Language::Arabic => &GUIDES[1],
    }
}

/// A guide by its name.
pub(super) fn find(language: Language, name: &str) -> Option<&'static Guide> {
    all(language).iter().find(|guide| guide.name == name)
}

/// Reads a guide. `codes` are the blocks of commands for `<!-- code -->`.
fn guide(name: &'static str, text: &str, codes: VecDeque<String>) -> Guide {
    let mut paragraphs = text.splitn(3, "\n\n");
    let mut next = || paragraphs.next().unwrap_or_default();
    let title = next().trim_start_matches("# ").trim().to_owned();
    let (about, rest) = (next().trim().to_owned(), next());
    let mut reader =
        Reader { codes, parts: Vec::new(), prose: String::new(), headings: Vec::new() };
    reader.read(&title, rest);
    Guide { name, title, about, parts: reader.parts, headings: reader.headings }
}

/// Reads the parts of a Markdown text.
struct Reader {
    codes: VecDeque<String>,
    parts: Vec<Part>,
    prose: String,
    headings: Vec<(String, String)>,
}

impl Reader {
    /// `title` names the tables above the first heading.
    fn read(&mut self, title: &str, text: &str) {
        let mut events = Parser::new_ext(text, Options::ENABLE_TABLES);
        let mut heading = title.to_owned();
        while let Some(event) = events.next() {
            match event {
                Event::Start(Tag::CodeBlock(_)) => {
                    let text = plain(&until(&mut events, TagEnd::CodeBlock));
                    self.add(Part::Code(text.trim_end().to_owned()));
                }
                Event::Start(Tag::HtmlBlock) => {
                    let comment = plain(&until(&mut events, TagEnd::HtmlBlock));
                    if let Some(part) = self.named(&comment) {
                        self.add(part);
                    }
                }
                Event::Start(Tag::Heading { level, .. }) => {
                    let inner = until(&mut events, TagEnd::Heading(level));
                    heading = plain(&inner);
                    let id = slug(&heading);
                    self.add(Part::Section);
                    self.prose += &format!("<{level} id=\"{id}\">{}</{level}>\n", written(inner));
                    self.headings.push((id, heading.clone()));
                }
                Event::Start(Tag::Table(_)) => {
                    self.prose += &table(&heading, until(&mut events, TagEnd::Table));
                }
                event => self.prose += &written(vec![event]),
            }
        }
        self.flush();
    }

    /// The part that a comment names; `None` for an unknown name, which a test detects.
    fn named(&mut self, comment: &str) -> Option<Part> {
        let comment = comment.trim().strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        if comment == "code" {
            return self.codes.pop_front().map(Part::Code);
        }
        let (kind, name) = comment.split_once(": ")?;
        match kind {
            "answer" => Some(Part::Answer(name.to_owned())),
            "programs" => {
                let found = PROGRAMS.iter().find(|(known, _)| *known == name);
                found.map(|(name, programs)| Part::Programs(name, programs))
            }
            _ => None,
        }
    }

    fn add(&mut self, part: Part) {
        self.flush();
        self.parts.push(part);
    }

    fn flush(&mut self) {
        if !self.prose.is_empty() {
            self.parts.push(Part::Prose(std::mem::take(&mut self.prose)));
        }
    }
}

#[cfg(test)]
mod tests;
