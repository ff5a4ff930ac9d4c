//! Interned names: the name of an element or an attribute as a number.
//!
//! Every name that a schema declares is a constant in the module of its namespace, such as [`cbc::ID`]. The schemas are
//! those of UBL 2.1, the Tax Data Document, the SBDH and the OpenPeppol reports. All other names are [`Name::OTHER`];
//! the document keeps their spelling.

/// Declares the constants of one namespace, and its list of local names in the same order.
macro_rules! table {
    ($space:literal, $prefix:literal = $uri:literal; $($constant:ident $local:literal,)*) => {
        use super::Name;

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Place { $($constant),* }

        // A separate type, because a constant could have the same name as an XML name.
        pub(super) struct Table;

        impl Table {
            pub(super) const SPACE: super::Space =
                super::Space { prefix: $prefix, uri: $uri, locals: &[$($local),*] };
        }

        $(
            #[doc = concat!("`", $prefix, ":", $local, "`")]
            pub const $constant: Name = Name(super::FIRST[$space] + Place::$constant as u16);
        )*
    };
}
use table;

use super::scan::same;

pub mod application_response;
pub mod attr;
pub mod cac;
pub mod cbc;
pub mod credit_note;
pub mod ds;
pub mod envelope;
pub mod eusr;
pub mod ext;
/// The extension namespace under the prefix that the Tax Data Document uses.
pub use ext as cec;
pub mod invoice;
pub mod sac;
pub mod sbc;
pub mod sbdh;
pub mod sig;
pub mod tdd;
pub mod tsr;
pub mod xades;
pub mod xades141;
pub mod xml;
pub mod xsi;

/// One namespace with its known local names.
struct Space {
    /// The usual prefix.
    prefix: &'static str,
    uri: &'static str,
    locals: &'static [&'static str],
}

/// All namespaces, in the order of their tables.
const SPACES: [&Space; 20] = [
    &attr::Table::SPACE,
    &xml::Table::SPACE,
    &xsi::Table::SPACE,
    &invoice::Table::SPACE,
    &credit_note::Table::SPACE,
    &application_response::Table::SPACE,
    &cbc::Table::SPACE,
    &cac::Table::SPACE,
    &ext::Table::SPACE,
    &sig::Table::SPACE,
    &sac::Table::SPACE,
    &sbc::Table::SPACE,
    &ds::Table::SPACE,
    &xades::Table::SPACE,
    &xades141::Table::SPACE,
    &tdd::Table::SPACE,
    &sbdh::Table::SPACE,
    &envelope::Table::SPACE,
    &tsr::Table::SPACE,
    &eusr::Table::SPACE,
];

/// The number of the first name of each namespace. The last entry is the count of all names.
const FIRST: [u16; SPACES.len() + 1] = {
    let mut first = [0; SPACES.len() + 1];
    let mut space = 0;
    while space < SPACES.len() {
        first[space + 1] = first[space] + SPACES[space].locals.len() as u16;
        space += 1;
    }
    first
};

const COUNT: usize = FIRST[SPACES.len()] as usize;

/// The data of one name.
#[derive(Clone, Copy)]
struct Entry {
    space: u8,
    local: &'static str,
}

static ENTRIES: [Entry; COUNT] = {
    let mut entries = [Entry { space: 0, local: "" }; COUNT];
    let mut space = 0;
    let mut at = 0;
    while space < SPACES.len() {
        let mut place = 0;
        while place < SPACES[space].locals.len() {
            entries[at] = Entry { space: space as u8, local: SPACES[space].locals[place] };
            at += 1;
            place += 1;
        }
        space += 1;
    }
    entries
};

/// A power of two. At most a third of the slots are used.
const SLOTS: usize = 8192;

