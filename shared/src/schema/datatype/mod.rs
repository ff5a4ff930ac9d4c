//! The built-in datatypes of XML Schema (Part 2 section 3), with the verdicts of libxml2.
//!
//! libxml2 deviates from the recommendation in some places. This module follows every deviation and names it where it
//! occurs. So this service and other access points accept the same values.

mod binary;
mod letters;
mod names;
mod numbers;
mod ranges;
mod times;
mod uri;

/// A datatype, as far as its values differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Datatype {
    AnySimple,
    AnyUri,
    Base64Binary,
    Boolean,
    Byte,
    Date,
    DateTime,
    Day,
    Decimal,
    /// `xs:double` and `xs:float`.
    Double,
    Duration,
    Enumeration(&'static [&'static str]),
    HexBinary,
    /// The value must also be unique in the document; the checker ensures that.
    Id,
    Int,
    Integer,
    Language,
    Long,
    Month,
    MonthDay,
    Name,
    NcName,
    NcNames,
    NegativeInteger,
    NmToken,
    NmTokens,
    /// Only an empty list. An entity must be declared, and there is no document type here.
    NoItems,
    NonNegativeInteger,
    NonPositiveInteger,
    NormalizedString,
    /// No value at all, for the same reason as in [`Datatype::NoItems`].
    Nothing,
    PositiveInteger,
    /// The prefix must also be declared; the checker ensures that.
    QName,
    Short,
    String,
    Time,
    Token,
    UnsignedByte,
    UnsignedInt,
    UnsignedLong,
    UnsignedShort,
    Year,
    YearMonth,
}

impl Datatype {
    /// Whether a value belongs to the datatype.
    ///
    /// White space at the ends is allowed where libxml2 skips it.
    pub(super) fn accepts(self, value: &str) -> bool {
        use Datatype::*;
        match self {
            // White space is normalised before the check, and then every text is valid.
            AnySimple | String | NormalizedString | Token => true,
            AnyUri => uri::is_any_uri(value),
            Base64Binary => binary::is_base64(value.as_bytes()),
            Boolean => matches!(trim(value), "true" | "false" | "1" | "0"),
            Date | DateTime | Time | Year | YearMonth | Month | MonthDay | Day => {
                times::is_moment(self, value.as_bytes())
            }
            Decimal => numbers::is_decimal(value.as_bytes()),
            Double => numbers::is_double(value.as_bytes()),
            Duration => times::is_duration(value.as_bytes()),
            Enumeration(values) => values.contains(&value),
            HexBinary => binary::is_hex(trim(value).as_bytes()),
            Language => names::is_language(trim(value)),
            Name => names::is_name(trim(value)),
            Id | NcName => names::is_nc_name(trim(value)),
            NmToken => names::is_nm_token(trim(value)),
            QName => names::is_qname(trim(value)),
            NcNames => value.split_ascii_whitespace().all(names::is_nc_name),
            NmTokens => value.split_ascii_whitespace().all(names::is_nm_token),
            NoItems => trim(value).is_empty(),
            Nothing => false,
            Integer => numbers::integer(value, None, None),
            NonNegativeInteger => numbers::integer(value, Some(0), None),
            PositiveInteger => numbers::integer(value, Some(1), None),
            NonPositiveInteger => numbers::integer(value, None, Some(0)),
            NegativeInteger => numbers::integer(value, None, Some(-1)),
            Long => numbers::within(value, i64::MIN, i64::MAX),
            Int => numbers::within(value, i32::MIN, i32::MAX),
            Short => numbers::within(value, i16::MIN, i16::MAX),
            Byte => numbers::within(value, i8::MIN, i8::MAX),
            UnsignedLong => numbers::within(value, 0, u64::MAX),
            UnsignedInt => numbers::within(value, 0, u32::MAX),
            UnsignedShort => numbers::within(value, 0, u16::MAX),
            UnsignedByte => numbers::within(value, 0, u8::MAX),
        }
    }

    /// Describes a valid value in words.
    pub(super) fn wanted(self) -> std::string::String {
        use Datatype::*;
        let words = match self {
            AnySimple | String | NormalizedString | Token => "text",
            AnyUri => "a URI, such as https://example.com/page",
            Base64Binary => "base64 data",
            Boolean => "true or false",
            Date => "a date such as 2025-06-30",
            DateTime => "a date and a time such as 2025-06-30T12:00:00Z",
            Day => "a day such as ---31",
            Decimal => "a decimal number such as 1234.56",
            Double => "a number",
            Duration => "a duration such as P1DT2H",
            Enumeration(values) => return values.join(" or "),
            HexBinary => "hexadecimal data",
            Id => "an identifier that begins with a letter or `_`",
            Language => "a language tag such as en or ar-AE",
            Month => "a month such as --06",
            MonthDay => "a month and a day such as --06-30",
            Name | NcName | QName => "an XML name",
            NcNames => "XML names parted by spaces",
            NmToken | NmTokens => "letters, digits and `.`, `-`, `_`, `:`",
            NoItems | Nothing => "a name that a document type declares, which is not allowed",
            Time => "a time such as 12:00:00 or 12:00:00+04:00",
            Year => "a year such as 2025",
            YearMonth => "a year and a month such as 2025-06",
            PositiveInteger => "a whole number above 0",
            NonPositiveInteger => "a whole number up to 0",
            NegativeInteger => "a whole number below 0",
            NonNegativeInteger => "a whole number from 0",
            Integer => "a whole number",
            Long => "a whole number of 64 bits",
            Int => "a whole number of 32 bits",
            Short => "a whole number from -32768 to 32767",
            Byte => "a whole number from -128 to 127",
            UnsignedLong => "a whole number from 0, of 64 bits",
            UnsignedInt => "a whole number from 0, of 32 bits",
            UnsignedShort => "a whole number from 0 to 65535",
            UnsignedByte => "a whole number from 0 to 255",
        };
        words.to_owned()
    }
}

/// Whether the byte is XML white space.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Removes white space from both ends.
fn trim(value: &str) -> &str {
    value.trim_matches([' ', '\t', '\n', '\r'])
}

/// Removes white space from the start.
fn trim_start(value: &[u8]) -> &[u8] {
    let blanks = value.iter().take_while(|byte| is_blank(**byte)).count();
    value.get(blanks..).unwrap_or_default()
}

/// Splits off the leading digits.
fn digits(value: &[u8]) -> (&[u8], &[u8]) {
    let count = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    value.split_at(count)
}

#[cfg(test)]
mod tests;
