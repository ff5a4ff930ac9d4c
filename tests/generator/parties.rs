//! Parties, addresses, identifiers.

use serde_json::{Value, json};

use crate::{
    choices::Choices,
    object::Object,
    scenario::{Buyer, Scenario},
};

const EMIRATES: [(&str, &str); 7] = [
    ("DXB", "Dubai"),
    ("AUH", "Abu Dhabi"),
    ("SHJ", "Sharjah"),
    ("UAQ", "Umm Al Quwain"),
    ("FUJ", "Fujairah"),
    ("AJM", "Ajman"),
    ("RAK", "Ras Al Khaimah"),
];

/// The sender's TIN: 10 digits, the first is 1.
pub(crate) fn tin(c: &mut Choices) -> String {
    format!("1{:09}", c.between(1, 799_999_999))
}

/// The TIN of the sender's counterparty, never the sender's own.
pub(crate) fn other_tin(c: &mut Choices) -> String {
    format!("18{:08}", c.below(100_000_000))
}

/// The TIN of somebody beside seller and buyer.
fn third_tin(c: &mut Choices) -> String {
    format!("19{:08}", c.below(100_000_000))
}

/// The TRN of a TIN: 15 digits, the last two are 03.
pub(crate) fn trn(tin: &str) -> String {
    format!("{tin}00003")
}

/// A TRN or a TIN.
pub(crate) fn trn_or_tin(c: &mut Choices) -> String {
    let tin = third_tin(c);
    if c.flip(50) { tin } else { trn(&tin) }
}

/// An identifier of a scheme of ISO 6523.
pub(crate) fn identifier(c: &mut Choices) -> Value {
    let scheme = c.maybe(60, |c| c.pick(&["0060", "0199", "0130", "0177"]));
    let mut object = Object::default();
    object.put("id", c.reference("ID")).maybe("scheme_id", scheme).take()
}

/// An identifier of a UNTDID 1153 scheme.
pub(crate) fn object_identifier(c: &mut Choices) -> Value {
    let scheme = c.maybe(60, |c| c.pick(&["AAJ", "ON", "VN", "ABZ", "CT"]));
    let mut object = Object::default();
    object.put("id", c.reference("OBJ")).maybe("scheme_id", scheme).take()
}

/// An address in the UAE.
pub(crate) fn home(c: &mut Choices) -> Value {
    let (code, city) = c.pick(&EMIRATES);
    let country = c.maybe(60, |_| "AE");
    address(c, city, code, country)
}

/// An address in another country.
pub(crate) fn abroad(c: &mut Choices) -> Value {
    let (city, subdivision, country) = c.pick(&[
        ("Riyadh", "Riyadh Province", "SA"),
        ("Mumbai", "MH", "IN"),
        ("Zürich", "ZH", "CH"),
        ("Houston", "TX", "US"),
    ]);
    address(c, city, subdivision, Some(country))
}

fn address(c: &mut Choices, city: &str, subdivision: &str, country: Option<&str>) -> Value {
    Object::default()
        .put("line_1", c.reference("Street"))
        .maybe("line_2", c.maybe(30, Choices::text))
        .maybe("line_3", c.maybe(20, Choices::text))
        .put("city", city)
        .maybe("post_code", c.maybe(30, |c| c.between(10_000, 99_999).to_string()))
        .put("country_subdivision", subdivision)
        .maybe("country_code", country)
        .take()
}

fn legal_registration(c: &mut Choices, types: &[&str]) -> Value {
    let kind = c.pick(types);
    Object::default()
        .put("id", c.reference("CN"))
        .maybe("scheme_id", c.maybe(20, |c| c.pick(&["0060", "0199"])))
        .put("type", kind)
        .maybe("authority_name", (kind == "TL").then_some("Department of Economy"))
        .maybe("passport_country_code", (kind == "PAS").then(|| c.pick(&["IN", "GB", "AE"])))
        .take()
}

fn contact(c: &mut Choices) -> Value {
    let name = c.text();
    Object::default()
        .put("name", name)
        .maybe("telephone", c.maybe(60, |c| format!("+971 4 {}", c.between(1_000_000, 9_999_999))))
        .maybe("email", c.maybe(60, |_| "billing@falcon.example"))
        .take()
}

