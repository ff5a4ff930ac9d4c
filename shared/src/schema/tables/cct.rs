//! The core component types.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::values! {
    space "urn:un:unece:uncefact:data:specification:CoreComponentTypeSchemaModule:2";
    AMOUNT "AmountType" from xs::DECIMAL (CURRENCY_ID ? NormalizedString,
        CURRENCY_CODE_LIST_VERSION_ID ? NormalizedString) () = Decimal;
    BINARY_OBJECT "BinaryObjectType" from xs::BASE64_BINARY (FORMAT ? String,
        MIME_CODE ? NormalizedString, ENCODING_CODE ? NormalizedString,
        CHARACTER_SET_CODE ? NormalizedString, URI ? AnyUri, FILENAME ? String) () = Base64Binary;
    CODE "CodeType" from xs::NORMALIZED_STRING (LIST_ID ? NormalizedString,
        LIST_AGENCY_ID ? NormalizedString, LIST_AGENCY_NAME ? String, LIST_NAME ? String,
        LIST_VERSION_ID ? NormalizedString, NAME ? String, LANGUAGE_ID ? Language,
        LIST_URI ? AnyUri, LIST_SCHEME_URI ? AnyUri) () = NormalizedString;
    DATE_TIME "DateTimeType" from xs::STRING (FORMAT ? String) () = String;
    IDENTIFIER "IdentifierType" from xs::NORMALIZED_STRING (SCHEME_ID ? NormalizedString,
        SCHEME_NAME ? String, SCHEME_AGENCY_ID ? NormalizedString, SCHEME_AGENCY_NAME ? String,
        SCHEME_VERSION_ID ? NormalizedString, SCHEME_DATA_URI ? AnyUri, SCHEME_URI ? AnyUri) () =
        NormalizedString;
    INDICATOR "IndicatorType" from xs::STRING (FORMAT ? String) () = String;
    MEASURE "MeasureType" from xs::DECIMAL (UNIT_CODE ? NormalizedString,
        UNIT_CODE_LIST_VERSION_ID ? NormalizedString) () = Decimal;
    NUMERIC "NumericType" from xs::DECIMAL (FORMAT ? String) () = Decimal;
    QUANTITY "QuantityType" from xs::DECIMAL (UNIT_CODE ? NormalizedString,
        UNIT_CODE_LIST_ID ? NormalizedString, UNIT_CODE_LIST_AGENCY_ID ? NormalizedString,
        UNIT_CODE_LIST_AGENCY_NAME ? String) () = Decimal;
    TEXT "TextType" from xs::STRING (LANGUAGE_ID ? Language, LANGUAGE_LOCALE_ID ? NormalizedString)
        () = String;
}
