//! Which official text each rule implements, so that a new release is a checklist.
//!
//! `official.txt` holds, for each assert of the releases that the rule sets implement, the SHA-256
//! of its context, its test and the definitions that these use, all without layout. [`read`] does
//! the same to another release, and [`compare`] says what is new. Schematron is ISO/IEC 19757-3.

mod definitions;
mod layout;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::types::sha256_hex;
use crate::xml::{Node, Tree};
use definitions::Definitions;
use layout::{attribute, expression};

const TABLE: &str = include_str!("official.txt");
const SCHEMATRON: &str = "http://purl.oclc.org/dsdl/schematron";

/// Stands for an id where the order of a pattern's contexts is meant: of two contexts that match
/// the same node, the first one counts.
pub const ORDER: &str = "order-of-contexts";

/// One official assert, as it was read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The rule set, such as `pint-billing`.
    pub set: String,
    /// The pattern's id.
    pub pattern: String,
    /// The assert's id, or [`ORDER`].
    pub id: String,
    /// SHA-256 of what it says, in hexadecimal.
    pub digest: String,
    /// The line in the Schematron; 0 when it comes from the table.
    pub line: u32,
}

/// What became of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It is new.
    Added,
    /// It is no more.
    Removed,
    /// It says something else.
    Changed,
}

/// The entries of the releases that the rule sets implement, sorted.
pub fn implemented() -> Vec<Entry> {
    parse(TABLE)
}

/// The entries of a table, one a line.
fn parse(table: &str) -> Vec<Entry> {
    let entry = |line: &str| {
        let mut fields = line.split(' ').map(str::to_owned);
        let (set, pattern) = (fields.next()?, fields.next()?);
        Some(Entry { set, pattern, id: fields.next()?, digest: fields.next()?, line: 0 })
    };
    table.lines().filter_map(entry).collect()
}

/// The table of these entries, as `official.txt` holds it.
pub fn table(mut entries: Vec<Entry>) -> String {
    entries.sort();
    entries.iter().fold(String::new(), |mut text, entry| {
        let Entry { set, pattern, id, digest, .. } = entry;
        // Writing to a string does not fail.
        let _ = writeln!(text, "{set} {pattern} {id} {digest}");
        text
    })
}

/// The rule set that a Schematron belongs to, by the documents it speaks of; none when it is no
/// Schematron or of no set known here. Billing and self-billing speak of the same documents.
pub fn set_of(schematron: &Tree, self_billing: bool) -> Option<&'static str> {
    let root = schematron.root();
    if root.namespace() != SCHEMATRON || root.local_name() != "schema" {
        return None;
    }
    let speaks_of = |space: &str| {
        let mut spaces = children(root, "ns").filter_map(|ns| attribute(ns, "uri"));
        spaces.any(|uri| uri.ends_with(space))
    };
    if speaks_of("urn:fdc:peppol:transaction-statistics-report:1.0") {
        Some("tsr")
    } else if speaks_of("urn:fdc:peppol:end-user-statistics-report:1.1") {
        Some("eusr")
    } else if speaks_of("urn:peppol:schema:taxdata:1.0") {
        Some("tdd")
    } else if speaks_of(":ApplicationResponse-2") {
        Some("mls")
    } else if speaks_of(":Invoice-2") {
        Some(if self_billing { "pint-selfbilling" } else { "pint-billing" })
    } else {
        None
    }
}

/// The entries of a Schematron that belongs to a set, in its order.
///
/// # Errors
/// When it is built from parts that are not in it, which this comparison cannot see.
pub fn read(schematron: &Tree, set: &str) -> Result<Vec<Entry>, String> {
    const PARTS: [&str; 3] = ["include", "extends", "param"];
    let root = schematron.root();
    let is_part = |node: &Node<'_>| {
        let abstract_one = attribute(*node, "abstract") == Some("true");
        node.namespace() == SCHEMATRON && (abstract_one || PARTS.contains(&node.local_name()))
    };
    if let Some(part) = root.descendants().find(is_part) {
        return Err(format!("line {}: {} is not understood", part.line(), part.local_name()));
    }
    let mut entries = Vec::new();
    for pattern in children(root, "pattern") {
        let name = attribute(pattern, "id").unwrap_or("-");
        let entry = |id: &str, text: &str, line: u32| Entry {
            set: set.to_owned(),
            pattern: name.to_owned(),
            id: id.to_owned(),
            digest: sha256_hex(text.as_bytes()),
            line,
        };
        let mut order = String::new();
        for rule in children(pattern, "rule") {
            let context = expression(attribute(rule, "context").unwrap_or_default());
            order = order + &context + "\n";
            let known = Definitions::of([root, pattern, rule]);
            for assert in rule.children().filter(is_assert) {
                let said = said(assert, &context, &known);
                entries.push(entry(id(assert), &said, assert.line()));
            }
        }
        entries.push(entry(ORDER, &order, pattern.line()));
    }
    Ok(entries)
}

/// What is new in a release: each rule that is not as it was, sorted, with the line in the new
/// Schematron or 0. Only sets that occur in the new release are compared.
pub fn compare(old: &[Entry], new: &[Entry]) -> Vec<(Change, Entry)> {
    type Versions<'e> = (Vec<&'e Entry>, Vec<&'e Entry>);
    let mut rules: BTreeMap<(&str, &str, &str), Versions<'_>> = BTreeMap::new();
    fn key(entry: &Entry) -> (&str, &str, &str) {
        (&entry.set, &entry.pattern, &entry.id)
    }
    for entry in old.iter().filter(|entry| new.iter().any(|other| other.set == entry.set)) {
        rules.entry(key(entry)).or_default().0.push(entry);
    }
    for entry in new {
        // A rule that is as it was takes away what it was.
        let (old, new) = rules.entry(key(entry)).or_default();
        match old.iter().position(|was| was.digest == entry.digest) {
            Some(at) => drop(old.swap_remove(at)),
            None => new.push(entry),
        }
    }
    let mut changes = Vec::new();
    for (old, new) in rules.into_values() {
        let pairs = old.len().min(new.len());
        changes.extend(new[..pairs].iter().map(|entry| (Change::Changed, (*entry).clone())));
        changes.extend(new[pairs..].iter().map(|entry| (Change::Added, (*entry).clone())));
        changes.extend(old[pairs..].iter().map(|entry| (Change::Removed, (*entry).clone())));
    }
    changes
}

/// All that decides whether the assert holds, and what its breach means, without layout.
fn said(assert: Node<'_>, context: &str, known: &Definitions) -> String {
    let test = expression(attribute(assert, "test").unwrap_or_default());
    let weight = ["flag", "role"].map(|name| attribute(assert, name).unwrap_or_default()).join(" ");
    let used = known.used_by(&format!("{context}\n{test}"));
    format!("{}\n{context}\n{test}\n{weight}\n{used}", assert.local_name())
}

fn is_assert(node: &Node<'_>) -> bool {
    node.namespace() == SCHEMATRON && matches!(node.local_name(), "assert" | "report")
}

/// The assert's id, or the `[id]` that its text opens with.
fn id<'d>(assert: Node<'d>) -> &'d str {
    let in_text = || {
        let text = assert.own_texts().next()?.trim_start();
        text.strip_prefix('[')?.split_once(']').map(|(id, _)| id)
    };
    attribute(assert, "id").or_else(in_text).unwrap_or("-")
}

fn children<'d>(node: Node<'d>, name: &str) -> impl Iterator<Item = Node<'d>> {
    node.children()
        .filter(move |child| child.namespace() == SCHEMATRON && child.local_name() == name)
}

#[cfg(test)]
mod tests;
