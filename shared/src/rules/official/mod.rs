//! Records which official text each rule implements, so that a new release can be compared rule by rule.
//!
//! `official.txt` holds one line for each assert of the implemented releases. A line contains the SHA-256 of:
//! - the context of the assert;
//! - its test;
//! - the definitions that both use.
//!
//! White space that has no meaning is removed before hashing. [`read`] computes the same lines for another release, and
//! [`compare`] lists the differences. Schematron is ISO/IEC 19757-3.

mod definitions;
mod layout;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::types::sha256_hex;
use crate::xml::{Node, Tree};
use definitions::Definitions;
use layout::{attribute, expression};

const TABLE: &str = include_str!("../official.txt");
const SCHEMATRON: &str = "http://purl.oclc.org/dsdl/schematron";

/// The id of an entry that records the order of a pattern's contexts. The order matters because the first context that
/// matches a node wins.
pub const ORDER: &str = "order-of-contexts";

/// One official assert.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The rule set, such as `pint-billing`.
    pub set: String,
    /// The pattern's id.
    pub pattern: String,
    /// The assert's id, or [`ORDER`].
    pub id: String,
    /// SHA-256 of the text of the assert, in hexadecimal.
    pub digest: String,
    /// The line in the Schematron; 0 if the entry comes from the table.
    pub line: u32,
}

/// How a rule differs between two releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The rule is new.
    Added,
    /// The rule was removed.
    Removed,
    /// The text of the rule changed.
    Changed,
}

/// The entries of the implemented releases, sorted.
pub fn implemented() -> Vec<Entry> {
    parse(TABLE)
}

/// Parses a table with one entry a line.
fn parse(table: &str) -> Vec<Entry> {
    let entry = |line: &str| {
        let mut fields = line.split(' ').map(str::to_owned);
        let (set, pattern) = (fields.next()?, fields.next()?);
        Some(Entry { set, pattern, id: fields.next()?, digest: fields.next()?, line: 0 })
    };
    table.lines().filter_map(entry).collect()
}

/// Writes entries as a table in the format of `official.txt`.
pub fn table(mut entries: Vec<Entry>) -> String {
    entries.sort();
    entries.iter().fold(String::new(), |mut text, entry| {
        let Entry { set, pattern, id, digest, .. } = entry;
        // Writing to a string never fails.
        let _ = writeln!(text, "{set} {pattern} {id} {digest}");
        text
    })
}

/// Returns the rule set of a Schematron, recognised by its document namespaces; `None` for other files. Billing and
/// self-billing use the same namespaces, so the caller chooses between them.
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

/// Reads the entries of a Schematron, in its order.
///
/// # Errors
/// If the Schematron uses includes, extensions or abstract patterns. The comparison cannot resolve these.
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

/// Lists every rule that differs between two releases, sorted, with its line in the new Schematron or 0. Only sets that
/// occur in the new release are compared.
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
        // An unchanged rule is removed from the old entries.
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

/// The text that decides whether the assert holds and how severe a violation is, without layout.
fn said(assert: Node<'_>, context: &str, known: &Definitions) -> String {
    let test = expression(attribute(assert, "test").unwrap_or_default());
    let weight = ["flag", "role"].map(|name| attribute(assert, name).unwrap_or_default()).join(" ");
    let used = known.used_by(&format!("{context}\n{test}"));
    format!("{}\n{context}\n{test}\n{weight}\n{used}", assert.local_name())
}

fn is_assert(node: &Node<'_>) -> bool {
    node.namespace() == SCHEMATRON && matches!(node.local_name(), "assert" | "report")
}

/// The assert's id attribute, or the `[id]` at the start of its text.
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
