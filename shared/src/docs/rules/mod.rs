//! Every rule of a finding: the official rules from the rule sets, the kinds of schema errors, and the service's own
//! rules (`AP-…`). Each has an example that breaks it, if a document can.

mod families;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use serde::Deserialize;

pub(super) use self::families::{FAMILIES, Family};
use super::{
    examples::{Example, Sample},
    schemas,
};
use crate::{pint, rules::Rule, schema::Kind};

/// The rule id of all schema findings.
const SCHEMA: &str = "xml-schema";

/// The service's own rules.
static OWN: LazyLock<Vec<Own>> = LazyLock::new(|| read(include_str!("../data/own.json")));
/// Examples of the official rules, by rule.
static OFFICIAL: LazyLock<BTreeMap<String, Example>> =
    LazyLock::new(|| examples(include_str!("../data/official.json")));
/// Examples of the kinds of schema errors.
static STRUCTURE: LazyLock<BTreeMap<String, Example>> =
    LazyLock::new(|| examples(include_str!("../data/schema.json")));

/// Parses a file of data; tests prove that every file can be parsed.
fn read<T: for<'de> Deserialize<'de>>(json: &str) -> Vec<T> {
    serde_json::from_str(json).unwrap_or_default()
}

fn examples(json: &str) -> BTreeMap<String, Example> {
    #[derive(Deserialize)]
    struct Of {
        id: String,
        example: Example,
    }
    read::<Of>(json).into_iter().map(|of| (of.id, of.example)).collect()
}

/// A rule of this service.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    id: String,
    severity: Weight,
    terms: Vec<String>,
    meaning: String,
    fix: String,
    #[serde(default)]
    example: Option<Example>,
    #[serde(default)]
    without: Option<Reason>,
}

/// The severity of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Weight {
    Error,
    Warning,
    /// Depends on the exact error.
    Both,
}

impl Weight {
    fn said(self) -> &'static str {
        match self {
            Weight::Error => "error",
            Weight::Warning => "warning",
            Weight::Both => "error or warning",
        }
    }
}

/// Why a rule has no example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Reason {
    /// No document of the service breaks it.
    Never,
}

impl Reason {
    fn said(self) -> &'static str {
        match self {
            Reason::Never => "No body that the service accepts breaks it.",
        }
    }
}

/// The kinds of schema errors.
const KINDS: [Kind; 12] = [
    Kind::Root,
    Kind::Unexpected,
    Kind::Incomplete,
    Kind::Text,
    Kind::Elements,
    Kind::Value,
    Kind::AttributeMissing,
    Kind::AttributeUnknown,
    Kind::Instance,
    Kind::Undeclared,
    Kind::Abstract,
    Kind::Duplicate,
];

/// The name of a kind, its meaning and its correction.
fn sort(kind: Kind) -> [&'static str; 3] {
    match kind {
        Kind::Root => [
            "root",
            "The root element is not one of a known document.",
            "Begin with an Invoice or a CreditNote of UBL 2.1, in its own namespace.",
        ],
        Kind::Unexpected => [
            "unexpected",
            "An element is in a place where it is not allowed: it is unknown, misplaced or one too many.",
            "Remove it, or put the elements in the order of the schema.",
        ],
        Kind::Incomplete => [
            "incomplete",
            "An element ends before all its required content.",
            "Add the missing content that the message names.",
        ],
        Kind::Text => [
            "text",
            "An element contains text where only elements or nothing are allowed.",
            "Remove the text, or move it to its correct element.",
        ],
        Kind::Elements => [
            "elements",
            "An element contains elements where only text or nothing are allowed.",
            "Remove the elements.",
        ],
        Kind::Value => [
            "value",
            "A value is not of the type of its element or attribute.",
            "Write it in the form that the message names, such as 2026-11-30 for a date.",
        ],
        Kind::AttributeMissing => [
            "attribute-missing",
            "A required attribute is missing, such as the currency of an amount.",
            "Add the attribute.",
        ],
        Kind::AttributeUnknown => {
            ["attribute-unknown", "An element has an attribute that is not allowed.", "Remove it."]
        }
        Kind::Instance => [
            "instance",
            "xsi:nil or xsi:type has a value that is not allowed.",
            "Remove the attribute, and the element if it is empty.",
        ],
        Kind::Undeclared => [
            "undeclared",
            "An element is not declared in the schema. Only extensions contain such elements.",
            "Remove the element.",
        ],
        Kind::Abstract => [
            "abstract",
            "The element or its type is abstract. Only signatures contain such elements.",
            "Use one of the elements that replace it.",
        ],
        Kind::Duplicate => [
            "duplicate",
            "An XML identifier occurs twice. Only signatures contain such identifiers.",
            "Give each element its own identifier.",
        ],
    }
}

/// A business term, and its field names in the bodies of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) id: String,
    pub(super) name: &'static str,
    pub(super) fields: Vec<String>,
}

/// A rule, explained.
#[derive(Debug)]
pub(super) struct ExplainedRule {
    /// Its id, which is also the anchor and the last part of its path.
    pub(super) id: String,
    pub(super) severity: &'static str,
    pub(super) meaning: String,
    pub(super) fix: String,
    pub(super) terms: Vec<Term>,
    pub(super) example: Option<&'static Example>,
    /// The rule id of its findings.
    pub(super) finding: String,
    /// The reason if there is no example.
    pub(super) without: &'static str,
}

impl ExplainedRule {
    /// The path of its page.
    pub(super) fn page(&self) -> String {
        format!("/docs/rules/{}", self.id)
    }
}

