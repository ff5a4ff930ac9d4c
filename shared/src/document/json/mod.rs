//! Reads JSON and reports every error at once, each with its pointer.
//!
//! Bytes become a [`Tree`], which keeps the text of numbers (no float is involved) and refuses duplicate names. A tree
//! becomes a struct through [`FromJson`], which [`objects!`] derives from the list of fields.

mod tree;
mod values;

pub(super) use self::tree::Tree;
pub use self::values::MAX_TEXT;

use super::{findings::Findings, place::Place, suggest};
#[cfg(feature = "service")]
use crate::error::{Code, Failure, Finding};

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
