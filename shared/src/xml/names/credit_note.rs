//! Names in `urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    4, "ubl" = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";
    CREDIT_NOTE "CreditNote",
}