/// The seller. Of type 480 and 81 it may have a TIN alone.
pub(crate) fn seller(c: &mut Choices, tin: &str, scenario: &Scenario) -> Value {
    let vat_registered = !(scenario.out_of_scope && c.flip(40));
    let mut party = Object::default();
    party
        .put("electronic_address", electronic_address(c, "0235", tin))
        .list("identifiers", (0..c.below(3)).map(|_| identifier(c)).collect())
        .maybe("trading_name", c.maybe(40, |c| format!("Seller {}", c.text())))
        .put("address", home(c))
        .put("name", format!("Seller LLC {}", c.text()))
        .put("legal_registration", legal_registration(c, &["TL", "EID", "PAS", "CD"]))
        .maybe("additional_legal_information", c.maybe(20, Choices::text))
        .maybe("contact", c.maybe(40, contact));
    if vat_registered {
        party.put("vat_identifier", trn(tin));
    }
    if !vat_registered || c.flip(25) {
        party
            .put("tax_registration_identifier", tin)
            .maybe("tax_registration_scheme_id", c.maybe(50, |c| c.pick(&["TIN", "IVAT"])));
    }
    party.take()
}

/// A buyer in the UAE with its TIN.
pub(crate) fn registered_buyer(c: &mut Choices, tin: &str, scenario: &Scenario) -> Value {
    let needs_vat = scenario.categories.contains(&"AE") || scenario.operation.is_self_billed();
    let vat = (needs_vat || c.flip(60)).then(|| trn(tin));
    let address = home(c);
    buyer(c, "0235", tin, vat, address, true)
}

/// The buyer of a billing document.
pub(crate) fn customer(c: &mut Choices, scenario: &Scenario) -> Value {
    match scenario.buyer {
        Buyer::Registered => {
            let tin = other_tin(c);
            registered_buyer(c, &tin, scenario)
        }
        // ibr-135-ae: somebody behind a predefined endpoint is named by an identifier.
        Buyer::NotSubject => {
            let address = home(c);
            buyer(c, "0235", "9900000098", None, address, scenario.out_of_scope)
        }
        Buyer::Deemed => {
            let address = home(c);
            buyer(c, "0235", "9900000097", None, address, scenario.out_of_scope)
        }
        Buyer::AbroadOffNetwork => {
            let address = abroad(c);
            buyer(c, "0235", "9900000099", None, address, scenario.out_of_scope)
        }
        Buyer::AbroadOnNetwork => {
            let vat = c.maybe(50, |c| c.reference("EXVAT"));
            let address = abroad(c);
            let (scheme, id) = c.pick(&[("9930", "de123456789"), ("0060", "123456789")]);
            buyer(c, scheme, id, vat, address, scenario.out_of_scope)
        }
    }
}

fn buyer(
    c: &mut Choices,
    scheme: &str,
    endpoint: &str,
    vat: Option<String>,
    address: Value,
    needs_registration: bool,
) -> Value {
    let predefined = endpoint.starts_with('9') && scheme == "0235";
    let named = predefined || c.flip(20);
    let registered = needs_registration || c.flip(40);
    Object::default()
        .put("electronic_address", electronic_address(c, scheme, endpoint))
        .list("identifiers", named.then(|| identifier(c)).into_iter().collect())
        .maybe("trading_name", c.maybe(30, Choices::text))
        .put("address", address)
        .maybe("vat_identifier", vat)
        .put("name", format!("Buyer LLC {}", c.text()))
        .maybe(
            "legal_registration",
            registered.then(|| legal_registration(c, &["TL", "CL", "EID", "PAS", "CD"])),
        )
        .maybe("contact", c.maybe(40, contact))
        .take()
}

fn electronic_address(c: &mut Choices, scheme: &str, id: &str) -> Value {
    if scheme == "0235" && c.flip(50) {
        return json!({ "id": id });
    }
    json!({ "id": id, "scheme_id": scheme })
}

/// Payee, tax representative, beneficiary, principal.
pub(crate) fn others(c: &mut Choices, scenario: &Scenario, body: &mut Object) {
    body.maybe("payee", c.maybe(20, payee))
        .maybe("tax_representative", c.maybe(20, tax_representative));
    if scenario.flags.free_zone {
        body.put("beneficiary_identifier", trn_or_tin(c));
    }
    if scenario.flags.agent {
        body.put("principal_identifier", trn_or_tin(c));
    }
}

fn payee(c: &mut Choices) -> Value {
    Object::default()
        .put("name", format!("Payee {}", c.text()))
        .maybe("identifier", c.maybe(50, identifier))
        .maybe("legal_registration_identifier", c.maybe(50, identifier))
        .take()
}

fn tax_representative(c: &mut Choices) -> Value {
    let tin = third_tin(c);
    json!({ "name": c.text(), "vat_identifier": trn(&tin), "address": home(c) })
}
