//! Counts by keys. Keys that the official rules treat as equal share one count.

use std::collections::BTreeMap;

use super::{Country, write::Key};
use crate::peppol::identifiers::{DocumentType, Process, SeatId};

/// Counts by their keys, in the order of the keys.
pub(super) struct Groups<T>(BTreeMap<String, (Vec<Key>, T)>);

impl<T: Default> Groups<T> {
    pub(super) fn new() -> Self {
        Groups(BTreeMap::new())
    }

    /// The count for these keys.
    pub(super) fn of(&mut self, keys: Vec<Key>) -> &mut T {
        let texts: Vec<_> = keys.iter().map(Key::compared).collect();
        &mut self.0.entry(texts.join("::")).or_insert_with(|| (keys, T::default())).1
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&[Key], &T)> {
        self.0.values().map(|(keys, counted)| (keys.as_slice(), counted))
    }
}

pub(super) fn provider(seat: &SeatId) -> Key {
    Key { meta: "SP", scheme: "CertSubjectCN".to_owned(), value: seat.as_str().to_owned() }
}

pub(super) fn document_type(of: &DocumentType) -> Key {
    Key { meta: "DT", scheme: of.scheme().as_str().to_owned(), value: of.value() }
}

pub(super) fn process(of: &Process) -> Key {
    Key { meta: "PR", scheme: of.scheme().to_owned(), value: of.value().to_owned() }
}

/// The key of a country; ZZ is an unknown one (SCH-TSR-20).
pub(super) fn country(scheme: &str, country: Option<&Country>) -> Key {
    let value = country.map_or("ZZ", Country::as_str).to_owned();
    Key { meta: "CC", scheme: scheme.to_owned(), value }
}
