//! The content of an extension.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::models! {
    space "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2";
    EXTENSION_CONTENT "ExtensionContentType" from xs::ANY_TYPE () (ext::EXTENSION_CONTENT) elements
        {
        goes [other Lax] 1;
        ends;
    }
}
