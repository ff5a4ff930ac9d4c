//! Advanced electronic signatures, XAdES 1.4.1.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::models! {
    space "http://uri.etsi.org/01903/v1.4.1#";
    VALIDATION_DATA "ValidationDataType" from xs::ANY_TYPE (ID ? Id, UR ? AnyUri)
        (xades141::TIME_STAMP_VALIDATION_DATA) elements {
        ends [xades::CERTIFICATE_VALUES] 1 [xades::REVOCATION_VALUES] 2;
        ends [xades::REVOCATION_VALUES] 2;
        ends;
    }
}