/// All rules, explained.
pub(super) static RULES: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let own = OWN.iter().map(explain_own).collect();
    let schema = KINDS.into_iter().map(explain_kind).collect();
    let shared = official(pint::shared_rules());
    let aligned = official(pint::aligned_rules());
    vec![
        Section {
            anchor: "own",
            title: "This service's own rules (AP-…)",
            lead: "These rules check a body before it becomes UBL, and errors that the official rules do not detect.",
            rules: own,
        },
        Section {
            anchor: SCHEMA,
            title: "Structure: xml-schema",
            lead: "The official XML Schema of UBL 2.1. Each of its findings has the rule xml-schema; these are the \
                   kinds. A body that you send as JSON cannot break it. Documents of others can.",
            rules: schema,
        },
        Section {
            anchor: "pint-ae",
            title: "PINT-AE: rules of the UAE",
            lead: "Official rules of PINT-AE. A rule of this service finds most of these errors in a body earlier, \
                   and names the official rule in its message.",
            rules: aligned,
        },
        Section {
            anchor: "pint",
            title: "PINT: rules of all countries",
            lead: "Official rules that PINT-AE shares with the other specialisations of PINT.",
            rules: shared,
        },
    ]
});

/// Rules of one origin.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) anchor: &'static str,
    pub(super) title: &'static str,
    pub(super) lead: &'static str,
    pub(super) rules: Vec<ExplainedRule>,
}

fn explain_own(own: &'static Own) -> ExplainedRule {
    ExplainedRule {
        id: own.id.clone(),
        severity: own.severity.said(),
        meaning: own.meaning.clone(),
        fix: own.fix.clone(),
        terms: own.terms.iter().map(|term| named(term)).collect(),
        example: own.example.as_ref(),
        finding: own.id.clone(),
        without: own.without.map_or("", Reason::said),
    }
}

fn explain_kind(kind: Kind) -> ExplainedRule {
    let [name, meaning, fix] = sort(kind);
    ExplainedRule {
        id: format!("{SCHEMA}-{name}"),
        severity: Weight::Error.said(),
        meaning: meaning.to_owned(),
        fix: fix.to_owned(),
        terms: Vec::new(),
        example: STRUCTURE.get(name),
        finding: SCHEMA.to_owned(),
        without: "",
    }
}

/// Rules of a set, each once, by id.
fn official<F: 'static>(rules: impl Iterator<Item = &'static Rule<F>>) -> Vec<ExplainedRule> {
    // Rules of billing and self-billing, or of allowance and charge, can have the same id and different texts.
    let mut by_id: BTreeMap<&str, Vec<&Rule<F>>> = BTreeMap::new();
    for rule in rules {
        by_id.entry(rule.id).or_default().push(rule);
    }
    let distinct = |rules: &[&Rule<F>], text: fn(&Rule<F>) -> &'static str| {
        let mut texts: Vec<_> = rules.iter().map(|rule| text(rule)).collect();
        texts.dedup();
        texts.join(" ")
    };
    let explain = |(id, rules): (&str, Vec<&Rule<F>>)| {
        let terms: BTreeSet<_> =
            rules.iter().map(|rule| rule.term).filter(|term| !term.is_empty()).collect();
        ExplainedRule {
            id: id.to_owned(),
            severity: Weight::Error.said(),
            meaning: distinct(&rules, |rule| rule.message),
            fix: distinct(&rules, |rule| rule.fix),
            terms: terms.into_iter().map(named).collect(),
            example: OFFICIAL.get(id),
            finding: id.to_owned(),
            without: "No document can break it: its official test is the constant true.",
        }
    };
    by_id.into_iter().map(explain).collect()
}

fn named(term: &str) -> Term {
    let name = pint::terms::TERMS.name(term).unwrap_or_default();
    let fields = FIELDS.get(term).cloned().unwrap_or_default();
    Term { id: term.to_owned(), name, fields: fields.into_iter().collect() }
}

/// The fields of the send bodies by business term, from their descriptions in the OpenAPI document.
static FIELDS: LazyLock<BTreeMap<String, BTreeSet<String>>> = LazyLock::new(|| {
    let mut fields: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for sample in Sample::ALL {
        for field in schemas::fields_of_body(sample.operation()) {
            let terms = leading_terms(&field.description);
            let own = if terms.len() == 1 { terms.first() } else { terms.get(role(&field.path)) };
            if let Some(term) = own {
                fields.entry(term.clone()).or_default().insert(field.path);
            }
        }
    }
    fields
});

/// The terms that a description begins with: `IBT-031 VAT identifier`, `IBT-027 / IBT-044 Name`, `IBT-037, -052 City`.
fn leading_terms(description: &str) -> Vec<String> {
    let words = description.split_whitespace().filter(|word| *word != "/");
    let term = |word: &str| {
        let word = word.trim_end_matches(',');
        match word.strip_prefix('-') {
            Some(number) => Some(format!("IBT-{number}")),
            None => {
                let is_term = ["IBT-", "IBG-", "BTAE-"].iter().any(|kind| word.starts_with(kind));
                is_term.then(|| word.to_owned())
            }
        }
    };
    words.map_while(term).collect()
}

/// The index of a field's term if one object serves several roles; terms are listed in this order.
fn role(path: &str) -> usize {
    let of = |root: &str| path.starts_with(root);
    match () {
        () if of("customer") || of("charges") || path.contains(".charges[]") => 1,
        () if of("tax_representative") => 2,
        () if of("delivery_address") => 3,
        () if of("payment_means") => 4,
        () => 0,
    }
}

/// A rule by its id.
pub(super) fn find(id: &str) -> Option<&'static ExplainedRule> {
    RULES.iter().flat_map(|section| &section.rules).find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests;
