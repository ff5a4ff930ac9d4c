//! Names in `urn:oasis:names:specification:ubl:schema:xsd:SignatureAggregateComponents-2`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    10, "sac" = "urn:oasis:names:specification:ubl:schema:xsd:SignatureAggregateComponents-2";
    SIGNATURE_INFORMATION "SignatureInformation",
}
