//! A term or a group of terms, and the conditions that distinguish elements with the same name.

use crate::{
    ubl::UNKNOWN,
    xml::{
        Name, Node,
        names::{attr, cac, cbc},
    },
};

/// The presentation of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rendering) enum Kind {
    /// A text, unchanged.
    Text,
    /// A day.
    Date,
    /// An amount, in the currency of its element.
    Amount,
    /// An amount after the text `AED`.
    AmountInAed,
    /// A number.
    Number,
    /// A rate.
    Percent,
    /// A code, with its meaning if known.
    Code,
    /// An embedded file, shown by its size.
    File,
}

/// An attribute that qualifies an element, and its business term.
pub(in crate::rendering) type Qualifier = (Name, &'static str);

/// A term, or a group of them.
pub(in crate::rendering) enum Place {
    /// A term.
    Term {
        /// Its id.
        id: &'static str,
        /// The path to its element.
        path: &'static [Name],
        /// Distinguishes elements with the same name.
        when: fn(Node<'_>) -> bool,
        /// How it is shown.
        kind: Kind,
        /// The attributes of its element that are terms.
        qualifiers: &'static [Qualifier],
    },
    /// Terms that belong together. Each element at the path is one instance.
    Group {
        /// Its id; empty for a group without a name, whose terms are shown with those around it.
        id: &'static str,
        /// The path to its element.
        path: &'static [Name],
        /// Distinguishes elements with the same name.
        when: fn(Node<'_>) -> bool,
        /// Its terms and groups.
        places: &'static [Place],
    },
    /// An element that UBL requires, but that carries no information.
    Silent {
        /// The path to the element.
        path: &'static [Name],
        /// Whether the element carries no information.
        when: fn(Node<'_>) -> bool,
    },
}

pub(super) const fn term(id: &'static str, path: &'static [Name], kind: Kind) -> Place {
    Place::Term { id, path, when: always, kind, qualifiers: &[] }
}

pub(super) const fn text(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Text)
}

pub(super) const fn code(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Code)
}

pub(super) const fn date(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Date)
}

pub(super) const fn amount(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Amount)
}

pub(super) const fn number(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Number)
}

pub(super) const fn percent(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Percent)
}

pub(super) const fn qualified(
    id: &'static str,
    path: &'static [Name],
    kind: Kind,
    qualifiers: &'static [Qualifier],
) -> Place {
    Place::Term { id, path, when: always, kind, qualifiers }
}

pub(super) const fn group(
    id: &'static str,
    path: &'static [Name],
    places: &'static [Place],
) -> Place {
    Place::Group { id, path, when: always, places }
}

pub(super) const fn silent(path: &'static [Name]) -> Place {
    Place::Silent { path, when: always }
}

/// An element that the schema requires, with the filler that a writer puts there.
pub(super) const fn filler(path: &'static [Name]) -> Place {
    Place::Silent { path, when: |node| node.normalized() == UNKNOWN }
}

impl Place {
    pub(super) const fn when(self, when: fn(Node<'_>) -> bool) -> Self {
        match self {
            Place::Term { id, path, kind, qualifiers, .. } => {
                Place::Term { id, path, when, kind, qualifiers }
            }
            Place::Group { id, path, places, .. } => Place::Group { id, path, when, places },
            Place::Silent { path, .. } => Place::Silent { path, when },
        }
    }
}

fn always(_: Node<'_>) -> bool {
    true
}

fn says(node: Node<'_>, path: &'static [Name], value: &str) -> bool {
    node.find(path).is_some_and(|found| found.normalized() == value)
}

pub(super) fn is_vat(node: Node<'_>) -> bool {
    says(node, &[cac::TAX_SCHEME, cbc::ID], "VAT")
}

pub(super) fn has_type(node: Node<'_>, code: &str) -> bool {
    says(node, &[cbc::DOCUMENT_TYPE_CODE], code)
}

pub(super) fn is_sepa(node: Node<'_>) -> bool {
    node.attribute(attr::SCHEME_ID) == Some("SEPA")
}

pub(super) fn is_licence(node: Node<'_>) -> bool {
    node.attribute(attr::SCHEME_AGENCY_ID) == Some("TL")
}

pub(super) fn is_charge(node: Node<'_>) -> bool {
    says(node, &[cbc::CHARGE_INDICATOR], "true")
}

/// Whether this is the total in the document currency. Only it has subtotals (ibr-sr-43).
pub(super) fn is_documents(node: Node<'_>) -> bool {
    let root = node.ancestors().last().unwrap_or(node);
    let currency = root.child(cbc::DOCUMENT_CURRENCY_CODE);
    let own = node.child(cbc::TAX_AMOUNT).and_then(|of| of.attribute(attr::CURRENCY_ID));
    currency.is_none_or(|currency| own == Some(&*currency.normalized()))
}
