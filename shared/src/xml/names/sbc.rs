//! Names in `urn:oasis:names:specification:ubl:schema:xsd:SignatureBasicComponents-2`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    11, "sbc" = "urn:oasis:names:specification:ubl:schema:xsd:SignatureBasicComponents-2";
    REFERENCED_SIGNATURE_ID "ReferencedSignatureID",
}
