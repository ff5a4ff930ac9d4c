//! The seller, the buyer, the other parties and the delivery.

use serde::Serialize;

use super::{
    super::{Block, Row, View, codes},
    text::{Field, Item, Label, Written},
    writer::Writer,
};
use crate::{codes::EMIRATES, i18n::Language};

/// A party, or a delivery.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Party {
    pub(in crate::rendering) title: Label,
    pub(in crate::rendering) name: Option<Field>,
    /// The lines of the address.
    pub(in crate::rendering) address: Vec<Item>,
    /// Registrations and contacts.
    pub(in crate::rendering) items: Vec<Item>,
}

/// The terms of a party.
struct Terms {
    title: &'static str,
    name: &'static str,
    trade_name: &'static str,
    streets: &'static [&'static str],
    city: &'static str,
    post_code: &'static str,
    subdivision: &'static str,
    country: &'static str,
    vat: &'static str,
    vat_scheme: &'static str,
    legal: &'static str,
    legal_type: &'static str,
    /// The authority, or the country of a passport.
    legal_by: [&'static str; 2],
    contact: [&'static str; 3],
}

const SELLER: Terms = Terms {
    title: "paper-seller",
    name: "IBT-027",
    trade_name: "IBT-028",
    streets: &["IBT-035", "IBT-036", "IBT-162"],
    city: "IBT-037",
    post_code: "IBT-038",
    subdivision: "IBT-039",
    country: "IBT-040",
    vat: "IBT-031",
    vat_scheme: "IBT-031-1",
    legal: "IBT-030",
    legal_type: "BTAE-15",
    legal_by: ["BTAE-12", "BTAE-18"],
    contact: ["IBT-041", "IBT-042", "IBT-043"],
};

const BUYER: Terms = Terms {
    title: "paper-buyer",
    name: "IBT-044",
    trade_name: "IBT-045",
    streets: &["IBT-050", "IBT-051", "IBT-163"],
    city: "IBT-052",
    post_code: "IBT-053",
    subdivision: "IBT-054",
    country: "IBT-055",
    vat: "IBT-048",
    vat_scheme: "IBT-048-1",
    legal: "IBT-047",
    legal_type: "BTAE-16",
    legal_by: ["BTAE-11", "BTAE-19"],
    contact: ["IBT-056", "IBT-057", "IBT-058"],
};

const REPRESENTATIVE: Terms = Terms {
    title: "paper-representative",
    name: "IBT-062",
    trade_name: "",
    streets: &["IBT-064", "IBT-065", "IBT-164"],
    city: "IBT-066",
    post_code: "IBT-067",
    subdivision: "IBT-068",
    country: "IBT-069",
    vat: "IBT-063",
    vat_scheme: "IBT-063-1",
    legal: "",
    legal_type: "",
    legal_by: [""; 2],
    contact: [""; 3],
};

const DELIVERY: Terms = Terms {
    title: "paper-delivery",
    name: "IBT-070",
    trade_name: "",
    streets: &["IBT-075", "IBT-076", "IBT-165"],
    city: "IBT-077",
    post_code: "IBT-078",
    subdivision: "IBT-079",
    country: "IBT-080",
    vat: "",
    vat_scheme: "",
    legal: "",
    legal_type: "",
    legal_by: [""; 2],
    contact: [""; 3],
};

const PAYEE: Terms = Terms {
    title: "paper-payee",
    name: "IBT-059",
    trade_name: "",
    streets: &[],
    city: "",
    post_code: "",
    subdivision: "",
    country: "",
    vat: "",
    vat_scheme: "",
    legal: "IBT-061",
    legal_type: "",
    legal_by: [""; 2],
    contact: [""; 3],
};

/// The digits of a TRN as people write them.
const TRN: [usize; 2] = [3, 4];
const TRN_DIGITS: usize = 15;

impl Writer {
    pub(super) fn parties(&self, view: &mut View) -> Vec<Party> {
        let View { seller, buyer, others, .. } = view;
        let mut parties = vec![self.party(seller, &SELLER), self.party(buyer, &BUYER)];
        for (group, terms) in [("IBG-10", PAYEE), ("IBG-11", REPRESENTATIVE), ("IBG-13", DELIVERY)]
        {
            parties.extend(others.groups(group).map(|block| {
                let mut party = self.party(block, &terms);
                party.items.extend(self.item(block, "BTAE-22", "paper-incoterms"));
                party
            }));
        }
        let seller_and_buyer = 2;
        let (first, rest) = parties.split_at(seller_and_buyer.min(parties.len()));
        let rest = rest.iter().filter(|party| !party.is_empty());
        first.iter().chain(rest).cloned().collect()
    }

    fn party(&self, block: &mut Block, terms: &Terms) -> Party {
        let take = |block: &mut Block, term: &str| block.take(term).map(|row| self.field(&row));
        let name = take(block, terms.name);
        let mut address = Vec::new();
        // A second name, in the first line below the name.
        let trade_name = take(block, terms.trade_name);
        let plain =
            |fields: Vec<Field>, separator| Item::several(Label::default(), fields, separator);
        address.extend(plain(trade_name.into_iter().collect(), ""));
        for street in terms.streets {
            let rows = block.take_all(street);
            address.extend(plain(rows.iter().map(|row| self.field(row)).collect(), self.comma()));
        }
        let subdivision = block.row(terms.subdivision).map(|row| self.named(row));
        let city = take(block, terms.city);
        let is_known = block.text(terms.subdivision).is_some_and(|code| EMIRATES.contains(code));
        let is_city = |row| city.as_ref().is_some_and(|city| is_named(row, &city.value.text()));
        let repeats = block.row(terms.subdivision).is_some_and(is_city);
        let subdivision = match subdivision {
            // "Dubai, Dubai" says nothing more.
            Some(_) if repeats => None,
            Some(found) if is_known => Some(found),
            Some(_) => take(block, terms.subdivision),
            None => None,
        };
        let country = block.row(terms.country).map(|row| self.named(row));
        let post_code = take(block, terms.post_code);
        let place = [city, post_code, subdivision, country];
        address.extend(plain(place.into_iter().flatten().collect(), self.comma()));
        let mut items = Vec::new();
        items.extend(self.tax_number(block, terms));
        items.extend(self.registration(block, terms));
        let contact = terms.contact.into_iter().filter_map(|term| take(block, term));
        items.extend(plain(contact.collect(), " · "));
        Party { title: self.words(terms.title), name, address, items }
    }

    /// The tax number: a TRN if its scheme is VAT.
    fn tax_number(&self, block: &mut Block, terms: &Terms) -> Option<Item> {
        let row = block.take(terms.vat)?;
        let is_vat = block.text(terms.vat_scheme).is_none_or(|scheme| scheme == "VAT");
        let label = self.words(if is_vat { "paper-trn" } else { "paper-tax-number" });
        let text = self.text(&row);
        let is_trn = text.len() == TRN_DIGITS && text.bytes().all(|it| it.is_ascii_digit());
        let value = if is_trn { Written::grouped(&text, &TRN) } else { Written::whole(text) };
        Some(Item::one(label, Field { term: row.term, value }))
    }

    /// The trade licence, or another registration by its type.
    fn registration(&self, block: &mut Block, terms: &Terms) -> Option<Item> {
        let row = block.take(terms.legal)?;
        let label = match block.text(terms.legal_type) {
            Some("TL") => "paper-licence",
            Some("CL") => "paper-commercial-licence",
            Some("EID") => "paper-emirates-id",
            Some("PAS") => "paper-passport",
            Some("CD") => "paper-cabinet-decision",
            _ => "paper-registration",
        };
        let [authority, country] = terms.legal_by;
        let authority = block.take(authority).map(|row| self.field(&row));
        let country = block.row(country).map(|row| self.named(row));
        let fields = [Some(self.field(&row)), authority, country];
        Item::several(self.words(label), fields.into_iter().flatten(), self.comma())
    }
}

/// Whether a text is the code of a row or its name, in any language and spelling: "Ras al-Khaimah", "RAS AL KHAIMAH".
fn is_named(row: &Row, text: &str) -> bool {
    let letters = |text: &str| {
        let letters = text.chars().filter(|it| it.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let code = row.text().unwrap_or_default();
    let names = Language::ALL.map(|language| codes::meaning(language, row.term, code));
    let mut names = names.iter().flatten().map(String::as_str).chain([code]);
    names.any(|name| letters(name) == letters(text))
}

impl Party {
    fn is_empty(&self) -> bool {
        self.name.is_none() && self.address.is_empty() && self.items.is_empty()
    }
}
