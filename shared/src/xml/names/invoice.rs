//! Names in `urn:oasis:names:specification:ubl:schema:xsd:Invoice-2`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    3, "ubl" = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
    INVOICE "Invoice",
}
