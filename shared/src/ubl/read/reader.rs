//! The common part of all readers. A reader takes values from a document and records them, so that the values that no
//! reader took can be listed.

use std::collections::HashSet;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::{
    document::{Identifier, Operation},
    xml::{Name, Node, names::attr},
};

/// A value that was taken: the text of an element, or one of its attributes.
type Taken = (u32, Option<Name>);

/// Takes values. The calling reader decides what an element means. A value that a body cannot express exactly is not
/// taken.
pub(super) struct Reader {
    /// The operation whose body is read.
    pub(super) operation: Operation,
    /// IBT-005: the currency of amounts that name no other.
    pub(super) currency: String,
    taken: Vec<Taken>,
}

impl Reader {
    pub(super) fn new(operation: Operation, currency: String) -> Self {
        Reader { operation, currency, taken: Vec::new() }
    }

    /// Returns everything that was taken.
    pub(super) fn taken(self) -> HashSet<Taken> {
        let all = self.taken.len();
        let taken: HashSet<Taken> = self.taken.into_iter().collect();
        debug_assert_eq!(taken.len(), all, "a value is taken by one reader");
        taken
    }

    /// Whether the body of the operation has the field.
    pub(super) fn has(&self, field: &str) -> bool {
        self.operation.fields().any(|(known, _)| known == field)
    }

    /// Reads an object. If a required field is missing, the result is `None` and nothing of the object is taken.
    pub(super) fn object<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.taken.len();
        let object = read(self);
        if object.is_none() {
            self.taken.truncate(before);
        }
        object
    }

    /// Reads an object without required fields; `None` if all its fields are missing.
    pub(super) fn group<T: Default + PartialEq>(
        &mut self,
        read: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        self.object(|r| Some(read(r)).filter(|object| *object != T::default()))
    }

    /// Reads an object from each element, and skips elements for which `read` returns `None`.
    pub(super) fn list<'d, T>(
        &mut self,
        nodes: impl Iterator<Item = Node<'d>>,
        read: impl Fn(&mut Self, Node<'d>) -> Option<T>,
    ) -> Vec<T> {
        nodes.filter_map(|node| self.object(|r| read(r, node))).collect()
    }

    /// Takes the text of an element unchanged.
    pub(super) fn value(&mut self, node: Node<'_>) -> Option<String> {
        self.parsed(node, |text| (!text.trim().is_empty()).then(|| text.to_owned()))
    }

    /// Takes the text of the first element at a path.
    pub(super) fn text(&mut self, of: Node<'_>, path: &'static [Name]) -> Option<String> {
        self.value(of.find(path)?)
    }

    /// Takes an attribute of an element.
    pub(super) fn attribute(&mut self, of: Node<'_>, name: Name) -> Option<String> {
        let value = of.attribute(name).filter(|value| !value.trim().is_empty())?;
        self.taken.push((of.index(), Some(name)));
        Some(value.to_owned())
    }

    /// Takes an attribute if it has the expected constant value.
    pub(super) fn fixed_attribute(&mut self, of: Node<'_>, name: Name, expected: &str) {
        if of.attribute(name) == Some(expected) {
            self.taken.push((of.index(), Some(name)));
        }
    }

    /// Takes an element if it has the expected constant value.
    pub(super) fn fixed(&mut self, of: Node<'_>, path: &'static [Name], expected: &str) {
        let Some(node) = of.find(path) else { return };
        let _ = self.parsed(node, |text| (trimmed(text) == expected).then_some(()));
    }

    /// Takes an identifier with its scheme.
    pub(super) fn identifier(&mut self, of: Node<'_>, path: &'static [Name]) -> Option<Identifier> {
        let node = of.find(path)?;
        let id = self.value(node)?;
        Some(Identifier { id, scheme_id: self.attribute(node, attr::SCHEME_ID) })
    }

    /// Takes a date without a zone (ibr-073).
    pub(super) fn date(&mut self, of: Node<'_>, path: &'static [Name]) -> Option<Date> {
        self.parsed(of.find(path)?, date)
    }

    /// Takes an `xs:boolean`.
    pub(super) fn boolean(&mut self, of: Node<'_>, path: &'static [Name]) -> Option<bool> {
        self.parsed(of.find(path)?, boolean)
    }

    /// Takes a rate, percentage or factor.
    pub(super) fn number(&mut self, of: Node<'_>, path: &'static [Name]) -> Option<Decimal> {
        self.parsed(of.find(path)?, decimal)
    }

    /// Takes a quantity with its unit.
    pub(super) fn quantity(
        &mut self,
        of: Node<'_>,
        path: &'static [Name],
    ) -> Option<(Decimal, Option<String>)> {
        let node = of.find(path)?;
        Some((self.parsed(node, decimal)?, self.attribute(node, attr::UNIT_CODE)))
    }

    /// Takes an amount in the currency of the document.
    pub(super) fn amount(&mut self, of: Node<'_>, path: &'static [Name]) -> Option<Decimal> {
        let currency = self.currency.clone();
        self.amount_in(&currency, of, path)
    }

    /// Takes an amount in this currency. An amount in another currency is not taken, because a body has no field for
    /// it.
    pub(super) fn amount_in(
        &mut self,
        currency: &str,
        of: Node<'_>,
        path: &'static [Name],
    ) -> Option<Decimal> {
        let node = of.find(path)?;
        if node.attribute(attr::CURRENCY_ID).is_some_and(|given| given != currency) {
            return None;
        }
        let amount = self.parsed(node, decimal)?;
        self.fixed_attribute(node, attr::CURRENCY_ID, currency);
        Some(amount)
    }

    /// Takes an element if its text can be parsed.
    pub(super) fn parsed<T>(
        &mut self,
        node: Node<'_>,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        if node.children().next().is_some() {
            return None;
        }
        let value = parse(&node.text())?;
        self.taken.push((node.index(), None));
        Some(value)
    }
}

