//! Names in `urn:oasis:names:specification:ubl:schema:xsd:CommonSignatureComponents-2`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    9, "sig" = "urn:oasis:names:specification:ubl:schema:xsd:CommonSignatureComponents-2";
    UBL_DOCUMENT_SIGNATURES "UBLDocumentSignatures",
}
