//! All reads and writes of the table. Expressions are built only here and in the other files of `store`.

mod errors;
mod expressions;
mod items;
mod pauses;
mod reads;
mod writes;

pub(super) use self::{
    errors::{corrupt, unavailable, unknown},
    expressions::{Expression, Update, absent},
    items::{Item, expiring, from_item, key_item, key_of, to_item},
    pauses::pause,
    writes::{Updated, Write, Written},
};
