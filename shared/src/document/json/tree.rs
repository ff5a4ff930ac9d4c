//! A JSON text as a tree.

use std::{borrow::Cow, fmt};

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use sha2::{Digest, Sha256};

use crate::document::number::canonical_number;

/// A JSON value. Strings without escapes are borrowed from the input.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::document) enum Tree<'a> {
    Null,
    Bool(bool),
    /// The number as it was written.
    Number(Cow<'a, str>),
    Text(Cow<'a, str>),
    List(Vec<Tree<'a>>),
    /// Sorted by name; names are unique.
    Object(Vec<(Cow<'a, str>, Tree<'a>)>),
}

/// The name under which serde_json passes the text of a number (feature `arbitrary_precision`).
const NUMBER: &str = "$serde_json::private::Number";

impl<'a> Tree<'a> {
    /// Parses one JSON text (RFC 8259, UTF-8). The error contains line and column.
    pub(in crate::document) fn parse(json: &'a [u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(json)
            .map_err(|error| format!("the body is not UTF-8 (byte {})", error.valid_up_to() + 1))?;
        // RFC 8259, section 8.1: a parser may ignore a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // serde_json limits the depth to 128 levels.
        let mut parser = serde_json::Deserializer::from_str(text);
        let tree = TreeVisitor.deserialize(&mut parser).map_err(|error| error.to_string())?;
        parser.end().map_err(|error| error.to_string())?;
        Ok(tree)
    }

    /// Converts to a `serde_json` value.
    #[cfg(feature = "service")]
    pub(super) fn into_value(self) -> Result<serde_json::Value, serde_json::Error> {
        use serde_json::Value;
        Ok(match self {
            Tree::Null => Value::Null,
            Tree::Bool(value) => value.into(),
            Tree::Number(text) => serde_json::from_str(&text)?,
            Tree::Text(text) => text.into_owned().into(),
            Tree::List(items) => {
                Value::Array(items.into_iter().map(Tree::into_value).collect::<Result<_, _>>()?)
            }
            Tree::Object(members) => {
                let member = |(name, value): (Cow<'_, str>, Tree<'_>)| {
                    Ok::<_, serde_json::Error>((name.into_owned(), value.into_value()?))
                };
                Value::Object(members.into_iter().map(member).collect::<Result<_, _>>()?)
            }
        })
    }

    /// The name of this kind of value in a message.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Tree::Null => "null",
            Tree::Bool(_) => "a boolean",
            Tree::Number(_) => "a number",
            Tree::Text(_) => "a string",
            Tree::List(_) => "a list",
            Tree::Object(_) => "an object",
        }
    }

    /// Returns a member of an object; null counts as absent.
    pub(in crate::document) fn member(&self, name: &str) -> Option<&Tree<'a>> {
        let Tree::Object(members) = self else { return None };
        let at = members.binary_search_by(|(key, _)| key.as_ref().cmp(name)).ok()?;
        Some(&members.get(at)?.1).filter(|value| !matches!(value, Tree::Null))
    }

    /// Hashes the canonical form: sorted names, unescaped strings, numbers by value. Every part carries its length, so
    /// two different values never share a form.
    pub(in crate::document) fn digest(&self, hash: &mut Sha256) {
        let mut bytes = |kind: u8, text: &str| {
            hash.update([kind]);
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text.as_bytes());
        };
        match self {
            Tree::Null => hash.update(b"n"),
            Tree::Bool(value) => hash.update(if *value { b"t" } else { b"f" }),
            Tree::Number(text) => bytes(b'd', &canonical_number(text)),
            Tree::Text(text) => bytes(b's', text),
            Tree::List(items) => {
                hash.update(b"[");
                hash.update((items.len() as u64).to_be_bytes());
                items.iter().for_each(|item| item.digest(hash));
            }
            Tree::Object(members) => {
                hash.update(b"{");
                hash.update((members.len() as u64).to_be_bytes());
                for (name, value) in members {
                    hash.update((name.len() as u64).to_be_bytes());
                    hash.update(name.as_bytes());
                    value.digest(hash);
                }
            }
        }
    }
}

struct TreeVisitor;

impl<'de> DeserializeSeed<'de> for TreeVisitor {
    type Value = Tree<'de>;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<Tree<'de>, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Tree<'de>, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree<'de>, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree<'de>, E> {
        Ok(Tree::Number(value.to_string().into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree<'de>, E> {
        Ok(Tree::Number(value.to_string().into()))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_string<E>(self, value: String) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Owned(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(TreeVisitor)? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree<'de>, A::Error> {
        let mut members: Vec<(Cow<'de, str>, Tree<'de>)> = Vec::new();
        while let Some(name) = map.next_key_seed(TreeVisitor)? {
            let Tree::Text(name) = name else { return Err(A::Error::custom("a name is a string")) };
            let value = map.next_value_seed(TreeVisitor)?;
            if name == NUMBER
                && let Tree::Text(text) = value
            {
                return Ok(Tree::Number(text));
            }
            members.push((name, value));
        }
        members.sort_by(|a, b| a.0.cmp(&b.0));
        // RFC 8259 section 4 does not define which of two equal names counts, so both are refused.
        if let Some((name, _)) =
            members.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|p| &p[0])
        {
            let name: String = name.chars().take(100).collect();
            return Err(A::Error::custom(format!(
                "the name {name:?} appears twice in this object"
            )));
        }
        Ok(Tree::Object(members))
    }
}
