//! The search: one list of entries, which the function ranks for its page of results, and a script for the list below the
//! field.

#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, sync::LazyLock};

use super::{
    ASSETS, codes,
    fields::Tree,
    guides::{self, Guide},
    reference::{self, EVENTS, OPERATIONS},
    rules::RULES,
    schemas::fields_of_body,
};
use crate::{document::Operation, i18n::Language, pages::assets::Asset};

/// Characters of the text of an entry.
const LONGEST_TEXT: usize = 40;
const JSON: &str = "application/json";

/// What an entry leads to. Of entries that match equally, earlier kinds come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Guide,
    Operation,
    Event,
    Field,
    Error,
    Rule,
}

impl Kind {
    /// Every kind, in the order of the numbers in the index.
    pub(super) const ALL: [Kind; 6] =
        [Kind::Guide, Kind::Operation, Kind::Event, Kind::Field, Kind::Error, Kind::Rule];

    /// The place of an entry without its title, if most places end with the title. The script has the same table. A field
    /// of a large object has a page below; the script leads there from the page of the operation.
    fn base(self) -> Option<&'static str> {
        match self {
            Kind::Guide | Kind::Operation => None,
            Kind::Event => Some("reference/"),
            Kind::Field => Some("reference/send_invoice#body."),
            Kind::Error => Some("errors/"),
            Kind::Rule => Some("rules/"),
        }
    }

    /// The message with its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Guide => "docs-kind-guide",
            Kind::Operation => "docs-kind-operation",
            Kind::Event => "docs-kind-event",
            Kind::Field => "docs-kind-field",
            Kind::Error => "docs-kind-error",
            Kind::Rule => "docs-kind-rule",
        }
    }
}

/// A place that the search finds.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) title: String,
    /// The path below `/docs`, with its anchor.
    pub(super) place: String,
    pub(super) text: String,
}

impl Entry {
    fn new(kind: Kind, title: impl Into<String>, place: impl AsRef<str>, text: &str) -> Self {
        let place = place.as_ref();
        let place = place.strip_prefix("/docs/").unwrap_or(place).to_owned();
        Entry { kind, title: title.into(), place, text: shortened(text) }
    }

    pub(super) fn path(&self) -> String {
        format!("/docs/{}", self.place)
    }

    /// How well the entry fits; `None` if a word is missing. The script ranks in the same way.
    fn rank(&self, words: &[String]) -> Option<(u8, Kind, usize)> {
        let title = self.title.to_lowercase();
        let text = self.text.to_lowercase();
        let has = |word: &String| title.contains(word.as_str()) || text.contains(word.as_str());
        if !words.iter().all(has) {
            return None;
        }
        let whole = words.join(" ");
        let fit = match () {
            () if title == whole => 0,
            () if title.starts_with(&whole) => 1,
            () if words.iter().all(|word| title.contains(word.as_str())) => 2,
            () => 3,
        };
        Some((fit, self.kind, title.chars().count()))
    }
}

/// The beginning of a text, to the end of a word.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().replace('`', "");
    if line.chars().count() <= LONGEST_TEXT {
        return line;
    }
    let begin: String = line.chars().take(LONGEST_TEXT).collect();
    let end = begin.rfind(' ').unwrap_or(begin.len());
    format!("{}…", &begin[..end])
}

static ENTRIES: LazyLock<[Vec<Entry>; 2]> = LazyLock::new(|| Language::ALL.map(entries));

/// The entries in a language. The guides are translated.
fn of(language: Language) -> &'static [Entry] {
    match language {
        Language::English => &ENTRIES[0],
        Language::Arabic => &ENTRIES[1],
    }
}

/// The entries that fit a query, the best first.
pub(super) fn found(language: Language, query: &str) -> Vec<&'static Entry> {
    let words: Vec<_> = query.to_lowercase().split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let ranked = of(language).iter().filter_map(|entry| Some((entry.rank(&words)?, entry)));
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, entry)| entry).collect()
}

