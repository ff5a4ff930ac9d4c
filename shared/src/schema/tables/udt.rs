//! The unqualified datatypes of UBL.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::values! {
    space "urn:oasis:names:specification:ubl:schema:xsd:UnqualifiedDataTypes-2";
    AMOUNT "AmountType" from cct::AMOUNT (CURRENCY_ID ! NormalizedString,
        CURRENCY_CODE_LIST_VERSION_ID ? NormalizedString) () = Decimal;
    BINARY_OBJECT "BinaryObjectType" from cct::BINARY_OBJECT (FORMAT ? String,
        MIME_CODE ! NormalizedString, ENCODING_CODE ? NormalizedString,
        CHARACTER_SET_CODE ? NormalizedString, URI ? AnyUri, FILENAME ? String) () = Base64Binary;
    CODE "CodeType" from cct::CODE (LIST_ID ? NormalizedString, LIST_AGENCY_ID ? NormalizedString,
        LIST_AGENCY_NAME ? String, LIST_NAME ? String, LIST_VERSION_ID ? NormalizedString,
        NAME ? String, LANGUAGE_ID ? Language, LIST_URI ? AnyUri, LIST_SCHEME_URI ? AnyUri) () =
        NormalizedString;
    DATE "DateType" from xs::DATE () () = Date;
    DATE_TIME "DateTimeType" from xs::DATE_TIME () () = DateTime;
    GRAPHIC "GraphicType" from cct::BINARY_OBJECT (FORMAT ? String, MIME_CODE ! NormalizedString,
        ENCODING_CODE ? NormalizedString, CHARACTER_SET_CODE ? NormalizedString, URI ? AnyUri,
        FILENAME ? String) () = Base64Binary;
    IDENTIFIER "IdentifierType" from cct::IDENTIFIER (SCHEME_ID ? NormalizedString,
        SCHEME_NAME ? String, SCHEME_AGENCY_ID ? NormalizedString, SCHEME_AGENCY_NAME ? String,
        SCHEME_VERSION_ID ? NormalizedString, SCHEME_DATA_URI ? AnyUri, SCHEME_URI ? AnyUri) () =
        NormalizedString;
    INDICATOR "IndicatorType" from xs::BOOLEAN () () = Boolean;
    MEASURE "MeasureType" from cct::MEASURE (UNIT_CODE ! NormalizedString,
        UNIT_CODE_LIST_VERSION_ID ? NormalizedString) () = Decimal;
    NAME "NameType" from cct::TEXT (LANGUAGE_ID ? Language, LANGUAGE_LOCALE_ID ? NormalizedString)
        () = String;
    NUMERIC "NumericType" from cct::NUMERIC (FORMAT ? String) () = Decimal;
    PERCENT "PercentType" from cct::NUMERIC (FORMAT ? String) () = Decimal;
    PICTURE "PictureType" from cct::BINARY_OBJECT (FORMAT ? String, MIME_CODE ! NormalizedString,
        ENCODING_CODE ? NormalizedString, CHARACTER_SET_CODE ? NormalizedString, URI ? AnyUri,
        FILENAME ? String) () = Base64Binary;
    QUANTITY "QuantityType" from cct::QUANTITY (UNIT_CODE ? NormalizedString,
        UNIT_CODE_LIST_ID ? NormalizedString, UNIT_CODE_LIST_AGENCY_ID ? NormalizedString,
        UNIT_CODE_LIST_AGENCY_NAME ? String) () = Decimal;
    RATE "RateType" from cct::NUMERIC (FORMAT ? String) () = Decimal;
    SOUND "SoundType" from cct::BINARY_OBJECT (FORMAT ? String, MIME_CODE ! NormalizedString,
        ENCODING_CODE ? NormalizedString, CHARACTER_SET_CODE ? NormalizedString, URI ? AnyUri,
        FILENAME ? String) () = Base64Binary;
    TEXT "TextType" from cct::TEXT (LANGUAGE_ID ? Language, LANGUAGE_LOCALE_ID ? NormalizedString)
        () = String;
    TIME "TimeType" from xs::TIME () () = Time;
    VALUE "ValueType" from cct::NUMERIC (FORMAT ? String) () = Decimal;
    VIDEO "VideoType" from cct::BINARY_OBJECT (FORMAT ? String, MIME_CODE ! NormalizedString,
        ENCODING_CODE ? NormalizedString, CHARACTER_SET_CODE ? NormalizedString, URI ? AnyUri,
        FILENAME ? String) () = Base64Binary;
}
