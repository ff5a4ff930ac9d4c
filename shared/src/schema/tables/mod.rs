//! The schemas as constants. Nothing is read or built when the process starts.
//!
//! `infra/schema-tables.py` writes the tables in the other files. This file defines their notation.

mod built_in;
mod cac_a_to_c;
mod cac_d_to_o;
mod cac_p_to_s;
mod cac_t_to_z;
mod cbc;
pub(super) mod cct;
mod content;
mod documents;
pub(super) mod ds;
pub(super) mod envelope;
pub(super) mod eusr;
pub(super) mod sbdh;
pub(super) mod tdd;
pub(super) mod tsr;
pub(super) mod udt;
pub(super) mod xades;
pub(super) mod xades141;
pub(super) mod xs;

use super::datatype::Datatype;
use crate::xml::Name;

/// The aggregates of UBL, which several files contain.
mod cac {
    pub(super) use super::cac_p_to_s::PARTY;
}

/// The extension components of UBL.
mod ext {
    pub(super) use super::documents::UBL_EXTENSION;
}

/// A type: the allowed content of an element or an attribute (XML Schema Part 1 section 3.4).
#[derive(Debug)]
pub(super) struct Type {
    pub(super) named: Named,
    /// The base type; only `xs:anyType` has none.
    pub(super) base: Option<&'static Type>,
    pub(super) attributes: &'static [Attribute],
    pub(super) content: Content,
}

/// The name of a type for `xsi:type`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named {
    /// The name of this element, followed by `Type`.
    Element(Name),
    Text {
        space: &'static str,
        local: &'static str,
    },
}

/// The allowed content of an element.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    /// Anything: xs:anyType.
    Any,
    /// Nothing, not even white space.
    Empty,
    /// Text of this datatype.
    Value(Datatype),
    /// Elements in this order.
    Sequence(&'static [Particle]),
    /// Elements that follow the states, starting with the first. Mixed content also allows text between them.
    Model { mixed: bool, states: &'static [State] },
    /// The element or its type is abstract.
    Abstract,
}

#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: Name,
    pub(super) datatype: Datatype,
    pub(super) required: bool,
}

/// One element of a sequence.
#[derive(Debug)]
pub(super) struct Particle {
    pub(super) name: Name,
    pub(super) required: bool,
    pub(super) repeats: bool,
}

/// A state of a content model.
#[derive(Debug)]
pub(super) struct State {
    /// Whether the content may end here.
    pub(super) ends: bool,
    pub(super) edges: &'static [Edge],
}