fn entries(language: Language) -> Vec<Entry> {
    let mut entries: Vec<_> =
        guides::all(language).iter().flat_map(|guide| of_guide(language, guide)).collect();
    for operation in OPERATIONS.iter().filter(|operation| operation.tag != EVENTS) {
        let request = format!("{} {}", operation.method, operation.path);
        entries.push(Entry::new(Kind::Operation, &*operation.summary, operation.page(), &request));
    }
    for event in reference::of_tag(EVENTS) {
        entries.push(Entry::new(Kind::Event, &*event.id, event.page(), &event.summary));
    }
    entries.extend(of_fields());
    for code in codes::all() {
        let place = format!("errors/{}", code.code);
        entries.push(Entry::new(Kind::Error, code.code, place, code.meaning));
    }
    for rule in RULES.iter().flat_map(|section| &section.rules) {
        entries.push(Entry::new(Kind::Rule, &*rule.id, rule.page(), &rule.meaning));
    }
    entries
}

fn of_guide(language: Language, guide: &Guide) -> Vec<Entry> {
    let path = guide.path(language);
    let mut entries = vec![Entry::new(Kind::Guide, &*guide.title, &path, &guide.about)];
    entries.extend(guide.headings.iter().map(|(id, heading)| {
        Entry::new(Kind::Guide, &**heading, format!("{path}#{id}"), &guide.title)
    }));
    entries
}

/// The fields of the bodies of sends. A field of several bodies is found in the first.
fn of_fields() -> Vec<Entry> {
    let mut known = BTreeSet::new();
    let mut entries = Vec::new();
    for (operation, id) in [
        (Operation::Invoice, "send_invoice"),
        (Operation::CreditNote, "send_credit_note"),
        (Operation::SelfBilledInvoice, "send_self_billed_invoice"),
        (Operation::SelfBilledCreditNote, "send_self_billed_credit_note"),
    ] {
        let fields = fields_of_body(operation);
        let tree = Tree::of("body", &fields);
        for field in &fields {
            let path = field.path.replace("[]", "");
            if known.insert(path.clone()) {
                let place = tree.place(&format!("reference/{id}"), &field.path);
                entries.push(Entry::new(Kind::Field, path, place, &field.description));
            }
        }
    }
    entries
}

/// The index of a language as a file: the list of its entries, each as a list of kind, title, text and place. A place
/// that follows from kind and title is empty.
static INDICES: LazyLock<[Asset; 2]> = LazyLock::new(|| {
    Language::ALL.map(|language| {
        let rows: Vec<_> = of(language).iter().map(row).collect();
        let json = serde_json::to_vec(&rows).unwrap_or_default();
        Asset::new(ASSETS, (&format!("search-{}", language.tag()), "json"), JSON, json)
    })
});

fn row(entry: &Entry) -> (usize, &str, &str, &str) {
    let kind = Kind::ALL.iter().position(|kind| *kind == entry.kind).unwrap_or_default();
    let (page, anchor) = entry.place.split_once('#').unwrap_or((&entry.place, ""));
    let place = match entry.kind {
        Kind::Field => {
            format!("{}#{anchor}", page.split_once("/body.").map_or(page, |(page, _)| page))
        }
        _ => entry.place.clone(),
    };
    let base = entry.kind.base();
    let follows = base.is_some_and(|base| place.strip_prefix(base) == Some(&entry.title));
    (kind, &entry.title, &entry.text, if follows { "" } else { &entry.place })
}

/// The file of the index in a language.
pub(super) fn index(language: Language) -> &'static Asset {
    match language {
        Language::English => &INDICES[0],
        Language::Arabic => &INDICES[1],
    }
}

/// The path of the page of results.
pub(super) fn path(language: Language) -> &'static str {
    match language {
        Language::English => "/docs/search",
        Language::Arabic => "/docs/ar/search",
    }
}
