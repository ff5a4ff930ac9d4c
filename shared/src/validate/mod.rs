//! Validates the bytes of a document and lists all findings in document order. Three sources contribute:
//! - the official XML Schema;
//! - the official rules;
//! - checks of this service that go beyond the official artefacts.

use crate::{
    error::{Finding, Severity},
    mls, pint,
    rules::{self, Fired, RuleSet},
    schema, statistics, taxdata,
    xml::{self, Name, Node, ParseError, Places, Tree, names::cac},
};

/// Maximum length of a value in a finding, in characters.
const LONGEST_VALUE: usize = 120;

/// The result of validating a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The rule set that was applied, such as `pint-billing`.
    pub set: &'static str,
    /// The official release of the rule set.
    pub version: &'static str,
    /// All findings, in document order.
    pub findings: Vec<Found>,
    /// Whether validation reached the end of the document. It stops after 10,000 schema errors, official rules or own
    /// checks. Then the document may contain more errors.
    pub complete: bool,
}

/// A finding and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The source of the finding.
    pub origin: Origin,
    /// The position of the finding in the order of detection, from 0. The schema reports an incomplete element only
    /// after it has read the content of that element.
    pub order: usize,
    /// The finding itself. Its pointer is empty unless the document was converted from JSON.
    pub finding: Finding,
}

/// The source of a finding. Findings about one element are sorted in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The official XML Schema.
    Schema,
    /// The official rules.
    Rules,
    /// A check of this service, beyond the official artefacts.
    Own,
}

/// Why a document cannot be validated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValidateError {
    /// The bytes are not well-formed XML, or they use XML features that are not accepted.
    #[error("{0}")]
    NotXml(#[from] ParseError),
    /// No rule set exists for this root element.
    #[error("there are no rules for a document whose root element is {0}")]
    Unknown(String),
}

impl Verdict {
    /// Whether no finding is an error.
    pub fn is_valid(&self) -> bool {
        !self.findings.iter().any(|found| found.finding.severity == Severity::Error)
    }
}

/// Validates the bytes of an invoice, a credit note, a Tax Data Document, a Message Level Status or an OpenPeppol
/// report.
pub fn validate(bytes: &[u8]) -> Result<Verdict, ValidateError> {
    check(&xml::parse(bytes)?, |_, _| String::new())
}

/// Validates a parsed document. `pointer` returns the JSON field of an element, or of an element that is missing
/// below it, as [`crate::ubl::pointer`] does.
pub fn check(
    document: &Tree,
    pointer: impl Fn(Node<'_>, &[Name]) -> String,
) -> Result<Verdict, ValidateError> {
    let root = document.root();
    // The namespace does not matter here: the schema reports a wrong one.
    match root.local_name() {
        "Invoice" | "CreditNote" => {
            let mut verdict = check_rules(document, pint::set_of(document), &pointer);
            let own = pint::own::check(document);
            verdict.complete &= own.len() < rules::MOST;
            for (fired, severity) in own {
                verdict.push(Origin::Own, fired, severity);
            }
            Ok(verdict.sorted(&pointer))
        }
        "TaxData" => Ok(check_rules(document, &taxdata::RULES, &pointer).sorted(&pointer)),
        "ApplicationResponse" => Ok(check_rules(document, &mls::RULES, &pointer).sorted(&pointer)),
        "TransactionStatisticsReport" => {
            Ok(check_rules(document, &statistics::transactions::RULES, &pointer).sorted(&pointer))
        }
        "EndUserStatisticsReport" => {
            Ok(check_rules(document, &statistics::end_users::RULES, &pointer).sorted(&pointer))
        }
        _ => Err(ValidateError::Unknown(root.qualified_name().to_owned())),
    }
}

/// Findings before they are sorted by their position in the document.
struct Unsorted<'d> {
    set: &'static str,
    version: &'static str,
    findings: Vec<UnplacedFinding<'d>>,
    complete: bool,
}

/// A finding without its XPath. XPaths are written after sorting, because that is faster in document order.
struct UnplacedFinding<'d> {
    node: Node<'d>,
    origin: Origin,
    order: usize,
    what: What<'d>,
}

enum What<'d> {
    /// An error of the schema, which already contains its location.
    Said(Finding),
    /// A rule or own check about the element, or about an element that is missing below it.
    Fired(Fired<'d>, &'static [Name], Severity),
}

