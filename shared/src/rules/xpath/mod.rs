//! The parts of XPath 2.0 that official rules use, with the behaviour of the referee (SaxonC).
//!
//! A function that official expressions call on a path takes the nodes of that path. It fails where the original fails:
//! - for more than one node;
//! - for a text that cannot be cast.
//!
//! In the referee, an operand of `and` or `or` that decides the result wins over an operand that fails, in either
//! order.
//! A rule fires unless its expression is true. So a rule made of `and` and `or` may treat a failing operand as false,
//! and plain Rust operators are enough.

mod arithmetic;
mod dates;
mod decimal;
mod digits;
mod double;

use std::borrow::Cow;
use std::collections::HashSet;

pub use arithmetic::{cents, in_cents, line_net, percentage, sum_of, truncated};
pub use dates::{Date, date, is_time};
pub use decimal::Decimal;
pub use digits::is_digit;
pub use double::{Double, compare_number, is_number, number};

use crate::xml::{Name, Node};

/// The official expression raises a dynamic error here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DynamicError;

/// The value of an expression, or its dynamic error.
pub type Evaluated<T> = Result<T, DynamicError>;

/// Up to this number of values, all pairs are compared; above it, a hash set is used.
const FEW: usize = 8;

/// Removes XML white space from both ends. This is the `whiteSpace` facet `collapse` for values without inner white
/// space.
/// The function also removes form feeds, which no XML document can contain.
pub fn trim(text: &str) -> &str {
    text.trim_ascii()
}

/// Returns the only item, or `None` if there is no item.
///
/// # Errors
/// If there is more than one item: `XPTY0004`.
pub fn lone<T>(mut items: impl Iterator<Item = T>) -> Evaluated<Option<T>> {
    match (items.next(), items.next()) {
        (_, Some(_)) => Err(DynamicError),
        (item, None) => Ok(item),
    }
}

/// `exists(nodes)`.
pub fn exists<T>(mut nodes: impl Iterator<Item = T>) -> bool {
    nodes.next().is_some()
}

/// `count(nodes) <= most`.
pub fn at_most<T>(most: usize, mut nodes: impl Iterator<Item = T>) -> bool {
    nodes.nth(most).is_none()
}

/// `string(nodes)`; the empty string if there is no node.
///
/// # Errors
/// For more than one node.
pub fn string<'d>(nodes: impl Iterator<Item = Node<'d>>) -> Evaluated<Cow<'d, str>> {
    Ok(lone(nodes)?.map_or(Cow::Borrowed(""), Node::text))
}

/// `normalize-space(nodes)`.
///
/// # Errors
/// For more than one node.
pub fn normalized<'d>(nodes: impl Iterator<Item = Node<'d>>) -> Evaluated<Cow<'d, str>> {
    Ok(lone(nodes)?.map_or(Cow::Borrowed(""), Node::normalized))
}

/// `normalize-space(nodes) != ''`.
pub fn has_text<'d>(nodes: impl Iterator<Item = Node<'d>>) -> bool {
    lone(nodes).is_ok_and(|node| node.is_some_and(Node::has_text))
}

/// `string(nodes/text())`: the text directly inside an element.
///
/// # Errors
/// For more than one text node. A comment inside the text splits it into two nodes.
pub fn own_text<'d>(nodes: impl Iterator<Item = Node<'d>>) -> Evaluated<&'d str> {
    Ok(lone(nodes.flat_map(Node::own_texts))?.unwrap_or_default())
}

/// `string-length(substring-after(nodes, '.')) <= most`: limits the number of written decimals.
pub fn at_most_decimals<'d>(most: usize, nodes: impl Iterator<Item = Node<'d>>) -> bool {
    string(nodes).is_ok_and(|text| {
        let decimals = text.split_once('.').map_or("", |(_, decimals)| decimals);
        decimals.chars().nth(most).is_none()
    })
}

/// `xs:boolean(text)`.
///
/// # Errors
/// For any text except `true`, `false`, `1` and `0`; white space around these is allowed.
pub fn boolean(text: &str) -> Evaluated<bool> {
    match trim(text) {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(DynamicError),
    }
}

/// `nodes = true()` or `nodes = false()`: whether at least one node has this value.
///
/// # Errors
/// If a node that is not a boolean precedes the first node with this value.
pub fn is_boolean<'d>(nodes: impl Iterator<Item = Node<'d>>, wanted: bool) -> Evaluated<bool> {
    some(nodes, |node| Ok(boolean(&node.text())? == wanted))
}

/// `some $item in items satisfies …`, evaluated up to the first item that satisfies.
///
/// # Errors
/// If an item that fails precedes the first item that satisfies.
pub fn some<T>(
    items: impl IntoIterator<Item = T>,
    mut is_so: impl FnMut(T) -> Evaluated<bool>,
) -> Evaluated<bool> {
    for item in items {
        if is_so(item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `xs:decimal(nodes)`.
///
/// # Errors
/// For more than one node, and for a text that is not a decimal.
pub fn decimal<'d>(nodes: impl Iterator<Item = Node<'d>>) -> Evaluated<Option<Decimal>> {
    lone(nodes)?.map(|node| Decimal::parse(&node.text())).transpose()
}

/// `xs:integer(nodes)`.
///
/// # Errors
/// For more than one node, and for a text that is not a whole number.
pub fn integer<'d>(nodes: impl Iterator<Item = Node<'d>>) -> Evaluated<Option<Decimal>> {
    let whole = |node: Node<'d>| match node.text() {
        text if text.contains('.') => Err(DynamicError),
        text => Decimal::parse(&text),
    };
    lone(nodes)?.map(whole).transpose()
}

