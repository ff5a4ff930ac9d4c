//! Payment means, terms, paid amounts, delivery.

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::{
    choices::Choices,
    object::Object,
    parties::{abroad, home, identifier, trn_or_tin},
    scenario::Scenario,
};

/// Means and terms.
pub(crate) fn put(c: &mut Choices, scenario: &Scenario, issued: Date, body: &mut Object) {
    let credit_note = scenario.operation.is_credit_note();
    if scenario.has_delivery_and_payment() {
        // ibr-191-ae: an invoice tells how it is paid, except a deemed supply.
        let needed = !credit_note && !scenario.flags.deemed_supply;
        let count = if needed || c.flip(50) { c.between(1, 3) } else { 0 };
        let mut unique = Unique { card: true, mandate: true };
        let mut means: Vec<_> = (0..count)
            .map(|place| {
                let due_date = (credit_note && place == 0 && c.flip(60)).then_some(issued);
                payment_means(c, due_date, place, &mut unique)
            })
            .collect();
        // One way to pay may stand without a list around it.
        if means.len() == 1 && c.flip(50) {
            body.maybe("payment_means", means.pop());
        } else {
            body.list("payment_means", means);
        }
    }
    body.list("payment_terms", (0..c.below(3)).map(|place| terms(c, issued, place)).collect());
}

/// What a document may have only once (ibr-066, ibr-067).
struct Unique {
    card: bool,
    mandate: bool,
}

fn payment_means(
    c: &mut Choices,
    due_date: Option<Date>,
    place: u32,
    unique: &mut Unique,
) -> Value {
    let code = c.pick(&["10", "1", "20", "21", "30", "49", "54", "55", "68"]);
    let mut means = Object::default();
    means
        .maybe("id", c.maybe(40, |_| format!("PI-{place}")))
        .put("means_code", code)
        .maybe("means_text", c.maybe(40, Choices::text))
        .maybe("due_date", due_date.map(|date| date.to_string()))
        .list("remittance_information", (0..c.below(3)).map(|_| remittance(c)).collect());
    match code {
        "30" => {
            means.put("credit_transfer", credit_transfer(c));
        }
        "49" if unique.mandate => {
            unique.mandate = false;
            means.put("direct_debit", direct_debit(c));
        }
        "54" | "55" | "68" if unique.card => {
            unique.card = false;
            means.put("card", card(c));
        }
        _ => {}
    }
    means.take()
}

fn remittance(c: &mut Choices) -> Value {
    let scheme = c.maybe(30, |_| "SCOR");
    Object::default().put("id", c.reference("RF")).maybe("scheme_id", scheme).take()
}

fn credit_transfer(c: &mut Choices) -> Value {
    let iban = c.maybe(70, |_| "IBAN");
    let account =
        Object::default().put("id", "AE070331234567890123456").maybe("scheme_id", iban).take();
    Object::default()
        .put("account_identifier", account)
        .maybe("account_name", c.maybe(60, Choices::text))
        .maybe("service_provider_identifier", c.maybe(60, |_| "EBILAEAD"))
        .maybe("institution_address", c.maybe(30, home))
        .take()
}

fn card(c: &mut Choices) -> Value {
    Object::default()
        .put("primary_account_number", c.pick(&["XXXXXXXXXXXX1234", "123456XXXXXX1234"]))
        .maybe("network", c.maybe(60, |_| "VISA"))
        .maybe("holder_name", c.maybe(60, Choices::text))
        .take()
}

fn direct_debit(c: &mut Choices) -> Value {
    let object = Object::default()
        .maybe("mandate_reference", c.maybe(80, |c| c.reference("MANDATE")))
        .maybe("creditor_identifier", c.maybe(50, |_| "AE98ZZZ09999999999"))
        .maybe("debited_account_identifier", c.maybe(60, |_| "AE070331234567890123456"))
        .take_some();
    object.unwrap_or_else(|| json!({ "mandate_reference": "MANDATE-1" }))
}

fn terms(c: &mut Choices, issued: Date, place: u32) -> Value {
    let due = c.maybe(50, |c| c.day_after(issued, 90).to_string());
    let amount = c.maybe(40, |c| c.scaled(1, 99_999, 2));
    let amount = amount.map(|amount| c.decimal(amount));
    Object::default()
        .put("note", c.text())
        .maybe("instructions_id", c.maybe(30, |_| format!("PI-{place}")))
        .maybe("amount", amount)
        .maybe("due_date", due)
        .take()
}

/// IBG-35 with the sum of the amounts, which stay below `limit`.
pub(crate) fn paid_amounts(c: &mut Choices, issued: Date, limit: Decimal) -> Vec<Value> {
    let count = c.between(1, 3);
    let each = (limit / Decimal::from(count) / Decimal::TWO).trunc_with_scale(2);
    (0..count)
        .map(|place| {
            let received = c.maybe(50, |c| c.day_before(issued, 30).to_string());
            let amount = c.decimal(each);
            Object::default()
                .maybe("id", c.maybe(50, |_| format!("PREPAID-{place}")))
                .put("amount", amount)
                .maybe("received_date", received)
                .take()
        })
        .collect()
}

/// IBG-13 and IBG-15.
pub(crate) fn delivery(c: &mut Choices, scenario: &Scenario, issued: Date, body: &mut Object) {
    if !scenario.has_delivery_and_payment() {
        return;
    }
    if scenario.flags.exports {
        body.put("delivery_address", abroad(c));
    } else if scenario.flags.e_commerce || c.flip(30) {
        body.put("delivery_address", home(c));
    }
    if c.flip(40) {
        let date = c.day_before(issued, 10).to_string();
        let object = Object::default()
            .put("actual_delivery_date", date)
            .maybe("location_identifier", c.maybe(50, identifier))
            .maybe("party_identifier", c.maybe(50, trn_or_tin))
            .maybe("party_name", c.maybe(50, Choices::text))
            .maybe("incoterms_code", c.maybe(50, |c| c.pick(&["CIF", "EXW", "FOB", "DDP"])))
            .take();
        body.put("delivery", object);
    }
}