/// An element that is allowed next, and the state that follows.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) on: On,
    pub(super) to: u8,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum On {
    /// The global element with this name.
    Global(Name),
    /// An element with a local declaration.
    Local(Name, &'static Type),
    /// Any element with a namespace other than this one.
    Other(&'static str, Contents),
    /// Any element.
    Any(Contents),
}

/// How an element that matches a wildcard is checked (XML Schema Part 1 section 3.10.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contents {
    /// By its declaration, which must exist.
    Strict,
    /// By its declaration, if there is one.
    Lax,
}

/// `TYPE (its elements) { namespace(ELEMENT occurs …) … }`: element content in a fixed order. Occurs is `!` for exactly
/// one, `?` for at most one, `+` for one or more, `*` for any number.
macro_rules! sequences {
    ($(
        $type:ident ($own_space:ident :: $own:ident $($space:ident :: $element:ident)*) {
            $($part_space:ident ($($part:ident $occurs:tt)*))*
        }
    )*) => {
        use $crate::schema::tables::{Content, Named, Particle, Type, occurs, xs};
        use $crate::xml::{Name, names};

        $(
            pub(super) static $type: Type = Type {
                named: Named::Element(names::$own_space::$own),
                base: Some(&xs::ANY_TYPE),
                attributes: &[],
                content: Content::Sequence(&[$($(Particle {
                    name: names::$part_space::$part,
                    required: occurs!(required $occurs),
                    repeats: occurs!(repeats $occurs),
                },)*)*]),
            };
        )*

        pub(super) const ELEMENTS: &[(Name, &Type)] = &[$(
            (names::$own_space::$own, &$type),
            $((names::$space::$element, &$type),)*
        )*];
    };
}
use sequences;

macro_rules! occurs {
    (required !) => {
        true
    };
    (required +) => {
        true
    };
    (required $other:tt) => {
        false
    };
    (repeats +) => {
        true
    };
    (repeats *) => {
        true
    };
    (repeats $other:tt) => {
        false
    };
}
use occurs;

/// `TYPE "its name" from BASE (ATTRIBUTE use Datatype, …) (its elements) = Datatype;`: text. Use is `!` for required
/// and `?` for optional.
macro_rules! values {
    (
        space $uri:literal;
        $(
            $type:ident $local:literal from $base_space:ident :: $base:ident
            ($($attribute:ident $use:tt $kind:expr),*)
            ($($space:ident :: $element:ident)*) = $datatype:expr;
        )*
    ) => {
        mod text {
            #[allow(unused_imports)] // not every namespace has attributes or elements of these
            use $crate::schema::{
                datatype::Datatype::*,
                tables::{Attribute, Content, Named, Type, cct, ds, envelope, eusr, occurs, sbdh, tdd, tsr, udt, xades, xs},
            };
            #[allow(unused_imports)]
            use $crate::xml::{Name, names};

            $(
                pub(in crate::schema) static $type: Type = Type {
                    named: Named::Text { space: $uri, local: $local },
                    base: Some(&$base_space::$base),
                    attributes: &[$(Attribute {
                        name: names::attr::$attribute,
                        datatype: $kind,
                        required: occurs!(required $use),
                    },)*],
                        content: Content::Value($datatype),
                };
            )*

            pub(in crate::schema) const TEXTS: &[&Type] = &[$(&$type),*];
            pub(in crate::schema) const TEXT_ELEMENTS: &[(Name, &Type)] =
                &[$($((names::$space::$element, &$type),)*)*];
        }
        #[allow(unused_imports)] // not every type is the base or the type of another table's
        pub(in crate::schema) use text::*;
    };
}
use values;

/// `TYPE (elements)`: elements whose type is defined in another table.
macro_rules! elements {
    ($($type_space:ident :: $type:ident ($($space:ident :: $element:ident)*))*) => {
        #[allow(unused_imports)]
        use $crate::schema::tables::{Type, udt, xs};
        use $crate::xml::{Name, names};

        pub(super) const ELEMENTS: &[(Name, &Type)] =
            &[$($((names::$space::$element, &$type_space::$type),)*)*];
    };
}
use elements;

/// `TYPE "its name" from BASE (attributes) (its elements) kind { states }`: a content model. A state is `ends` if the
/// content may end there, otherwise `goes`. An edge is an allowed element with the number of the next state.
/// `[ns::NAME]` is a global element, `[ns::NAME = TYPE]` a local one. `[other …]` and `[any …]` are wildcards.
macro_rules! models {
    (
        space $uri:literal;
        $(
            $type:ident $local:literal from $base_space:ident :: $base:ident
            ($($attribute:ident $use:tt $kind:expr),*)
            ($($space:ident :: $element:ident)*)
            $content:ident { $($ends:ident $([$($edge:tt)*] $to:literal)*;)* }
        )*
    ) => {
        mod model {
            #[allow(unused_imports)] // not every table needs every name
            use $crate::schema::{
                datatype::Datatype::*,
                tables::{
                    Attribute, Content, Contents, Edge, Named, On, State, Type, cac, cct, content, ds, edge,
                    eusr, ext, holds, occurs, sbdh, tdd, tsr, xades, xs,
                },
            };
            use $crate::xml::{Name, names};

            $(
                pub(in crate::schema) static $type: Type = Type {
                    named: Named::Text { space: $uri, local: $local },
                    base: Some(&$base_space::$base),
                    attributes: &[$(Attribute {
                        name: names::attr::$attribute,
                        datatype: $kind,
                        required: occurs!(required $use),
                    },)*],
                    content: holds!($content, &[$(State {
                        ends: holds!(state $ends),
                        edges: &[$(Edge { on: edge!($uri $($edge)*), to: $to },)*],
                    },)*]),
                };
            )*

            pub(in crate::schema) const MODELS: &[&Type] = &[$(&$type),*];
            pub(in crate::schema) const MODEL_ELEMENTS: &[(Name, &Type)] =
                &[$($((names::$space::$element, &$type),)*)*];
        }
        #[allow(unused_imports)]
        pub(in crate::schema) use model::*;
    };
}
use models;

macro_rules! holds {
    (state ends) => {
        true
    };
    (state goes) => {
        false
    };
    (elements, $states:expr) => {
        Content::Model { mixed: false, states: $states }
    };
    (mixed, $states:expr) => {
        Content::Model { mixed: true, states: $states }
    };
    (empty, $states:expr) => {
        Content::Empty
    };
    (abstract, $states:expr) => {
        Content::Abstract
    };
}
use holds;

macro_rules! edge {
    ($uri:literal other $contents:ident) => {
        On::Other($uri, Contents::$contents)
    };
    ($uri:literal any $contents:ident) => {
        On::Any(Contents::$contents)
    };
    ($uri:literal $space:ident :: $name:ident) => {
        On::Global(names::$space::$name)
    };
    ($uri:literal $space:ident :: $name:ident = $type_space:ident :: $type:ident) => {
        On::Local(names::$space::$name, &$type_space::$type)
    };
}
use edge;

/// All global elements with their types.
const ELEMENTS: &[&[(Name, &Type)]] = &[
    built_in::ELEMENTS,
    cac_a_to_c::ELEMENTS,
    cac_d_to_o::ELEMENTS,
    cac_p_to_s::ELEMENTS,
    cac_t_to_z::ELEMENTS,
    cbc::ELEMENTS,
    cct::TEXT_ELEMENTS,
    content::MODEL_ELEMENTS,
    documents::ELEMENTS,
    ds::MODEL_ELEMENTS,
    ds::TEXT_ELEMENTS,
    envelope::TEXT_ELEMENTS,
    eusr::MODEL_ELEMENTS,
    eusr::TEXT_ELEMENTS,
    sbdh::MODEL_ELEMENTS,
    sbdh::TEXT_ELEMENTS,
    tdd::MODEL_ELEMENTS,
    tdd::TEXT_ELEMENTS,
    tsr::MODEL_ELEMENTS,
    tsr::TEXT_ELEMENTS,
    udt::TEXT_ELEMENTS,
    xades::MODEL_ELEMENTS,
    xades::TEXT_ELEMENTS,
    xades141::MODEL_ELEMENTS,
];

/// The types that have a name of their own.
const TYPES: &[&[&Type]] = &[
    cct::TEXTS,
    content::MODELS,
    ds::MODELS,
    ds::TEXTS,
    envelope::TEXTS,
    eusr::MODELS,
    eusr::TEXTS,
    sbdh::MODELS,
    sbdh::TEXTS,
    tdd::MODELS,
    tdd::TEXTS,
    tsr::MODELS,
    tsr::TEXTS,
    udt::TEXTS,
    xades::MODELS,
    xades::TEXTS,
    xades141::MODELS,
    xs::TYPES,
];

/// The type of each global element, indexed by the number of its name.
static DECLARED: [Option<&Type>; Name::COUNT] = {
    let mut declared = [None; Name::COUNT];
    let mut table = 0;
    while table < ELEMENTS.len() {
        let mut at = 0;
        while at < ELEMENTS[table].len() {
            let (name, of_type) = ELEMENTS[table][at];
            declared[name.index()] = Some(of_type);
            at += 1;
        }
        table += 1;
    }
    declared
};

/// The type of a global element, in whatever schema.
pub(super) fn declared(name: Name) -> Option<&'static Type> {
    DECLARED.get(name.index()).copied().flatten()
}

/// Every global element with its type.
pub(super) fn all_elements() -> impl Iterator<Item = (Name, &'static Type)> {
    ELEMENTS.iter().copied().flatten().copied()
}

/// Every type that has a name of its own.
pub(super) fn all_types() -> impl Iterator<Item = &'static Type> {
    TYPES.iter().copied().flatten().copied()
}
