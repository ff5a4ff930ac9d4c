//! Names in `urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    5, "ubl" = "urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2";
    APPLICATION_RESPONSE "ApplicationResponse",
}
