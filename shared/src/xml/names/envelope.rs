//! Names in `http://peppol.eu/xsd/ticc/envelope/1.0`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    17, "env" = "http://peppol.eu/xsd/ticc/envelope/1.0";
    BINARY_CONTENT "BinaryContent", TEXT_CONTENT "TextContent",
}
