//! Names in `http://www.w3.org/XML/1998/namespace`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    1, "xml" = "http://www.w3.org/XML/1998/namespace";
    BASE "base", ID "id", LANG "lang", SPACE "space",
}
