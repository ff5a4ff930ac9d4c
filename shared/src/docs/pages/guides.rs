//! The pages of the guides.

use askama::Template;
use axum::response::Response;

use super::frame::{Around, start};
use crate::{
    docs::{
        answers,
        guides::{Guide, Part, TOPICS, all, find},
        highlight::Syntax,
        page,
        snippet::{Snippet, Tab, setup},
    },
    i18n::{self, Language},
};

/// A part of a page: prose at the left, and code at the right of a wide screen.
enum Block {
    Prose(String),
    Code(Snippet),
    Programs { group: &'static str, setup: Option<Snippet>, tabs: Vec<Tab> },
    Answer(Snippet),
}

#[derive(Template)]
#[template(path = "docs/guide.html")]
struct GuidePage {
    around: Around,
    about: &'static str,
    /// The sections, each with its blocks in order.
    sections: Vec<Vec<Block>>,
}

/// The page of a guide.
pub(in crate::docs) fn of(language: Language, name: &str) -> Option<Response> {
    let guide = find(language, name)?;
    let around = Around::new(guide.title.clone(), guide.path(language)).in_language(language);
    let around = around.with_contents(guide.headings.clone());
    Some(page(&GuidePage { around, about: &guide.about, sections: sections(guide) }))
}

fn sections(guide: &'static Guide) -> Vec<Vec<Block>> {
    let mut sections = vec![Vec::new()];
    for (place, part) in guide.parts.iter().enumerate() {
        let id = format!("code-{place}");
        let block = match part {
            Part::Section => {
                sections.push(Vec::new());
                continue;
            }
            Part::Prose(html) => Block::Prose(html.clone()),
            Part::Code(text) => Block::Code(Snippet::commands(id, text)),
            Part::Answer(operation) => {
                Block::Answer(Snippet::new(id, Syntax::Http, answers::of(operation)))
            }
            Part::Programs(group, programs) => {
                let reads_variables = programs.iter().any(|program| program.text.contains("KEY"));
                let tabs = programs.iter().map(|program| Tab {
                    language: program.language,
                    file: program.file,
                    snippet: Snippet::file(program.file, program.file, program.text.trim_end()),
                });
                Block::Programs {
                    group,
                    setup: reads_variables.then(|| setup(id)),
                    tabs: tabs.collect(),
                }
            }
        };
        if let Some(section) = sections.last_mut() {
            section.push(block);
        }
    }
    sections
}

/// A topic of the start page with its guides.
struct Topic {
    title: &'static str,
    guides: Vec<&'static Guide>,
}

/// The start page of the documentation.
#[derive(Template)]
#[template(path = "docs/index.html")]
pub(in crate::docs) struct Index {
    around: Around,
    language: Language,
    topics: Vec<Topic>,
}

impl Index {
    pub(in crate::docs) fn new(language: Language) -> Self {
        let topic = |(title, names): &(&'static str, &[&str])| Topic {
            title,
            guides: all(language).iter().filter(|guide| names.contains(&guide.name)).collect(),
        };
        let around = Around::new(i18n::text(language, "docs-guides", &[]), start(language))
            .in_language(language);
        Index { around, language, topics: TOPICS.iter().map(topic).collect() }
    }
}
