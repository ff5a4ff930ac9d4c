//! The elements of a type that is built into XML Schema.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::elements! {
    xs::ABSTRACT (sbdh::SCOPE_INFORMATION)
    xs::ANY_URI (xades::SPURI)
    xs::DATE_TIME (xades::SIGNING_TIME)
    xs::STRING (ds::KEY_NAME ds::MGMT_DATA)
}
