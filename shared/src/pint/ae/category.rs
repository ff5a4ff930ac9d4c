//! VAT categories, as the official contexts and expressions evaluate them.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::rules::xpath::{self, Decimal, Evaluated};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// The VAT categories of PINT-AE (ibr-139-ae).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Category {
    /// `S`: standard rate.
    Standard,
    /// `Z`: zero rate.
    Zero,
    /// `E`: exempt.
    Exempt,
    /// `O`: not subject to VAT.
    OutOfScope,
    /// `AE`: reverse charge.
    ReverseCharge,
    /// `N`: margin scheme.
    Margin,
}

/// The number of categories: the length of a table with one entry for each.
pub(super) const CATEGORIES: usize = 6;

impl Category {
    /// The category of a code.
    pub(super) fn of_code(code: &str) -> Option<Self> {
        Some(match code {
            "S" => Self::Standard,
            "Z" => Self::Zero,
            "E" => Self::Exempt,
            "O" => Self::OutOfScope,
            "AE" => Self::ReverseCharge,
            "N" => Self::Margin,
            _ => return None,
        })
    }
}

/// `normalize-space(cbc:ID)`: empty without an id, an error for several ids.
pub(super) fn code(category: Node<'_>) -> Evaluated<Cow<'_, str>> {
    xpath::normalized(category.all(cbc::ID))
}

/// `cac:TaxScheme/normalize-space(upper-case(cbc:ID)) = 'VAT'`.
pub(super) fn is_vat(category: Node<'_>) -> Evaluated<bool> {
    xpath::some(category.all(cac::TAX_SCHEME), |scheme| {
        Ok(xpath::normalized(scheme.all(cbc::ID))?.eq_ignore_ascii_case("VAT"))
    })
}

/// The category that a context with `normalize-space(cbc:ID) = '…'` and a VAT scheme matches. `None` if a predicate
/// raises an error, because such a pattern does not match (XSLT 3.0, 5.5.4).
pub(super) fn matched(category: Node<'_>) -> Option<Category> {
    let found = Category::of_code(&code(category).ok()?)?;
    (is_vat(category) == Ok(true)).then_some(found)
}

/// Whether `cbc:Percent` is one number above zero.
pub(super) fn has_rate_above_zero(category: Node<'_>) -> bool {
    matches!(xpath::decimal(category.all(cbc::PERCENT)), Ok(Some(rate)) if rate > Decimal::ZERO)
}

/// Whether `cbc:Percent` is one number, and zero.
pub(super) fn has_rate_zero(category: Node<'_>) -> bool {
    matches!(xpath::decimal(category.all(cbc::PERCENT)), Ok(Some(rate)) if rate.is_zero())
}

/// `nodes = 0`
pub(super) fn some_is_zero<'d>(nodes: impl Iterator<Item = Node<'d>>) -> bool {
    xpath::some(nodes, |node| Ok(xpath::compare_number(&node.text(), 0)? == Ordering::Equal))
        == Ok(true)
}
