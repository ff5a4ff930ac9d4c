//! What the official artefacts say about a document, and what this service says beyond them:
//! structure, rules and own checks of the very bytes, in one list of findings.

use crate::{
    error::{Finding, Severity},
    mls, pint,
    rules::{self, Fired, RuleSet},
    schema, taxdata,
    xml::{self, Name, Node, ParseError, Tree},
};

/// Longest value that a finding repeats, in characters.
const LONGEST_VALUE: usize = 120;

/// What was found in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The rules that it was judged by, such as `pint-billing`.
    pub set: &'static str,
    /// Their official release.
    pub version: &'static str,
    /// Everything that was found, in document order.
    pub findings: Vec<Found>,
    /// Whether it was judged to its end. After 10,000 schema errors, official rules or own checks
    /// the document is looked at no further, and there may be more to find.
    pub complete: bool,
}

/// A finding, and who says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Who says so.
    pub origin: Origin,
    /// Its place in the order in which all was found, from 0. The schema finds that an element is
    /// incomplete only behind what that element holds.
    pub order: usize,
    /// What was found. Its pointer is empty unless the document was made from JSON.
    pub finding: Finding,
}

/// Who says that something is wrong; in this order about one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The official XML Schema.
    Schema,
    /// The official rules.
    Rules,
    /// This service, beyond what is official.
    Own,
}

/// Why there is no verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unjudged {
    /// The bytes are no XML that is accepted.
    #[error("{0}")]
    NotXml(#[from] ParseError),
    /// The root element is that of no document that there are rules for.
    #[error("there are no rules for a document whose root element is {0}")]
    Unknown(String),
}

impl Verdict {
    /// Whether nothing that was found is an error.
    pub fn is_valid(&self) -> bool {
        !self.findings.iter().any(|found| found.finding.severity == Severity::Error)
    }
}

/// Judges the bytes of an invoice, a credit note, a Tax Data Document or a Message Level Status.
pub fn validate(bytes: &[u8]) -> Result<Verdict, Unjudged> {
    check(&xml::parse(bytes)?, |_, _| String::new())
}

/// Judges a document that was read already. `pointer` tells the JSON field behind an element, or
/// behind one that is missing there, as [`crate::ubl::pointer`] does.
pub fn check(
    document: &Tree,
    pointer: impl Fn(Node<'_>, &[Name]) -> String,
) -> Result<Verdict, Unjudged> {
    let root = document.root();
    // In whatever namespace: that it is the wrong one is for the schema to say.
    match root.local_name() {
        "Invoice" | "CreditNote" => {
            let mut verdict = judge(document, pint::set_of(document), &pointer);
            let own = pint::own::check(document);
            verdict.complete &= own.len() < rules::MOST;
            for (fired, severity) in &own {
                verdict.push(Origin::Own, fired, *severity, &pointer);
            }
            Ok(verdict.sorted())
        }
        "TaxData" => Ok(judge(document, &taxdata::RULES, &pointer).sorted()),
        "ApplicationResponse" => Ok(judge(document, &mls::RULES, &pointer).sorted()),
        _ => Err(Unjudged::Unknown(root.qualified_name().to_owned())),
    }
}

/// Findings beside the place in the document that they are sorted by.
struct Unsorted {
    set: &'static str,
    version: &'static str,
    findings: Vec<(u32, Found)>,
    complete: bool,
}

fn judge<F>(
    document: &Tree,
    rules: &RuleSet<F>,
    pointer: &impl Fn(Node<'_>, &[Name]) -> String,
) -> Unsorted {
    let (errors, fired) = (schema::check(document), rules.check(document));
    let mut verdict = Unsorted {
        set: rules.name,
        version: rules.version,
        findings: Vec::with_capacity(errors.len() + fired.len()),
        complete: errors.len() < schema::MOST && fired.len() < rules::MOST,
    };
    for error in errors {
        let node = document.node(error.node);
        let finding = Finding {
            line: Some(error.line),
            location: Some(error.xpath),
            ..Finding::error(pointer(node, &[]), "xml-schema", error.message)
        };
        verdict.add(error.node, Origin::Schema, finding);
    }
    for fired in &fired {
        verdict.push(Origin::Rules, fired, Severity::Error, pointer);
    }
    verdict
}

impl Unsorted {
    fn push(
        &mut self,
        origin: Origin,
        fired: &Fired<'_>,
        severity: Severity,
        pointer: &impl Fn(Node<'_>, &[Name]) -> String,
    ) {
        let expected = fired.expected.as_ref();
        let (node, missing) = match expected.and_then(|expected| expected.at) {
            Some(node) => (node, [].as_slice()),
            None => about(fired),
        };
        let mut location = node.xpath();
        for name in missing {
            location.push('/');
            location.push_str(&name.prefixed());
        }
        let term = (!fired.term.is_empty()).then(|| fired.term.to_owned());
        let finding = Finding {
            pointer: pointer(node, missing),
            rule: fired.id.to_owned(),
            severity,
            message: fired.message.to_owned(),
            fix: Some(fired.fix.to_owned()),
            location: Some(location),
            line: Some(node.line()),
            term_name: term_name(fired.term).map(str::to_owned),
            term,
            value: match expected.and_then(|expected| expected.found.clone()) {
                None => missing.is_empty().then(|| value(node)).flatten(),
                found => found,
            },
            expected: expected.map(|expected| expected.value.clone()),
        };
        self.add(node.index(), origin, finding);
    }

    fn add(&mut self, node: u32, origin: Origin, finding: Finding) {
        let order = self.findings.len();
        self.findings.push((node, Found { origin, order, finding }));
    }

    fn sorted(mut self) -> Verdict {
        self.findings.sort_by_key(|(node, found)| (*node, found.origin));
        let findings = self.findings.into_iter().map(|(_, found)| found).collect();
        Verdict { set: self.set, version: self.version, findings, complete: self.complete }
    }
}

/// The element that a rule is about, as far down as it is there, and what is missing below it.
fn about<'d>(fired: &Fired<'d>) -> (Node<'d>, &'static [Name]) {
    let mut node = fired.context;
    for (at, name) in fired.about.iter().enumerate() {
        match node.child(*name) {
            Some(child) => node = child,
            None => return (node, &fired.about[at..]),
        }
    }
    (node, &[])
}

/// What a business term is called.
fn term_name(term: &str) -> Option<&'static str> {
    [pint::terms::TERMS, taxdata::terms::TERMS].iter().find_map(|terms| terms.name(term))
}

/// The text of an element that holds no others, cut to a length that can be read.
fn value(node: Node<'_>) -> Option<String> {
    if node.children().next().is_some() {
        return None;
    }
    let text = node.text();
    let mut characters = text.chars();
    let mut value: String = characters.by_ref().take(LONGEST_VALUE).collect();
    if characters.next().is_some() {
        value.push('…');
    }
    Some(value)
}

#[cfg(test)]
mod tests;