/// `xs:date(nodes)`.
///
/// # Errors
/// For more than one node, and for a text that is not a date.
pub fn date_of<'d>(nodes: impl Iterator<Item = Node<'d>>) -> Evaluated<Option<Date>> {
    lone(nodes)?.map(|node| date(&node.text())).transpose()
}

/// `sum(parents/xs:decimal(name))`.
///
/// # Errors
/// If one of the operands fails.
pub fn sum<'d>(parents: impl Iterator<Item = Node<'d>>, name: Name) -> Evaluated<Decimal> {
    let mut sum = Decimal::ZERO;
    for parent in parents {
        if let Some(value) = decimal(parent.all(name))? {
            sum = sum.plus(&value);
        }
    }
    Ok(sum)
}

/// `ones = others`, by text: whether at least one pair is equal.
pub fn some_equal<'o, 't, O, T>(ones: O, others: T) -> bool
where
    O: Iterator<Item = Node<'o>>,
    T: Iterator<Item = Node<'t>> + Clone,
{
    let mut ones = ones.peekable();
    if ones.peek().is_none() {
        return false;
    }
    if at_most(FEW, others.clone()) {
        return ones.any(|one| {
            let one = one.text();
            others.clone().any(|other| other.text() == one)
        });
    }
    let others: HashSet<_> = others.map(Node::text).collect();
    ones.any(|one| others.contains(&*one.text()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::{Limits, Tree, names::cbc, parse_with};

    fn document(inside: &str) -> Tree<'static> {
        let space = cbc::ID.namespace();
        let text = format!("<r xmlns='{space}'>{inside}</r>");
        parse_with(text.into_bytes(), &Limits::DEFAULT).unwrap()
    }

    #[test]
    fn booleans_have_four_spellings() {
        for (text, value) in [("true", true), ("1", true), (" false\n", false), ("0", false)] {
            assert_eq!(boolean(text), Ok(value));
        }
        for text in ["", "TRUE", "01", "yes", "\u{a0}true"] {
            assert_eq!(boolean(text), Err(DynamicError), "{text:?}");
        }
    }

    #[test]
    fn a_comparison_stops_at_the_first_node_that_is_so() {
        let found = document("<ID>0</ID><ID>1</ID><ID>x</ID>");
        assert_eq!(is_boolean(found.root().all(cbc::ID), true), Ok(true));
        let failed = document("<ID>x</ID><ID>1</ID>");
        assert_eq!(is_boolean(failed.root().all(cbc::ID), true), Err(DynamicError));
        let none = document("<ID>0</ID>");
        assert_eq!(is_boolean(none.root().all(cbc::ID), true), Ok(false));
    }

    #[test]
    fn a_function_on_several_nodes_fails() {
        let two = document("<ID>a</ID><ID>b</ID>");
        assert_eq!(string(two.root().all(cbc::ID)), Err(DynamicError));
        assert!(!has_text(two.root().all(cbc::ID)));
        assert_eq!(string(two.root().all(cbc::NOTE)).as_deref(), Ok(""));
        assert_eq!(decimal(two.root().all(cbc::NOTE)), Ok(None));
    }

    #[test]
    fn an_integer_has_no_point() {
        let numbers = document("<ID> +12 </ID><Note>12.0</Note><Name>1</Name><Name>2</Name>");
        assert_eq!(integer(numbers.root().all(cbc::ID)), Ok(Some(Decimal::whole(12))));
        assert_eq!(integer(numbers.root().all(cbc::NOTE)), Err(DynamicError));
        assert_eq!(integer(numbers.root().all(cbc::NAME)), Err(DynamicError));
        assert_eq!(integer(numbers.root().all(cbc::LINE)), Ok(None));
    }

    #[test]
    fn a_comment_makes_two_texts_of_one() {
        let split = document("<ID>a<!-- --></ID><Note>a<!-- -->b</Note><Name>a<Line/></Name>");
        let own = |name| own_text(split.root().all(name));
        assert_eq!(own(cbc::ID), Ok("a"));
        assert_eq!(own(cbc::NOTE), Err(DynamicError));
        assert_eq!(own(cbc::NAME), Ok("a"));
        assert_eq!(own(cbc::VALUE), Ok(""));
    }

    #[test]
    fn decimals_are_counted_as_written() {
        let written = document("<ID>1.00</ID><Note>1.000</Note><Name>1.00 </Name><Value>7</Value>");
        let two = |name| at_most_decimals(2, written.root().all(name));
        assert!(two(cbc::ID) && two(cbc::VALUE) && two(cbc::LINE));
        assert!(!two(cbc::NOTE) && !two(cbc::NAME));
    }

    #[test]
    fn some_pair_is_equal() {
        let one = document("<ID>a</ID><ID>b</ID><Note>b</Note><Name>c</Name>");
        let ids = || one.root().all(cbc::ID);
        assert!(some_equal(ids(), one.root().all(cbc::NOTE)));
        assert!(!some_equal(ids(), one.root().all(cbc::NAME)));
        let many = document(&(0..100).map(|i| format!("<ID>{i}</ID>")).collect::<String>());
        assert!(!some_equal(one.root().all(cbc::NAME), many.root().all(cbc::ID)));
        assert!(some_equal(many.root().all(cbc::ID), many.root().all(cbc::ID)));
    }
}
