//! The Peppol business message envelope's content.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::values! {
    space "http://peppol.eu/xsd/ticc/envelope/1.0";
    BINARY_CONTENT "BinaryContentType" from xs::BASE64_BINARY (MIME_TYPE ! Token, ENCODING ? Token)
        (envelope::BINARY_CONTENT) = Base64Binary;
    TEXT_CONTENT "TextContentType" from xs::STRING (MIME_TYPE ! Token) (envelope::TEXT_CONTENT) =
        String;
}
