//! The values of fields: texts, flags, lists and maps.

use std::collections::BTreeMap;

use super::{FromJson, ToJson, Tree, wrong_type};
use crate::document::{findings::Findings, place::Place};

/// Maximum length of a text field, in characters. The contents of attachments are not limited by it.
pub const MAX_TEXT: usize = 5_000;

/// Whether XML 1.0 allows the character (Char, production 2).
fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

impl<T: FromJson> FromJson for Option<T> {
    const REQUIRED: bool = false;

    fn from_json(tree: &Tree<'_>, place: Place<'_>, findings: &mut Findings) -> Option<Self> {
        T::from_json(tree, place, findings).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    const REQUIRED: bool = false;

    fn from_json(tree: &Tree<'_>, place: Place<'_>, findings: &mut Findings) -> Option<Self> {
        // One payment means is the common case, so it needs no list around it.
        if matches!(tree, Tree::Object(_)) && place.is("payment_means") {
            return T::from_json(tree, place, findings).map(|only| vec![only]);
        }
        let Tree::List(items) = tree else {
            let one_or_many = place.is("payment_means");
            let expected = if one_or_many { "a list or an object" } else { "a list" };
            wrong_type(tree, expected, place, findings);
            return None;
        };
        let mut read = |(i, item)| T::from_json(item, place.index(i), findings).unwrap_or_default();
        Some(items.iter().enumerate().map(&mut read).collect())
    }

    fn absent() -> Option<Self> {
        Some(Vec::new())
    }
}

impl FromJson for bool {
    fn from_json(tree: &Tree<'_>, place: Place<'_>, findings: &mut Findings) -> Option<Self> {
        let Tree::Bool(value) = tree else {
            wrong_type(tree, "true or false", place, findings);
            return None;
        };
        Some(*value)
    }
}

impl FromJson for String {
    fn from_json(tree: &Tree<'_>, place: Place<'_>, findings: &mut Findings) -> Option<Self> {
        let Tree::Text(text) = tree else {
            wrong_type(tree, "a string", place, findings);
            return None;
        };
        if let Some(c) = text.chars().find(|c| !is_xml_char(*c)) {
            let message = format!("XML does not allow the character U+{:04X}", u32::from(c));
            findings.error(place, "AP-JSON-character", message);
        } else if text.trim().is_empty() {
            // ibr-079: UBL must not have empty elements.
            findings.error(place, "AP-JSON-empty", "empty text: leave the field out instead");
        } else if text.len() > MAX_TEXT
            && !place.is("content_base64")
            && text.chars().count() > MAX_TEXT
        {
            let message = format!("longer than {MAX_TEXT} characters");
            findings.error(place, "AP-JSON-length", message);
        } else {
            return Some(text.clone().into_owned());
        }
        None
    }
}

impl FromJson for BTreeMap<String, String> {
    const REQUIRED: bool = false;

    fn from_json(tree: &Tree<'_>, place: Place<'_>, findings: &mut Findings) -> Option<Self> {
        let Tree::Object(members) = tree else {
            wrong_type(tree, "an object of strings", place, findings);
            return None;
        };
        let mut map = BTreeMap::new();
        for (name, value) in members {
            match value {
                Tree::Text(text) => {
                    map.insert(name.clone().into_owned(), text.clone().into_owned());
                }
                _ if name.len() <= 200 => {
                    wrong_type(value, "a string", place.field(name), findings)
                }
                _ => wrong_type(value, "an object of strings", place, findings),
            }
        }
        (map.len() == members.len()).then_some(map)
    }

    fn absent() -> Option<Self> {
        Some(BTreeMap::new())
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(&self) -> Option<serde_json::Value> {
        self.as_ref().and_then(ToJson::to_json)
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(&self) -> Option<serde_json::Value> {
        (!self.is_empty()).then(|| self.iter().filter_map(ToJson::to_json).collect())
    }
}

impl ToJson for bool {
    fn to_json(&self) -> Option<serde_json::Value> {
        Some((*self).into())
    }
}

impl ToJson for String {
    fn to_json(&self) -> Option<serde_json::Value> {
        Some(self.as_str().into())
    }
}

impl ToJson for BTreeMap<String, String> {
    fn to_json(&self) -> Option<serde_json::Value> {
        let member = |(k, v): (&String, &String)| (k.clone(), serde_json::Value::from(v.as_str()));
        (!self.is_empty()).then(|| serde_json::Value::Object(self.iter().map(member).collect()))
    }
}
