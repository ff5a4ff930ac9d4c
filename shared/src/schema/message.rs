//! The messages of errors: what is wrong, what is expected, how to fix it.

use super::datatype::Datatype;
use super::model::{Misfit, Place};
use super::tables::{Attribute, Content};
use crate::xml::{Name, Node};

/// Maximum length of a value and maximum number of names in a message.
const SHOWN: usize = 60;
const LISTED: usize = 8;

/// The name of an element: with the usual prefix, or as written if it is unknown.
fn called(node: Node<'_>) -> String {
    match node.name() {
        Name::OTHER => node.qualified_name().to_owned(),
        name => name.prefixed(),
    }
}

fn shown(value: &str) -> String {
    let value = value.trim();
    let mut short: String = value.chars().take(SHOWN).collect();
    if short.len() < value.len() {
        short.push('…');
    }
    short
}

/// `a`, `a or b`, `a, b or c`; a long list ends with the number of further names.
fn any_of(names: &[String]) -> String {
    let more = names.len().saturating_sub(LISTED);
    let listed = names.get(..names.len() - more).unwrap_or_default();
    match listed.split_last() {
        _ if more > 0 => format!("{} or one of {more} others", listed.join(", ")),
        None => "nothing".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

pub(super) fn root(node: Node<'_>) -> String {
    let namespace = shown(node.namespace());
    format!(
        "The document begins with {} of the namespace \"{namespace}\", which is not a known document. Begin it with an \
         Invoice, CreditNote or ApplicationResponse of UBL 2.1, a TaxData, a StandardBusinessDocument, a \
         TransactionStatisticsReport or an EndUserStatisticsReport, in its own namespace.",
        called(node)
    )
}

/// Why a child is not allowed here. `place` is the position in the content model after the preceding siblings.
pub(super) fn unexpected(node: Node<'_>, place: Place, content: &Content) -> String {
    let name = called(node);
    let parent = node.parent().map(called).unwrap_or_default();
    let expected = place.expected(content);
    match place.misfit(content, node.name()) {
        Misfit::Unknown => {
            format!("{parent} has no {name}. Remove it, or move it to where it belongs.")
        }
        Misfit::Early => {
            let missing = expected.last().map_or("", String::as_str);
            format!(
                "Before {name}, {parent} must have {missing}. Add it, or put the elements in order."
            )
        }
        Misfit::Late
            if node.parent().is_some_and(|parent| parent.child(node.name()) != Some(node)) =>
        {
            format!(
                "{parent} has {name} more often, or in more places, than allowed. Remove the surplus."
            )
        }
        Misfit::Late => {
            let before = any_of(&expected);
            format!(
                "{name} is too late in {parent}: expected here is {before}. Move it further up."
            )
        }
        Misfit::Elsewhere => {
            format!(
                "{name} is not allowed here in {parent}: expected here is {}.",
                any_of(&expected)
            )
        }
    }
}

/// The missing elements of an element that ends at `place`.
pub(super) fn incomplete(node: Node<'_>, place: Place, content: &Content) -> String {
    let name = called(node);
    match content {
        Content::Sequence(_) => {
            let missing = place.missing(content).join(" and ");
            format!("{name} must have {missing}, but ends without it. Add the missing content.")
        }
        _ => {
            let expected = any_of(&place.expected(content));
            format!("{name} ends too early; still expected is {expected}. Add it.")
        }
    }
}

pub(super) fn no_text(node: Node<'_>, text: &str) -> String {
    let (name, text) = (called(node), shown(text));
    format!("{name} contains the text \"{text}\", but may only contain elements. Remove the text.")
}

pub(super) fn only_text(node: Node<'_>, child: Node<'_>) -> String {
    let (name, child) = (called(node), called(child));
    format!("{name} contains the element {child}, but may only contain text. Remove the element.")
}

pub(super) fn must_be_empty(node: Node<'_>) -> String {
    format!("{} must be empty, even without white space. Remove its content.", called(node))
}

pub(super) fn value(node: Node<'_>, value: &str, datatype: Datatype) -> String {
    wrong(&called(node), value, datatype)
}

pub(super) fn attribute_value(
    node: Node<'_>,
    name: Name,
    value: &str,
    datatype: Datatype,
) -> String {
    wrong(&format!("the attribute {} of {}", name.prefixed(), called(node)), value, datatype)
}

fn wrong(place: &str, value: &str, datatype: Datatype) -> String {
    let short = shown(value);
    if value.trim() != value && datatype.accepts(value.trim()) {
        return format!(
            "There is white space around the value \"{short}\" of {place}. Remove the white space."
        );
    }
    let wanted = datatype.wanted();
    if short.is_empty() {
        return format!("{place} is empty, but must contain {wanted}. Fill it in or remove it.");
    }
    format!("The value \"{short}\" of {place} is wrong. It must be {wanted}. Correct it.")
}

pub(super) fn unknown_attribute(node: Node<'_>, name: &str, declared: &[Attribute]) -> String {
    let allowed: Vec<String> = declared.iter().map(|attribute| attribute.name.prefixed()).collect();
    let owner = called(node);
    if allowed.is_empty() {
        return format!(
            "The attribute {name} is not allowed: {owner} has no attributes. Remove it."
        );
    }
    format!(
        "The attribute {name} is not allowed at {owner}; allowed is {}. Remove it.",
        any_of(&allowed)
    )
}

pub(super) fn missing_attribute(node: Node<'_>, name: Name) -> String {
    format!("{} lacks the attribute {}. Add it.", called(node), name.prefixed())
}

pub(super) fn duplicate(node: Node<'_>, name: Name, value: &str) -> String {
    let (owner, name, value) = (called(node), name.prefixed(), shown(value));
    format!(
        "The attribute {name} of {owner} has the value \"{value}\", which already identifies another element. Give \
         each element its own identifier."
    )
}

pub(super) fn nil(node: Node<'_>) -> String {
    format!(
        "{} must not have xsi:nil. Remove the attribute, and the element if it is empty.",
        called(node)
    )
}

pub(super) fn instance(node: Node<'_>, value: &str, fault: &str) -> String {
    let (name, value) = (called(node), shown(value));
    format!("The xsi:type \"{value}\" of {name} {fault}. Remove the attribute.")
}

pub(super) fn undeclared(node: Node<'_>) -> String {
    format!(
        "{} is not declared in the schema, but must be declared in this place. Remove it.",
        called(node)
    )
}

pub(super) fn only_represents_others(node: Node<'_>) -> String {
    format!("{} is abstract. Use one of the elements that replace it.", called(node))
}
