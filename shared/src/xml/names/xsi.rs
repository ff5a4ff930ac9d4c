//! Names in `http://www.w3.org/2001/XMLSchema-instance`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    2, "xsi" = "http://www.w3.org/2001/XMLSchema-instance";
    NIL "nil", NO_NAMESPACE_SCHEMA_LOCATION "noNamespaceSchemaLocation",
    SCHEMA_LOCATION "schemaLocation", TYPE "type",
}