fn check_rules<'d, F>(
    document: &'d Tree,
    rules: &RuleSet<F>,
    pointer: &impl Fn(Node<'_>, &[Name]) -> String,
) -> Unsorted<'d> {
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
        verdict.add(node, Origin::Schema, What::Said(finding));
    }
    for fired in fired {
        verdict.push(Origin::Rules, fired, Severity::Error);
    }
    verdict
}

impl<'d> Unsorted<'d> {
    fn push(&mut self, origin: Origin, fired: Fired<'d>, severity: Severity) {
        let (node, missing) = match fired.expected.as_ref().and_then(|expected| expected.at) {
            Some(node) => (node, [].as_slice()),
            None => about(&fired),
        };
        self.add(node, origin, What::Fired(fired, missing, severity));
    }

    fn add(&mut self, node: Node<'d>, origin: Origin, what: What<'d>) {
        let order = self.findings.len();
        self.findings.push(UnplacedFinding { node, origin, order, what });
    }

    fn sorted(mut self, pointer: &impl Fn(Node<'_>, &[Name]) -> String) -> Verdict {
        // The key is cached because a finding is large and its key is small.
        self.findings.sort_by_cached_key(|found| (found.node.index(), found.origin, found.order));
        let mut places = Places::default();
        let placed =
            self.findings.into_iter().map(|UnplacedFinding { node, origin, order, what }| {
                let finding = match what {
                    What::Said(finding) => finding,
                    What::Fired(fired, missing, severity) => {
                        finding(fired, node, missing, severity, places.xpath(node), pointer)
                    }
                };
                Found { origin, order, finding }
            });
        let findings = placed.collect();
        Verdict { set: self.set, version: self.version, findings, complete: self.complete }
    }
}

fn finding(
    fired: Fired<'_>,
    node: Node<'_>,
    missing: &[Name],
    severity: Severity,
    xpath: &str,
    pointer: &impl Fn(Node<'_>, &[Name]) -> String,
) -> Finding {
    let mut location = xpath.to_owned();
    for name in missing {
        location.push('/');
        location.push_str(&name.prefixed());
    }
    let (found, expected) = match fired.expected {
        Some(expected) => (expected.found, Some(expected.value)),
        None => (None, None),
    };
    let term = term_there(fired.term, node);
    Finding {
        pointer: pointer(node, missing),
        rule: fired.id.into(),
        severity,
        message: fired.message.into(),
        fix: Some(fired.fix.into()),
        location: Some(location),
        line: Some(node.line()),
        term_name: term_name(term).map(Into::into),
        term: (!term.is_empty()).then(|| term.into()),
        value: found.or_else(|| missing.is_empty().then(|| value(node)).flatten()),
        expected,
        doc_url: None,
    }
}

/// Returns the deepest existing element on the path to the element that the rule is about, and the names that are
/// missing below it.
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

/// Returns the business term of a rule for the party in which it fired. A rule about any party carries the term of
/// one party. Inside the other party, the matching term is the one with the same name but the other party's prefix:
/// IBT-031 Seller VAT identifier, IBT-048 Buyer VAT identifier.
fn term_there(term: &'static str, node: Node<'_>) -> &'static str {
    const PARTIES: [(Name, &str, &str); 2] = [
        (cac::ACCOUNTING_SUPPLIER_PARTY, "Buyer ", "Seller "),
        (cac::ACCOUNTING_CUSTOMER_PARTY, "Seller ", "Buyer "),
    ];
    let Some(what) = pint::terms::TERMS.name(term) else { return term };
    let is_within = |party| node.ancestors().any(|above| above.name() == party);
    let other = PARTIES.into_iter().find_map(|(party, others, own)| {
        let what = what.strip_prefix(others).filter(|_| is_within(party))?;
        let mut terms = pint::terms::TERMS.0.iter();
        terms.find(|(_, name)| name.strip_prefix(own) == Some(what)).map(|(term, _)| *term)
    });
    other.unwrap_or(term)
}

/// Returns the name of a business term.
fn term_name(term: &str) -> Option<&'static str> {
    [pint::terms::TERMS, taxdata::terms::TERMS].iter().find_map(|terms| terms.name(term))
}

/// The text of an element without child elements, cut to [`LONGEST_VALUE`].
fn value(node: Node<'_>) -> Option<String> {
    if node.children().next().is_some() {
        return None;
    }
    let text = node.text();
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => Some(format!("{}…", &text[..end])),
        None => Some(text.into_owned()),
    }
}

#[cfg(test)]
mod cases;
#[cfg(test)]
mod tests;
