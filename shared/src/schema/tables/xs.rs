//! The types that are built into XML Schema (Part 2 section 3).

use super::{Content, Named, Type};
use crate::schema::datatype::Datatype;

const SPACE: &str = "http://www.w3.org/2001/XMLSchema";

/// The base of all types.
pub(in crate::schema) static ANY_TYPE: Type = Type {
    named: Named::Text { space: SPACE, local: "anyType" },
    base: None,
    attributes: &[],
    content: Content::Any,
};

/// The type of an abstract element.
pub(in crate::schema) static ABSTRACT: Type = Type {
    named: Named::Text { space: "", local: "" },
    base: Some(&ANY_TYPE),
    attributes: &[],
    content: Content::Abstract,
};

macro_rules! built_in {
    ($($type:ident $local:literal $datatype:ident from $base:ident;)*) => {
        $(
            pub(in crate::schema) static $type: Type = Type {
                named: Named::Text { space: SPACE, local: $local },
                base: Some(&$base),
                attributes: &[],
                content: Content::Value(Datatype::$datatype),
            };
        )*

        pub(super) const TYPES: &[&Type] = &[&ANY_TYPE, $(&$type),*];
    };
}

built_in! {
    ANY_SIMPLE_TYPE "anySimpleType" AnySimple from ANY_TYPE;
    ANY_URI "anyURI" AnyUri from ANY_SIMPLE_TYPE;
    BASE64_BINARY "base64Binary" Base64Binary from ANY_SIMPLE_TYPE;
    BOOLEAN "boolean" Boolean from ANY_SIMPLE_TYPE;
    DATE "date" Date from ANY_SIMPLE_TYPE;
    DATE_TIME "dateTime" DateTime from ANY_SIMPLE_TYPE;
    DECIMAL "decimal" Decimal from ANY_SIMPLE_TYPE;
    DOUBLE "double" Double from ANY_SIMPLE_TYPE;
    DURATION "duration" Duration from ANY_SIMPLE_TYPE;
    FLOAT "float" Double from ANY_SIMPLE_TYPE;
    G_DAY "gDay" Day from ANY_SIMPLE_TYPE;
    G_MONTH "gMonth" Month from ANY_SIMPLE_TYPE;
    G_MONTH_DAY "gMonthDay" MonthDay from ANY_SIMPLE_TYPE;
    G_YEAR "gYear" Year from ANY_SIMPLE_TYPE;
    G_YEAR_MONTH "gYearMonth" YearMonth from ANY_SIMPLE_TYPE;
    HEX_BINARY "hexBinary" HexBinary from ANY_SIMPLE_TYPE;
    NOTATION "NOTATION" Nothing from ANY_SIMPLE_TYPE;
    Q_NAME "QName" QName from ANY_SIMPLE_TYPE;
    STRING "string" String from ANY_SIMPLE_TYPE;
    TIME "time" Time from ANY_SIMPLE_TYPE;
    NORMALIZED_STRING "normalizedString" NormalizedString from STRING;
    TOKEN "token" Token from NORMALIZED_STRING;
    LANGUAGE "language" Language from TOKEN;
    NAME "Name" Name from TOKEN;
    NMTOKEN "NMTOKEN" NmToken from TOKEN;
    NC_NAME "NCName" NcName from NAME;
    ENTITY "ENTITY" Nothing from NC_NAME;
    ID "ID" Id from NC_NAME;
    IDREF "IDREF" NcName from NC_NAME;
    ENTITIES "ENTITIES" NoItems from ANY_SIMPLE_TYPE;
    IDREFS "IDREFS" NcNames from ANY_SIMPLE_TYPE;
    NMTOKENS "NMTOKENS" NmTokens from ANY_SIMPLE_TYPE;
    INTEGER "integer" Integer from DECIMAL;
    LONG "long" Long from INTEGER;
    NEGATIVE_INTEGER "negativeInteger" NegativeInteger from NON_POSITIVE_INTEGER;
    NON_NEGATIVE_INTEGER "nonNegativeInteger" NonNegativeInteger from INTEGER;
    NON_POSITIVE_INTEGER "nonPositiveInteger" NonPositiveInteger from INTEGER;
    POSITIVE_INTEGER "positiveInteger" PositiveInteger from NON_NEGATIVE_INTEGER;
    INT "int" Int from LONG;
    SHORT "short" Short from INT;
    BYTE "byte" Byte from SHORT;
    UNSIGNED_LONG "unsignedLong" UnsignedLong from NON_NEGATIVE_INTEGER;
    UNSIGNED_INT "unsignedInt" UnsignedInt from UNSIGNED_LONG;
    UNSIGNED_SHORT "unsignedShort" UnsignedShort from UNSIGNED_INT;
    UNSIGNED_BYTE "unsignedByte" UnsignedByte from UNSIGNED_SHORT;
}
