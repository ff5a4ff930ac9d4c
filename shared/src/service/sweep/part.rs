//! Parts of the index of due jobs.

use serde::Deserialize;

use crate::store::keys::DUE_SHARDS;

/// A part of the index: those of its shards whose numbers, divided by the count of the parts, leave this remainder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Part {
    number: u8,
    of: u8,
}

#[derive(Deserialize)]
struct Unchecked {
    number: u8,
    of: u8,
}

/// A part that the index does not have.
#[derive(Debug, thiserror::Error)]
#[error(
    "the index of due jobs has no part {number} of {of}: count from 0, and make at most {DUE_SHARDS} parts"
)]
struct NoSuchPart {
    number: u8,
    of: u8,
}

impl TryFrom<Unchecked> for Part {
    type Error = NoSuchPart;

    fn try_from(Unchecked { number, of }: Unchecked) -> Result<Self, NoSuchPart> {
        match number < of && of <= DUE_SHARDS {
            true => Ok(Part { number, of }),
            false => Err(NoSuchPart { number, of }),
        }
    }
}

impl Part {
    /// The whole index.
    pub const WHOLE: Part = Part { number: 0, of: 1 };

    pub(super) fn number(self) -> u8 {
        self.number
    }

    pub(super) fn is_first(self) -> bool {
        self.number == 0
    }

    pub(super) fn shards(self) -> impl Iterator<Item = u8> {
        self.of(DUE_SHARDS)
    }

    /// The shards of this part, of so many shards of anything.
    pub(in crate::service) fn of(self, shards: u8) -> impl Iterator<Item = u8> {
        (self.number..shards).step_by(self.of.into())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_parts_together_are_the_whole_index() {
        for of in [1, 3, 4, DUE_SHARDS] {
            let part = |number| {
                let part = format!(r#"{{"number": {number}, "of": {of}}}"#);
                serde_json::from_str::<Part>(&part)
            };
            let shards: Vec<_> = (0..of).flat_map(|it| part(it).unwrap().shards()).collect();
            assert_eq!(shards.len(), usize::from(DUE_SHARDS));
            assert_eq!(BTreeSet::from_iter(shards), (0..DUE_SHARDS).collect());
            assert!(part(of).is_err());
        }
        for part in [r#"{"number": 0, "of": 0}"#, r#"{"number": 0, "of": 65}"#] {
            assert!(serde_json::from_str::<Part>(part).is_err());
        }
    }
}
