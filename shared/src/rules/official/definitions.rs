//! The definitions that an expression depends on: variables, functions and namespace prefixes.

use std::collections::BTreeMap;

use super::layout::{attribute, expression, has_word};
use crate::xml::Node;

/// The definitions that are visible in a scope. The key is the form of their use: `$name`, `name(` or `prefix:`.
pub(super) struct Definitions(BTreeMap<String, String>);

impl Definitions {
    /// Collects the definitions of each scope. An inner scope overrides an outer one.
    pub(super) fn of<'d>(scopes: impl IntoIterator<Item = Node<'d>>) -> Self {
        let scopes = scopes.into_iter().flat_map(Node::children);
        Definitions(scopes.filter_map(definition).collect())
    }

    /// Returns all definitions that the expression needs, directly or through other definitions.
    pub(super) fn used_by(&self, expression: &str) -> String {
        let mut found: BTreeMap<&str, &str> = BTreeMap::new();
        let mut open = vec![expression];
        while let Some(text) = open.pop() {
            for (usage, body) in self.0.iter().filter(|(usage, _)| uses(text, usage)) {
                if found.insert(usage, body).is_none() {
                    open.push(body);
                }
            }
        }
        found.iter().map(|(usage, body)| format!("{usage}{body}\n")).collect()
    }
}

fn definition(node: Node<'_>) -> Option<(String, String)> {
    match node.local_name() {
        "let" | "variable" => Some((format!("${}", attribute(node, "name")?), body(node))),
        "function" => Some((format!("{}(", attribute(node, "name")?), body(node))),
        "ns" => {
            let uri = attribute(node, "uri").unwrap_or_default();
            Some((format!("{}:", attribute(node, "prefix")?), uri.to_owned()))
        }
        _ => None,
    }
}

fn uses(text: &str, usage: &str) -> bool {
    match usage.split_at(usage.len() - 1) {
        (word, after @ ("(" | ":")) => has_word(text, word, after),
        _ => has_word(text, usage, ""),
    }
}

/// Serialises an element with its content, without layout.
fn body(node: Node<'_>) -> String {
    let mut attributes: Vec<_> = node
        .written_attributes()
        .map(|attribute| {
            format!("@{}={}", attribute.qualified_name(), expression(attribute.value()))
        })
        .collect();
    attributes.sort();
    let text = node.own_texts().collect::<String>();
    let inside: String = node.children().map(body).collect();
    format!("<{}{}>{}{inside}", node.local_name(), attributes.concat(), text.trim())
}
