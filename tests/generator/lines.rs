//! Lines: quantities, prices in every form, allowances, items of every category.

use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::{Value, json};

use crate::{choices::Choices, object::Object, parties::object_identifier, scenario::Scenario};

/// Reason codes of allowances (UNCL 5189) and charges (UNCL 7161).
const ALLOWANCE_CODES: [&str; 6] = ["95", "100", "41", "60", "70", "104"];
const CHARGE_CODES: [&str; 6] = ["FC", "AAT", "AAC", "ABK", "PC", "ZZZ"];

/// A line and what it comes to without VAT.
pub(crate) struct Line {
    pub(crate) json: Value,
    pub(crate) category: &'static str,
    pub(crate) net: Decimal,
}

/// What lines have to know of the document.
pub(crate) struct Frame<'a> {
    pub(crate) scenario: &'a Scenario,
    /// The document's period: a line's lies inside.
    pub(crate) period: (Date, Date),
    /// A despatch advice is told either of the document or of lines (ibr-092).
    pub(crate) despatch_on_lines: bool,
}

/// Halves away from zero, to two decimals.
fn round(value: Decimal) -> Decimal {
    value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

/// The line at a place, after lines that come to `before`.
pub(crate) fn line(c: &mut Choices, frame: &Frame<'_>, place: usize, before: Decimal) -> Line {
    let categories = &frame.scenario.categories;
    let category = if place == 0 { categories[0] } else { c.pick(categories) };
    let unit = c.maybe(70, |c| c.pick(&["H87", "C62", "KGM", "HUR", "MTR", "XBX", "LTR"]));
    let (quantity, price, product) = if before >= Decimal::ONE_HUNDRED && c.flip(3) {
        given_back(c)
    } else {
        price(c, unit.unwrap_or("C62"))
    };
    // Allowances stay below a tenth of the product each, so that no line turns negative.
    let count = if product >= Decimal::TEN { c.below(3) } else { 0 };
    let allowances: Vec<_> = (0..count).map(|_| allowance(c, product, &ALLOWANCE_CODES)).collect();
    let count = if product.is_sign_positive() { c.below(3) } else { 0 };
    let charges: Vec<_> = (0..count).map(|_| allowance(c, product, &CHARGE_CODES)).collect();
    let sum = |list: &[(Value, Decimal)]| list.iter().map(|(_, amount)| *amount).sum::<Decimal>();
    let net = round(product) - sum(&allowances) + sum(&charges);
    let period = c.maybe(20, |c| period(c, frame.period));
    let mut json = Object::default();
    json.maybe("id", c.maybe(60, |_| (place + 1).to_string()))
        .maybe("note", c.maybe(20, Choices::text))
        .put("quantity", c.decimal(quantity))
        .maybe("unit_code", unit)
        .maybe("buyer_accounting_reference", c.maybe(15, |c| c.reference("COST")))
        .maybe("period", period)
        .maybe("purchase_order_line_reference", c.maybe(15, |c| c.between(1, 99).to_string()))
        .maybe("purchase_order_reference", c.maybe(15, |c| c.reference("PO")))
        .maybe("object_identifier", c.maybe(15, object_identifier))
        .list("allowances", allowances.into_iter().map(|(json, _)| json).collect())
        .list("charges", charges.into_iter().map(|(json, _)| json).collect())
        .put("item", item(c, category))
        .put("vat", vat(c, category))
        .put("price", price);
    if frame.despatch_on_lines && c.flip(50) {
        json.put("despatch_advice_reference", c.reference("DESPATCH"));
    }
    Line { json: json.take(), category, net }
}

fn period(c: &mut Choices, (start, end): (Date, Date)) -> Value {
    let start_date = c.day_after(start, 5).min(end);
    let end_date = c.maybe(70, |_| end.to_string());
    Object::default().put("start_date", start_date.to_string()).maybe("end_date", end_date).take()
}

/// Something of little worth given back: a negative quantity.
fn given_back(c: &mut Choices) -> (Decimal, Value, Decimal) {
    let price = c.scaled(0, 9, 1);
    (Decimal::NEGATIVE_ONE, json!({ "net_price": c.decimal(price) }), -price)
}

/// Quantity, price and the product of both.
fn price(c: &mut Choices, unit: &str) -> (Decimal, Value, Decimal) {
    let decimals = c.below(4);
    let quantity = match decimals {
        0 => c.scaled(1, 500, 0),
        scale => c.scaled(1, 99_999, scale),
    };
    let decimals = c.pick(&[2, 0, 1, 3, 4]);
    // Now and then something is free of charge.
    let net = if c.flip(3) { Decimal::ZERO } else { c.scaled(1, 250_000, decimals) };
    let discount = c.maybe(40, |c| c.scaled(0, 5_000, 2));
    let base_quantity = c.maybe(25, |c| c.pick(&[1, 10, 100, 3, 7]));
    let gross = net + discount.unwrap_or_default();
    let mut json = Object::default();
    // The net price, the gross price, or both.
    match c.below(4) {
        0 if discount.is_none() => json.put("net_price", c.decimal(net)),
        1 => json.put("gross_price", c.decimal(gross)),
        2 => json.put("net_price", c.decimal(net)).put("gross_price", c.decimal(gross)),
        _ => json.put("net_price", c.decimal(net)),
    };
    let discount = discount.map(|discount| c.decimal(discount));
    let base = base_quantity.map(|base| c.decimal(base.into()));
    json.maybe("discount", discount).maybe("base_quantity", base);
    if base_quantity.is_some() && c.flip(50) {
        json.put("base_quantity_unit_code", unit);
    }
    let product = quantity * net / Decimal::from(base_quantity.unwrap_or(1));
    (quantity, json.take(), product)
}

/// An allowance or charge of at most a tenth of `of`, and its amount.
fn allowance(c: &mut Choices, of: Decimal, codes: &[&str]) -> (Value, Decimal) {
    let mut json = Object::default();
    let amount = if c.flip(50) {
        let base = round(of);
        let percentage = c.scaled(1, 1_000, 2);
        let amount = round(base * percentage / Decimal::ONE_HUNDRED);
        json.put("base_amount", c.decimal(base)).put("percentage", c.decimal(percentage));
        amount
    } else {
        let amount = (of * c.scaled(0, 100, 3)).trunc_with_scale(2);
        json.put("amount", c.decimal(amount));
        amount
    };
    reasons(c, &mut json, codes, false);
    (json.take(), amount)
}

/// A reason, its code, or both.
fn reasons(c: &mut Choices, json: &mut Object, codes: &[&str], code_needed: bool) {
    let form = c.below(3);
    if code_needed || form != 1 {
        json.put("reason_code", c.pick(codes));
    }
    if form != 0 {
        json.put("reason", c.text());
    }
}

/// Document allowances and charges, on categories that lines have.
pub(crate) fn document_allowances(c: &mut Choices, lines: &[Line], body: &mut Object) {
    for (name, codes) in [("allowances", &ALLOWANCE_CODES), ("charges", &CHARGE_CODES)] {
        let count = if c.flip(35) { c.between(1, 2) } else { 0 };
        let list = (0..count).map(|_| {
            let line = &lines[c.below(lines.len() as u32) as usize];
            let net: Decimal =
                lines.iter().filter(|of| of.category == line.category).map(|of| of.net).sum();
            document_allowance(c, line.category, net.abs(), codes)
        });
        let list = list.collect();
        body.list(name, list);
    }
}

fn document_allowance(c: &mut Choices, category: &str, of: Decimal, codes: &[&str]) -> Value {
    let mut json = Object::default();
    if c.flip(50) {
        json.put("base_amount", c.decimal(of)).put("percentage", {
            let percentage = c.scaled(1, 1_000, 2);
            c.decimal(percentage)
        });
    } else {
        let amount = (of * c.scaled(0, 100, 3)).trunc_with_scale(2);
        json.put("amount", c.decimal(amount));
    }
    // ibr-168-ae, ibr-169-ae: the exempt category needs the reason code.
    reasons(c, &mut json, codes, category == "E");
    json.put("vat_category_code", category);
    if c.flip(50) {
        match category {
            "S" => _ = json.put("vat_rate", "5"),
            // aligned-ibrp-o-06: no rate at all.
            "O" => {}
            _ => _ = json.put("vat_rate", 0),
        }
    }
    if category == "E" && c.flip(50) {
        json.put("vat_exemption_reason_code", "DL8.46.1").put("vat_exemption_reason", c.text());
    }
    json.take()
}

fn vat(c: &mut Choices, category: &str) -> Value {
    let mut json = Object::default();
    json.put("category_code", category);
    match category {
        "S" | "AE" | "N" if c.flip(50) => _ = json.put("rate", c.pick(&["5", "5.00", "5.0"])),
        "Z" if c.flip(50) => _ = json.put("rate", 0),
        // ibr-167-ae
        "E" => {
            let code = c.pick(&["DL8.46.1", "DL8.46.2", "DL8.46.3", "DL8.46.4"]);
            json.put("exemption_reason_code", code)
                .maybe("exemption_reason", c.maybe(50, Choices::text));
        }
        _ => {}
    }
    json.take()
}

fn item(c: &mut Choices, category: &str) -> Value {
    let kind = c.maybe(50, |c| c.pick(&["G", "S", "B"]));
    let goods = matches!(kind, Some("G" | "B")) || c.flip(10);
    let services = matches!(kind, Some("S" | "B")) || c.flip(5);
    let reverse_charge = category == "AE";
    let classifications = if goods { c.between(1, 2) } else { 0 };
    let codes = if services { c.between(1, 2) } else { 0 };
    let standard = if reverse_charge || c.flip(20) {
        let scheme = c.maybe(40, |_| "0160");
        Some(Object::default().put("id", gtin(c)).maybe("scheme_id", scheme).take())
    } else {
        None
    };
    Object::default()
        .put("name", c.text())
        .maybe("description", c.maybe(60, Choices::text))
        .maybe("buyer_identifier", c.maybe(20, |c| c.reference("BUY")))
        .maybe("seller_identifier", c.maybe(20, |c| c.reference("SKU")))
        .maybe("standard_identifier", standard)
        .list("service_accounting_codes", (0..codes).map(|_| service_code(c)).collect())
        .maybe("origin_country_code", c.maybe(20, |c| c.pick(&["AE", "CN", "IN", "DE"])))
        .maybe("rcm_goods_type_code", reverse_charge.then(|| rcm_code(c)))
        .maybe("type_code", kind)
        .list("classifications", (0..classifications).map(|_| classification(c)).collect())
        .list("attributes", (0..c.below(3)).map(|_| attribute(c)).collect())
        .maybe("batch_number", c.maybe(15, |c| c.reference("LOT")))
        .take()
}

/// BTAE-09.
fn rcm_code(c: &mut Choices) -> &'static str {
    c.pick(&["DL8.48.8.2", "DL8.48.8.1", "DL8.48.3.1", "DL8.48.3.2", "DL8.48.3.3"])
}

/// A GTIN-13 with its check digit.
fn gtin(c: &mut Choices) -> String {
    let digits = format!("629{:09}", c.between(1, 999_999_999));
    let weighted = digits.bytes().zip([1, 3].into_iter().cycle());
    let sum: u32 = weighted.map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

fn service_code(c: &mut Choices) -> Value {
    let version = c.maybe(40, |_| "1.0");
    let code = c.between(900_000, 999_999).to_string();
    Object::default().put("code", code).maybe("version", version).take()
}

fn classification(c: &mut Choices) -> Value {
    Object::default()
        .put("code", c.between(10_000_000, 99_999_999).to_string())
        .maybe("scheme_id", c.maybe(40, |_| "HS"))
        .maybe("version", c.maybe(40, |_| "2022"))
        .take()
}

fn attribute(c: &mut Choices) -> Value {
    json!({ "name": c.text(), "value": c.text() })
}
