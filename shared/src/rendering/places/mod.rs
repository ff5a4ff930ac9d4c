//! The UBL 2.1 elements of the business terms of PINT-AE, in reading order.

mod amounts;
mod head;
mod lines;
mod parties;
mod place;

pub(super) use self::{
    amounts::{ALLOWANCES, BREAKDOWN, PAYMENT, TOTALS},
    head::{ATTACHMENTS, DOCUMENT, REFERENCES},
    lines::LINES,
    parties::{BUYER, OTHERS, SELLER},
    place::{Kind, Place},
};

#[cfg(test)]
pub(super) const ALL: [&[Place]; 11] = [
    DOCUMENT,
    REFERENCES,
    SELLER,
    BUYER,
    OTHERS,
    LINES,
    ALLOWANCES,
    BREAKDOWN,
    TOTALS,
    PAYMENT,
    ATTACHMENTS,
];
