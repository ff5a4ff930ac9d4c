//! The pages of rules: the index of all ids, a page for each family, and a page for each rule with its example.

use askama::Template;
use axum::response::Response;
use serde_json::Value;

use super::frame::Around;
use crate::docs::{
    examples::Sample,
    page,
    rules::{ExplainedRule, FAMILIES, Family, RULES, find},
    shown::Shown,
    snippet::Snippet,
};

/// The index of all rules. Links of errors lead to the ids in it.
#[derive(Template)]
#[template(path = "docs/rules.html")]
pub(in crate::docs) struct Index {
    around: Around,
    families: &'static [Family],
    count: usize,
    without: usize,
}

impl Index {
    pub(in crate::docs) fn new() -> Self {
        let all = || RULES.iter().flat_map(|section| &section.rules);
        Index {
            around: Around::new("Rules", "/docs/rules"),
            families: &FAMILIES,
            count: all().count(),
            without: all().filter(|rule| rule.example.is_none()).count(),
        }
    }
}

#[derive(Template)]
#[template(path = "docs/rule_family.html")]
struct FamilyPage {
    around: Around,
    family: &'static Family,
}

#[derive(Template)]
#[template(path = "docs/rule.html")]
struct RulePage {
    around: Around,
    rule: &'static ExplainedRule,
    family: Option<&'static Family>,
    example: Option<Explained>,
}

/// An example with its texts in colours.
struct Explained {
    shown: Shown,
    before: Option<Snippet>,
    faulty: Snippet,
    fixed: Snippet,
}

impl Explained {
    fn new(shown: Shown) -> Self {
        let before = shown.before.as_ref().filter(|before| !before.text.is_empty());
        Explained {
            before: before.map(|before| Snippet::body("before", &*before.text)),
            faulty: Snippet::body("faulty", &*shown.faulty),
            fixed: Snippet::body("fixed", &*shown.fixed),
            shown,
        }
    }
}

/// The page of a rule or of a family.
pub(in crate::docs) fn of(name: &str) -> Option<Response> {
    if let Some(family) = FAMILIES.iter().find(|family| family.slug == name) {
        let around = Around::new(format!("Rules {}", family.name), family.page());
        return Some(page(&FamilyPage { around, family }));
    }
    let rule = find(name)?;
    let is_member = |family: &&Family| family.rules.iter().any(|it| it.id == rule.id);
    let example = rule.example.map(|example| Explained::new(Shown::of(example, &rule.finding)));
    Some(page(&RulePage {
        around: Around::new(&*rule.id, rule.page()),
        rule,
        family: FAMILIES.iter().find(is_member),
        example,
    }))
}

/// The complete sample documents, which examples change.
#[derive(Template)]
#[template(path = "docs/samples.html")]
pub(in crate::docs) struct Samples {
    around: Around,
    samples: Vec<(&'static str, Snippet)>,
}

impl Samples {
    pub(in crate::docs) fn new() -> Self {
        let pretty = |text: &str| {
            let value: Value = serde_json::from_str(text).unwrap_or_default();
            serde_json::to_string_pretty(&value).unwrap_or_default()
        };
        let samples = Sample::ALL.iter().map(|sample| {
            let id = sample.name().replace(' ', "-");
            (sample.name(), Snippet::body(id, pretty(sample.json())))
        });
        Samples {
            around: Around::new("Sample documents", "/docs/rules/samples"),
            samples: samples.collect(),
        }
    }
}