/// Whether an element has a descendant at this path with this text.
pub(super) fn says(node: Node<'_>, path: &'static [Name], expected: &str) -> bool {
    node.find(path).is_some_and(|child| trimmed(&child.text()) == expected)
}

/// Parses `xs:boolean` (XML Schema part 2, section 3.2.2).
pub(super) fn boolean(text: &str) -> Option<bool> {
    match trimmed(text) {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Parses `xs:decimal` (XML Schema part 2, section 3.2.3); `None` if the value cannot be kept exactly.
pub(crate) fn decimal(text: &str) -> Option<Decimal> {
    let text = trimmed(text);
    let is_plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.'));
    Decimal::from_str_exact(text).ok().filter(|_| is_plain)
}

/// Parses `YYYY-MM-DD` and no other form.
pub(crate) fn date(text: &str) -> Option<Date> {
    let text = trimmed(text);
    text.parse().ok().filter(|date: &Date| date.to_string() == text)
}

/// Removes white space around numbers, dates and codes. It has no meaning there (whiteSpace, XML Schema part 2, section
/// 4.3.6).
fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_exactly_or_not_at_all() {
        for (text, expected) in [
            ("100.00", Some("100.00")),
            (" 7.5\n", Some("7.5")),
            ("+.5", Some("0.5")),
            ("-0012.50", Some("-12.50")),
            ("1e3", None),
            ("1_000", None),
            ("", None),
            ("NaN", None),
            ("0.12345678901234567890123456789", None),
            ("79228162514264337593543950336", None),
        ] {
            let found = decimal(text).map(|found| found.to_string());
            assert_eq!(found.as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_date_with_a_zone_or_a_time_says_more_than_a_body_can() {
        for (text, is_date) in [
            ("2026-06-01", true),
            (" 2026-06-01 ", true),
            ("2026-06-01Z", false),
            ("2026-06-01+04:00", false),
            ("2026-06-01T10:00:00", false),
            ("20260601", false),
            ("2026-02-30", false),
        ] {
            assert_eq!(date(text).is_some(), is_date, "{text:?}");
        }
    }
}
