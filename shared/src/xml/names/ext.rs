//! Names in `urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    8, "ext" = "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2";
    EXTENSION_AGENCY_ID "ExtensionAgencyID", EXTENSION_AGENCY_NAME "ExtensionAgencyName",
    EXTENSION_AGENCY_URI "ExtensionAgencyURI", EXTENSION_CONTENT "ExtensionContent",
    EXTENSION_REASON "ExtensionReason", EXTENSION_REASON_CODE "ExtensionReasonCode",
    EXTENSION_URI "ExtensionURI", EXTENSION_VERSION_ID "ExtensionVersionID",
    UBL_EXTENSION "UBLExtension", UBL_EXTENSIONS "UBLExtensions",
}
