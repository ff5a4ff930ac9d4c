//! Reading JSON so that every mistake is found at once, each with its place.

/// Declares JSON objects: the struct, its reader and its schema from one list of fields.
macro_rules! objects {
    ($($(#[$doc:meta])* struct $name:ident { $($(#[$fdoc:meta])* $field:ident : $type:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Default, PartialEq, utoipa::ToSchema)]
            pub struct $name { $($(#[$fdoc])* pub $field: $type,)* }
        )*
    };
}
pub(super) use objects;
