//! Names in `http://uri.etsi.org/01903/v1.4.1#`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    14, "xades141" = "http://uri.etsi.org/01903/v1.4.1#";
    ARCHIVE_TIME_STAMP_V2 "ArchiveTimeStampV2",
    TIME_STAMP_VALIDATION_DATA "TimeStampValidationData",
}
