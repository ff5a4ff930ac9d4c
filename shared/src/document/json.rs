//! Reads JSON and reports every error at once, each with its pointer.
//!
//! Bytes become a [`Tree`], which keeps the text of numbers (no float is involved) and refuses duplicate names. A tree
//! becomes a struct through [`FromJson`], which [`objects!`] derives from the list of fields.
//! the list of fields.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use sha2::{Digest, Sha256};

use super::{findings::Findings, number::canonical_number, place::Place, suggest};
#[cfg(feature = "service")]
use crate::error::{Code, Failure, Finding};

/// A JSON value. Strings without escapes are borrowed from the input.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree<'a> {
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
    pub(super) fn parse(json: &'a [u8]) -> Result<Self, String> {
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
    fn into_value(self) -> Result<serde_json::Value, serde_json::Error> {
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
    fn kind(&self) -> &'static str {
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
    pub(super) fn member(&self, name: &str) -> Option<&Tree<'a>> {
        let Tree::Object(members) = self else { return None };
        let at = members.binary_search_by(|(key, _)| key.as_ref().cmp(name)).ok()?;
        Some(&members.get(at)?.1).filter(|value| !matches!(value, Tree::Null))
    }

    /// Hashes the canonical form: sorted names, unescaped strings, numbers by value. Every part carries its length, so
    /// two different values never share a form.
    pub(super) fn digest(&self, hash: &mut Sha256) {
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

/// Reads a request body that is not a document, with the same rules as for documents. The text is UTF-8 with an
/// optional byte order mark, and the names of an object are unique.
#[cfg(feature = "service")]
pub(crate) fn read_value(body: &[u8]) -> Result<serde_json::Value, Failure> {
    let malformed =
        |error: String| Failure::new(Code::MalformedJson, format!("The body is not JSON: {error}"));
    let tree = Tree::parse(body).map_err(malformed)?;
    tree.into_value().map_err(|error| malformed(error.to_string()))
}

/// Reports an unknown field of a request body that is not a document. `at` points to its object.
#[cfg(feature = "service")]
pub(crate) fn unknown_member(at: &str, name: &str, known: &[&'static str]) -> Finding {
    let (pointer, message) = if name.len() <= 200 {
        // RFC 6901, section 3: escaping.
        let pointer = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        let message = match suggest::meant(name, known.iter().copied()) {
            Some(meant) => format!("{name:?} is not a field here: did you mean `{meant}`?"),
            None => format!("{name:?} is not a field here; there are {}", known.join(", ")),
        };
        (pointer, message)
    } else {
        let start: String = name.chars().take(40).collect();
        (at.to_owned(), format!("a name that starts with {start:?} is not a field here"))
    };
    Finding::error(pointer, "AP-JSON-unknown-field", message)
}

/// A value that a tree can be read into. Errors go to the findings and the result is `None`. The object then keeps the
/// default, so reading and checking continue.
pub(super) trait FromJson: Sized + Default {
    /// Whether the field is required.
    const REQUIRED: bool = true;

    /// Reads the value.
    fn from_json(tree: &Tree<'_>, place: Place<'_>, findings: &mut Findings) -> Option<Self>;

    /// The value of an absent field.
    fn absent() -> Option<Self> {
        None
    }
}

/// A value that can be written as JSON.
pub(super) trait ToJson {
    /// The JSON value; `None` if the value is absent.
    fn to_json(&self) -> Option<serde_json::Value>;
}

/// The name of a field, and whether it is required.
pub type Field = (&'static str, bool);

/// The name of an object's schema, and its fields.
pub type Object = (&'static str, &'static [Field]);

/// The JSON name of a field: a raw identifier without its `r#`.
pub(super) const fn name(identifier: &'static str) -> &'static str {
    match identifier.as_bytes() {
        [b'r', b'#', ..] => identifier.split_at(2).1,
        _ => identifier,
    }
}

/// Reports a value of the wrong JSON type.
pub(super) fn wrong_type(tree: &Tree<'_>, expected: &str, place: Place<'_>, to: &mut Findings) {
    let kind = tree.kind();
    to.error(place, "AP-JSON-type", format!("expected {expected}, found {kind}"));
}

/// Reads one field.
pub(super) fn read_field<T: FromJson>(
    tree: &Tree<'_>,
    field: &'static str,
    place: Place<'_>,
    findings: &mut Findings,
) -> Option<T> {
    match tree.member(field) {
        Some(value) => T::from_json(value, place.field(field), findings),
        None => {
            if T::REQUIRED {
                let message = format!("{field} is required");
                findings.error(place.field(field), "AP-JSON-required", message);
            }
            T::absent()
        }
    }
}

/// Checks that a tree is an object and that all its members are known.
pub(super) fn open_object(
    tree: &Tree<'_>,
    fields: &[Field],
    place: Place<'_>,
    findings: &mut Findings,
) -> Option<()> {
    let Tree::Object(members) = tree else {
        wrong_type(tree, "an object", place, findings);
        return None;
    };
    // ibr-079: an object without values would become an empty element.
    let says_nothing = members.iter().all(|(_, value)| matches!(value, Tree::Null));
    if says_nothing && !fields.iter().any(|(_, required)| *required) && !place.is_root() {
        findings.error(place, "AP-JSON-empty", "empty object: leave the field out instead");
    }
    for (member, _) in members {
        if !fields.iter().any(|(field, _)| field == member) {
            unknown_field(member, fields.iter().map(|(field, _)| *field), place, findings);
        }
    }
    Some(())
}

/// Reports an unknown field by its name. A very long name is not repeated; its object is reported.
pub(super) fn unknown_field(
    member: &str,
    fields: impl Iterator<Item = &'static str>,
    place: Place<'_>,
    findings: &mut Findings,
) {
    if member.len() <= 200 {
        // A finding that will be dropped needs no comparison.
        let meant = if findings.is_full() { None } else { suggest::meant(member, fields) };
        let message = match meant {
            Some(meant) => format!("{member:?} is not a field here: did you mean `{meant}`?"),
            None => format!("{member:?} is not a field here; see the API reference for names"),
        };
        findings.error(place.field(member), "AP-JSON-unknown-field", message);
    } else {
        let start: String = member.chars().take(40).collect();
        let message = format!("a name that starts with {start:?} is not a field here");
        findings.error(place, "AP-JSON-unknown-field", message);
    }
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

/// Maximum length of a text field, in characters. The contents of attachments are not limited by it.
pub const MAX_TEXT: usize = 5_000;

/// Whether XML 1.0 allows the character (Char, production 2).
pub(super) fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
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

/// Declares JSON objects. One list of fields gives the struct, its reader, its writer and its schema.
macro_rules! objects {
    ($($(#[$doc:meta])* struct $name:ident { $($(#[$fdoc:meta])* $field:ident : $type:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Default, PartialEq)]
            #[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
            pub struct $name { $($(#[$fdoc])* pub $field: $type,)* }

            impl $name {
                /// The names of the fields, and whether each is required.
                pub const FIELDS: &'static [$crate::document::Field] = &[$((
                    $crate::document::json::name(stringify!($field)),
                    <$type as $crate::document::json::FromJson>::REQUIRED,
                ),)*];
            }

            impl $crate::document::json::FromJson for $name {
                fn from_json(
                    tree: &$crate::document::json::Tree<'_>,
                    place: $crate::document::place::Place<'_>,
                    findings: &mut $crate::document::findings::Findings,
                ) -> Option<Self> {
                    use $crate::document::json::{name, open_object, read_field};
                    open_object(tree, Self::FIELDS, place, findings)?;
                    $(let $field = read_field(tree, name(stringify!($field)), place, findings);)*
                    Some($name { $($field: $field.unwrap_or_default(),)* })
                }
            }

            impl $crate::document::json::ToJson for $name {
                fn to_json(&self) -> Option<serde_json::Value> {
                    use $crate::document::json::name;
                    let mut members = serde_json::Map::new();
                    $(if let Some(value) = self.$field.to_json() {
                        members.insert(name(stringify!($field)).to_owned(), value);
                    })*
                    Some(serde_json::Value::Object(members))
                }
            }
        )*

        /// The objects of this module.
        pub(super) const OBJECTS: &[$crate::document::json::Object] =
            &[$((stringify!($name), $name::FIELDS),)*];
    };
}
pub(super) use objects;
