//! What the official artefacts say about a document, and what this service says beyond them:
//! structure, rules and own checks of the very bytes, in one list of findings.

use crate::{
    error::{Finding, Severity},
    mls, pint,
    rules::{self, Fired, RuleSet},
    schema, statistics, taxdata,
    xml::{self, Name, Node, ParseError, Places, Tree, names::cac},
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

/// Judges the bytes of an invoice, a credit note, a Tax Data Document, a Message Level Status or one of Peppol's own
/// reports.
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
            for (fired, severity) in own {
                verdict.push(Origin::Own, fired, severity);
            }
            Ok(verdict.sorted(&pointer))
        }
        "TaxData" => Ok(judge(document, &taxdata::RULES, &pointer).sorted(&pointer)),
        "ApplicationResponse" => Ok(judge(document, &mls::RULES, &pointer).sorted(&pointer)),
        "TransactionStatisticsReport" => {
            Ok(judge(document, &statistics::transactions::RULES, &pointer).sorted(&pointer))
        }
        "EndUserStatisticsReport" => {
            Ok(judge(document, &statistics::end_users::RULES, &pointer).sorted(&pointer))
        }
        _ => Err(Unjudged::Unknown(root.qualified_name().to_owned())),
    }
}

/// Findings before they are sorted by their place in the document.
struct Unsorted<'d> {
    set: &'static str,
    version: &'static str,
    findings: Vec<UnplacedFinding<'d>>,
    complete: bool,
}

/// A finding whose place is not written out yet: that is quicker in document order.
struct UnplacedFinding<'d> {
    node: Node<'d>,
    origin: Origin,
    order: usize,
    what: What<'d>,
}

enum What<'d> {
    /// An error of the schema, which says itself where it is.
    Said(Finding),
    /// A rule or own check about the element, or about what is missing below it.
    Fired(Fired<'d>, &'static [Name], Severity),
}

fn judge<'d, F>(
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
        // Cached: what is sorted is large, its key is not.
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

/// The term of a rule at the element that it fired at. A rule about any party names the term of one of them: within the
/// other party it is that one's, which has the same name but for whose it is (IBT-031 Seller VAT identifier, IBT-048 Buyer
/// VAT identifier).
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
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => Some(format!("{}…", &text[..end])),
        None => Some(text.into_owned()),
    }
}

#[cfg(test)]
mod tests;