/// An open-addressing hash table over all names. The compiler fills it, so parsing needs no setup.
static TABLE: [u16; SLOTS] = {
    let mut table = [u16::MAX; SLOTS];
    let mut at = 0;
    while at < COUNT {
        let mut slot = slot(ENTRIES[at].space, ENTRIES[at].local.as_bytes());
        while table[slot] != u16::MAX {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = at as u16;
        at += 1;
    }
    table
};

/// The first slot to search for a name. Length, start and end distinguish almost all names. Reading only these costs
/// the same for long names as for short ones.
const fn slot(space: u8, local: &[u8]) -> usize {
    let (head, tail) = if let (Some(head), Some(tail)) = (local.first_chunk(), local.last_chunk()) {
        (u64::from_le_bytes(*head), u64::from_le_bytes(*tail))
    } else if let (Some(head), Some(tail)) = (local.first_chunk(), local.last_chunk()) {
        (u32::from_le_bytes(*head) as u64, u32::from_le_bytes(*tail) as u64)
    } else if let (Some(head), Some(tail)) = (local.first(), local.last()) {
        (*head as u64, (local[local.len() / 2] as u64) << 8 | *tail as u64)
    } else {
        (0, 0)
    };
    let rest = (space as u64) << 8 | local.len() as u64;
    let hash = head.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) ^ tail;
    let hash = (hash ^ rest.rotate_left(40)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (hash >> 40) as usize % SLOTS
}

/// The number of a namespace with known names.
pub(super) fn space(uri: &str) -> Option<u8> {
    SPACES.iter().position(|space| space.uri == uri).and_then(|at| u8::try_from(at).ok())
}

/// The number for names without a namespace.
pub(super) const NO_SPACE: u8 = 0;
/// The namespace of the prefix `xml`.
pub(super) const XML_SPACE: u8 = 1;

/// An expanded name (namespace and local name) as a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(u16);

impl Name {
    /// Every name that no schema declares. Two elements with this name may still differ.
    pub const OTHER: Name = Name(u16::MAX);

    /// The number of known names. [`Name::index`] of each is below it.
    pub const COUNT: usize = COUNT;

    /// The name with this local part in a namespace that [`space`] returned.
    pub(super) fn find(space: u8, local: &str) -> Name {
        let mut slot = slot(space, local.as_bytes());
        loop {
            let at = TABLE[slot];
            match ENTRIES.get(usize::from(at)) {
                Some(entry)
                    if entry.space == space && same(entry.local.as_bytes(), local.as_bytes()) =>
                {
                    return Name(at);
                }
                Some(_) => slot = (slot + 1) % SLOTS,
                None => return Name::OTHER,
            }
        }
    }

    /// The number of the name, below [`Name::COUNT`] for a known name. It serves as an index into tables by name.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The local name; empty for [`Name::OTHER`].
    pub fn local(self) -> &'static str {
        ENTRIES.get(self.index()).map_or("", |entry| entry.local)
    }

    /// The namespace; empty for a name without one, and for [`Name::OTHER`].
    pub fn namespace(self) -> &'static str {
        self.space().map_or("", |space| space.uri)
    }

    /// The name with its usual prefix, such as `cbc:ID`.
    pub fn prefixed(self) -> String {
        let mut text = String::new();
        self.write_prefixed(&mut text);
        text
    }

    /// Appends [`Name::prefixed`].
    pub(super) fn write_prefixed(self, text: &mut String) {
        if let Some(space) = self.space().filter(|space| !space.prefix.is_empty()) {
            text.push_str(space.prefix);
            text.push(':');
        }
        text.push_str(self.local());
    }

    fn space(self) -> Option<&'static Space> {
        ENTRIES.get(self.index()).map(|entry| SPACES[usize::from(entry.space)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_by_its_namespace_and_local_name() {
        for (at, entry) in ENTRIES.iter().enumerate() {
            assert_eq!(Name::find(entry.space, entry.local).index(), at, "{}", entry.local);
        }
    }

    #[test]
    fn a_constant_is_the_name_it_says() {
        assert_eq!(cbc::ID.prefixed(), "cbc:ID");
        assert_eq!(cac::PARTY.local(), "Party");
        assert_eq!(cec::UBL_EXTENSIONS, ext::UBL_EXTENSIONS);
        assert_eq!(attr::CURRENCY_ID.prefixed(), "currencyID");
        assert_eq!(tdd::TAX_DATA.prefixed(), "pxs:TaxData");
        assert_eq!(
            invoice::INVOICE.namespace(),
            "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
        );
    }

    #[test]
    fn a_name_of_no_schema_is_other() {
        let cbc = space(cbc::ID.namespace()).unwrap();
        for local in ["", "I", "id", "IDD", "Identification", &"x".repeat(1000)] {
            assert_eq!(Name::find(cbc, local), Name::OTHER, "{local}");
        }
        assert_eq!(space("urn:nothing"), None);
    }

    #[test]
    fn a_search_looks_at_few_slots() {
        let longest = TABLE.split(|at| *at == u16::MAX).map(<[u16]>::len).max();
        assert!(longest.unwrap() < 16, "{longest:?}");
    }
}
