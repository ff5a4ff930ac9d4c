//! The frame of every page: title, navigation, table of contents, and the page in the other language.

use crate::{
    api::{DOCS, ERRORS_PAGE, RULES_PAGE},
    docs::{
        VALIDATOR,
        guides::{self, TOPICS},
        reference::{self, EVENTS},
        rules::FAMILIES,
        search, shown,
    },
    i18n::{self, Language},
};

/// Headings from which on a page has a table of contents.
const MANY: usize = 3;

/// The frame of a page.
#[derive(Debug, Clone)]
pub(in crate::docs) struct Around {
    pub(in crate::docs) title: String,
    /// The path of the page, which the navigation marks.
    here: String,
    pub(in crate::docs) language: Language,
    contents: Vec<(String, String)>,
    /// The words that the field of the search shows.
    pub(in crate::docs) query: String,
}

/// A group of the navigation.
pub(in crate::docs) struct Group {
    pub(in crate::docs) title: String,
    pub(in crate::docs) is_open: bool,
    pub(in crate::docs) entries: Vec<Entry>,
}

/// A link of the navigation.
pub(in crate::docs) struct Entry {
    pub(in crate::docs) path: String,
    pub(in crate::docs) name: String,
    /// Whether it is inside the entry above.
    pub(in crate::docs) is_inner: bool,
    pub(in crate::docs) is_current: bool,
}

impl Around {
    pub(in crate::docs) fn new(title: impl Into<String>, here: impl Into<String>) -> Self {
        Around {
            title: title.into(),
            here: here.into(),
            language: Language::English,
            contents: Vec::new(),
            query: String::new(),
        }
    }

    pub(in crate::docs) fn in_language(self, language: Language) -> Self {
        Around { language, ..self }
    }

    /// Adds a table of contents, if the page has many headings.
    pub(in crate::docs) fn with_contents(self, contents: Vec<(String, String)>) -> Self {
        Around { contents, ..self }
    }

    pub(in crate::docs) fn with_query(self, query: &str) -> Self {
        Around { query: query.to_owned(), ..self }
    }

    /// A message in the language of the page.
    pub(in crate::docs) fn t(&self, name: &str) -> String {
        i18n::text(self.language, name, &[])
    }

    pub(in crate::docs) fn contents(&self) -> &[(String, String)] {
        if self.contents.len() < MANY { &[] } else { &self.contents }
    }

    /// The start page in the language of the page.
    pub(in crate::docs) fn start(&self) -> &'static str {
        start(self.language)
    }

    /// The path of the page of results.
    pub(in crate::docs) fn search_path(&self) -> &'static str {
        search::path(self.language)
    }

    /// The file of the index.
    pub(in crate::docs) fn index(&self) -> &'static str {
        &search::index(self.language).path
    }

    /// The page in the other language; its start page if only English has the page.
    pub(in crate::docs) fn in_other_language(&self) -> String {
        let other = self.language.other();
        let of_guide = self.here.rsplit_once("/guides/").map(|(_, name)| name);
        match of_guide.and_then(|name| guides::find(other, name)) {
            Some(guide) => guide.path(other),
            None => start(other).to_owned(),
        }
    }

    /// The navigation at the side.
    pub(in crate::docs) fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<_> = TOPICS.iter().map(|topic| self.topic(topic)).collect();
        groups.extend([self.reference(), self.events(), self.checks(), self.more()]);
        groups
    }

    fn entry(&self, path: impl Into<String>, name: impl Into<String>) -> Entry {
        let path = path.into();
        Entry { is_current: path == self.here, path, name: name.into(), is_inner: false }
    }

    /// A group that is open if it has the current page.
    fn group(&self, title: &str, entries: Vec<Entry>) -> Group {
        Group {
            title: self.t(title),
            is_open: entries.iter().any(|entry| entry.is_current),
            entries,
        }
    }

    fn topic(&self, (title, names): &(&str, &[&str])) -> Group {
        let found = names.iter().filter_map(|name| guides::find(self.language, name));
        let entries = found.map(|guide| self.entry(guide.path(self.language), &*guide.title));
        let group = self.group(title, entries.collect());
        Group { is_open: group.is_open || self.here == self.start(), ..group }
    }

    /// The groups of operations, and the operations of the group that contains the page.
    fn reference(&self) -> Group {
        let id = self.here.strip_prefix("/docs/reference/");
        let tag = id.and_then(reference::find).map(|operation| operation.tag.as_str());
        let mut entries = vec![self.entry("/docs/reference", self.t("docs-operations"))];
        for (name, anchor) in reference::tags().filter(|(name, _)| *name != EVENTS) {
            entries.push(self.entry(format!("/docs/reference#{anchor}"), name));
            let inner = reference::of_tag(name).filter(|_| tag == Some(name));
            entries.extend(inner.map(|operation| Entry {
                is_inner: true,
                ..self.entry(operation.page(), &*operation.summary)
            }));
        }
        self.group("docs-reference", entries)
    }

    fn events(&self) -> Group {
        let events = reference::of_tag(EVENTS);
        self.group(
            "docs-events",
            events.map(|event| self.entry(event.page(), &*event.id)).collect(),
        )
    }

    fn checks(&self) -> Group {
        let rules = format!("{DOCS}/{RULES_PAGE}");
        let errors = format!("{DOCS}/{ERRORS_PAGE}");
        let mut entries = vec![
            self.entry(VALIDATOR, self.t("docs-validator")),
            self.entry(&*errors, self.t("docs-errors")),
            self.entry(&*rules, self.t("docs-rules")),
        ];
        let is_below = self.here.starts_with(&rules);
        let families = FAMILIES.iter().filter(|_| is_below);
        entries.extend(
            families
                .map(|family| Entry { is_inner: true, ..self.entry(family.page(), &*family.name) }),
        );
        let group = self.group("docs-checks", entries);
        // The pages of single rules and codes are not listed.
        let is_open = group.is_open || is_below || self.here.starts_with(&errors);
        Group { is_open, ..group }
    }

    fn more(&self) -> Group {
        let entries = vec![
            self.entry("/docs/changelog", self.t("docs-changelog")),
            self.entry("/docs/openapi.json", "OpenAPI"),
        ];
        self.group("docs-changes", entries)
    }

    pub(in crate::docs) fn style_sheets(&self) -> [&'static str; 2] {
        [&shown().look.style_sheet.path, &shown().style_sheet.path]
    }

    pub(in crate::docs) fn scripts(&self) -> [&'static str; 2] {
        [&shown().look.script.path, &shown().script.path]
    }

    pub(in crate::docs) fn icon(&self) -> &'static str {
        &shown().look.icon.path
    }

    pub(in crate::docs) fn logo(&self) -> &'static str {
        &shown().look.logo
    }

    /// The name of the service.
    pub(in crate::docs) fn service(&self) -> String {
        shown().look.name.clone().unwrap_or_else(|| self.t("docs-service"))
    }
}

/// The start page in a language.
pub(in crate::docs) fn start(language: Language) -> &'static str {
    match language {
        Language::English => DOCS,
        Language::Arabic => "/docs/ar",
    }
}
