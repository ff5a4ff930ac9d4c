//! All reads and writes of the table. Expressions are built only here and in the other files of `store`.

mod errors;
mod expressions;
mod items;
mod packed;
mod pauses;
mod reads;
mod writes;

pub(crate) use self::items::from_item;
#[cfg(test)]
pub(super) use self::packed::attribute;
#[cfg(test)]
pub(crate) use self::packed::unpacked;
pub(super) use self::{
    errors::{corrupt, unavailable, unknown},
    expressions::{Expression, Update, absent},
    items::{Item, expiring, key_item, key_of, to_item},
    packed::{item_of_json, item_to_json, packed},
    pauses::pause,
    writes::{Updated, Write, Written},
};
