//! Completes one line: defaults, VAT, price, allowances, charges and computed amounts.

use std::collections::HashMap;

use rust_decimal::{Decimal, RoundingStrategy};

use super::{
    facts::Facts,
    field::quoted,
    findings::Findings,
    model::{Item, Line, LineAllowanceCharge, LineAmounts, LineVat, Price},
    place::Place,
    round::{Rounded, allowance, line_net, percent_of, round2, within_limit},
};
use crate::codes::EXEMPTIONS;

/// IBT-152: the default rate of the categories S, AE and N.
const STANDARD_RATE: Decimal = Decimal::from_parts(5, 0, 0, false, 0);

/// Fills in a line and computes its amounts; `None` if they cannot be computed.
pub(super) fn complete(
    line: &mut Line,
    number: usize,
    at: Place<'_>,
    facts: &Facts,
    findings: &mut Findings,
) -> Option<LineAmounts> {
    if line.id.is_none() {
        line.id = Some(number.to_string());
    }
    let unit = line.unit_code.get_or_insert_with(|| "C62".to_owned()).clone();
    period(line, at, facts, findings);
    item(&mut line.item, at.field("item"), findings);
    vat(&mut line.vat, at.field("vat"), findings);
    reverse_charge(line, at, facts, findings);
    if line.despatch_advice_reference.is_some() && facts.has_despatch_advice {
        let message =
            "the document already names a despatch advice: use one of the two places (ibr-092)";
        let place = at.field("despatch_advice_reference");
        findings.term(place, "AP-LINE-despatch-advice", "IBT-184", message);
    }
    let price = price(&mut line.price, &unit, at.field("price"), findings);
    let charges = amounts(&mut line.charges, at.field("charges"), ["IBT-141", "IBT-144"], findings);
    let (place, terms) = (at.field("allowances"), ["IBT-136", "IBT-139"]);
    let allowances = amounts(&mut line.allowances, place, terms, findings);
    let (price, charges, allowances) = (price?, charges?, allowances?);
    let base = line.price.base_quantity.unwrap_or(Decimal::ONE);
    let Some(net) = line_net(line.quantity, price, base, &charges, &allowances) else {
        too_large(at, "IBT-131", findings);
        return None;
    };
    let place = at.field("net_amount");
    let rule = ["AP-LINE-net", "IBT-131", "ibr-147-ae"];
    compare_rounded(line.net_amount, net, place, rule, findings);
    let net = net.amount;
    line.net_amount = Some(net);
    aed(line, net, at, facts, findings)
}

/// Checks that IBT-126 is unique, so that a receiver can tell the lines apart.
pub(super) fn ids(lines: &[Line], at: Place<'_>, findings: &mut Findings) {
    let mut seen = HashMap::with_capacity(lines.len());
    for (i, line) in lines.iter().enumerate() {
        let id = line.id.as_deref().unwrap_or_default();
        let first = *seen.entry(id).or_insert(i);
        if first != i {
            let message = format!(
                "{} is already the id of line_items/{first}: give each line its own id, or leave all ids out",
                quoted(id)
            );
            findings.term(at.index(i).field("id"), "AP-LINE-id", "IBT-126", message);
        }
    }
}

/// Computes BTAE-08 and BTAE-10. They are in AED, whatever the currency of the document.
fn aed(
    line: &mut Line,
    net: Decimal,
    at: Place<'_>,
    facts: &Facts,
    findings: &mut Findings,
) -> Option<LineAmounts> {
    let rate = facts.exchange_rate?;
    let computed = net.checked_mul(rate).and_then(|exact| {
        let vat = match line.vat.category_code.as_str() {
            "S" => percent_of(exact, line.vat.rate.unwrap_or(STANDARD_RATE))?,
            _ => Decimal::new(0, 2),
        };
        Some((round2(exact), vat))
    });
    let Some((net_in_aed, vat)) = computed else {
        too_large(at, "BTAE-10", findings);
        return None;
    };
    let slack = aed_slack(rate);
    let place = at.field("vat_amount_in_aed");
    // ibr-163-ae: an exempt line has no VAT amount. ibr-104-ae: every other line has one.
    let vat = if line.vat.category_code == "E" {
        if line.vat_amount_in_aed.is_some() {
            let message = "an exempt line (E) has no VAT amount: leave it out (ibr-163-ae)";
            findings.term(place, "AP-LINE-vat-aed", "BTAE-08", message);
        }
        None
    } else {
        let rule = ["AP-LINE-vat-aed", "BTAE-08"];
        Some(keep_given(line.vat_amount_in_aed, vat, slack, place, rule, findings))
    };
    let total = net_in_aed.checked_add(vat.unwrap_or_default());
    let Some(total) = total.and_then(|total| within_limit(round2(total))) else {
        too_large(at, "BTAE-10", findings);
        return None;
    };
    let place = at.field("amount_in_aed");
    let rule = ["AP-LINE-aed", "BTAE-10"];
    let total = keep_given(line.amount_in_aed, total, slack, place, rule, findings);
    (line.vat_amount_in_aed, line.amount_in_aed) = (vat, Some(total));
    Some(LineAmounts { net_amount: net, vat_amount_in_aed: vat, amount_in_aed: total })
}

/// Checks that a given amount equals the computed one.
pub(super) fn compare(
    given: Option<Decimal>,
    computed: Decimal,
    at: Place<'_>,
    rule: &'static str,
    term: &'static str,
    findings: &mut Findings,
) {
    if let Some(given) = given.filter(|given| *given != computed) {
        let message =
            format!("{given} was given, {computed} was computed; leave it out or correct it");
        findings.unequal(at, rule, term, [given.to_string(), computed.to_string()], message);
    }
}

/// Checks an amount that the official rules compute in binary floating point. The message says so where that decides.
fn compare_rounded(
    given: Option<Decimal>,
    computed: Rounded,
    at: Place<'_>,
    [rule, term, official]: [&'static str; 3],
    findings: &mut Findings,
) {
    let Rounded { amount, tie } = computed;
    let given = given.filter(|given| *given != amount);
    if let Some(given) = given.filter(|given| tie && (given - amount).abs() <= Decimal::new(1, 2)) {
        let message = format!(
            "{given} was given, {amount} was computed. The exact value is half way between two cents. The official \
             rule accepts only one of them, because it computes in binary floating point ({official}); leave it out or \
             correct it"
        );
        findings.unequal(at, rule, term, [given.to_string(), amount.to_string()], message);
    } else {
        compare(given, amount, at, rule, term, findings);
    }
}

/// Returns the allowed difference between a given and the computed amount in AED. Callers round in the document's
/// currency and again in AED. The slack is half a cent at the exchange rate plus half a fil, rounded up to whole fils.
/// No official rule computes these amounts; ibr-104-ae and ibr-194-ae only demand that they are present.
pub(super) fn aed_slack(rate: Decimal) -> Decimal {
    let half = Decimal::new(5, 3);
    let slack = rate.checked_mul(half).and_then(|at_rate| at_rate.checked_add(half));
    slack.map_or(half, |slack| slack.round_dp_with_strategy(2, RoundingStrategy::AwayFromZero))
}

/// Keeps the given amount in AED, with a warning, if rounding explains the difference. Otherwise returns the computed
/// amount and reports a different given one.
pub(super) fn keep_given(
    given: Option<Decimal>,
    computed: Decimal,
    slack: Decimal,
    at: Place<'_>,
    [rule, term]: [&'static str; 2],
    findings: &mut Findings,
) -> Decimal {
    let is_rounding = |given: &Decimal| {
        given.normalize().scale() <= 2
            && *given != computed
            && (*given - computed).abs() <= slack
            && within_limit(*given).is_some()
    };
    let Some(given) = given.filter(is_rounding) else {
        compare(given, computed, at, rule, term, findings);
        return computed;
    };
    let message = format!(
        "{given} was given and is kept, {computed} was computed: rounding may cause a difference of {slack}"
    );
    findings.warning(at, rule, term, message);
    round2(given)
}

/// Reports an amount above the limit of the service.
pub(super) fn too_large(at: Place<'_>, term: &'static str, findings: &mut Findings) {
    let message = "amounts must stay below 10,000,000,000,000";
    findings.term(at, "AP-AMOUNT-limit", term, message);
}

fn period(line: &Line, at: Place<'_>, facts: &Facts, findings: &mut Findings) {
    let Some(period) = &line.period else { return };
    let place = at.field("period");
    let (start, end) = (period.start_date, period.end_date);
    if start.zip(end).is_some_and(|(start, end)| end < start) {
        let message = "the end is before the start (ibr-030)";
        findings.term(place.field("end_date"), "AP-LINE-period", "IBT-135", message);
    }
    if start.zip(facts.period_start).is_some_and(|(line, document)| line < document) {
        let message = "before the start of the document's invoice_period (ibr-085)";
        findings.term(place.field("start_date"), "AP-LINE-period", "IBT-134", message);
    }
    if end.zip(facts.period_end).is_some_and(|(line, document)| line > document) {
        let message = "after the end of the document's invoice_period (ibr-086)";
        findings.term(place.field("end_date"), "AP-LINE-period", "IBT-135", message);
    }
}

fn item(item: &mut Item, at: Place<'_>, findings: &mut Findings) {
    // ibr-125-ae demands a description.
    item.description.get_or_insert_with(|| item.name.clone());
    if let Some(identifier) = &mut item.standard_identifier {
        identifier.scheme_id.get_or_insert_with(|| "0160".to_owned());
    }
    for classification in &mut item.classifications {
        classification.scheme_id.get_or_insert_with(|| "HS".to_owned());
    }
    let kind = item.type_code.as_deref().unwrap_or_default();
    if matches!(kind, "G" | "B") && item.classifications.is_empty() {
        let message = "goods need an HS code (ibr-184-ae, ibr-186-ae)";
        findings.term(at.field("classifications"), "AP-LINE-item-type", "IBT-158", message);
    }
    if matches!(kind, "S" | "B") && item.service_accounting_codes.is_empty() {
        let message = "services need a service accounting code (ibr-185-ae, ibr-186-ae)";
        let place = at.field("service_accounting_codes");
        findings.term(place, "AP-LINE-item-type", "BTAE-17", message);
    }
}

/// Fills in IBT-152 with the default of the category, and reports a rate that the category does not allow.
fn vat(vat: &mut LineVat, at: Place<'_>, findings: &mut Findings) {
    let place = at.field("rate");
    let mut wrong = |message: &str| findings.term(place, "AP-VAT-rate", "IBT-152", message);
    match (vat.category_code.as_str(), vat.rate) {
        ("S" | "AE" | "N", None) => vat.rate = Some(STANDARD_RATE),
        ("Z", None) => vat.rate = Some(Decimal::ZERO),
        ("S", Some(rate)) if rate != STANDARD_RATE => {
            wrong("standard rated (S) is 5 percent (ibr-190-ae, aligned-ibrp-s-08)");
        }
        ("Z", Some(rate)) if !rate.is_zero() => {
            wrong("zero rated (Z) is 0 percent (aligned-ibrp-z-05)");
        }
        ("N", Some(rate)) if rate <= Decimal::ZERO => {
            wrong("margin scheme (N) has a rate above 0 (ibr-111-ae)");
        }
        ("AE", Some(rate)) if rate < Decimal::ZERO => wrong("a rate must not be negative"),
        ("E" | "O", Some(_)) => wrong(
            "exempt (E) and out of scope (O) have no rate: leave it out (aligned-ibrp-e-05, -o-05)",
        ),
        _ => {}
    }
    // The official rules demand a code but do not check it against the list, and official examples use other codes.
    if let Some(value) = vat.exemption_reason_code.as_deref()
        && !EXEMPTIONS.contains(value)
    {
        let message = format!("{} is not one of {}", quoted(value), EXEMPTIONS.text());
        let place = at.field("exemption_reason_code");
        findings.warning(place, "AP-VAT-exemption", "IBT-186", message);
    }
    if vat.category_code == "E" && vat.exemption_reason_code.is_none() {
        let message = "an exempt line (E) needs a reason code, DL8.46.1 to DL8.46.4 (ibr-167-ae)";
        findings.term(at.field("exemption_reason_code"), "AP-VAT-exemption", "IBT-186", message);
    }
}

/// Checks the fields that a line under reverse charge requires.
fn reverse_charge(line: &Line, at: Place<'_>, facts: &Facts, findings: &mut Findings) {
    if line.vat.category_code != "AE" {
        return;
    }
    let rule = "AP-VAT-reverse-charge";
    let item = at.field("item");
    if line.item.rcm_goods_type_code.is_none() {
        let message = "reverse charge (AE) needs the type of goods or services (ibr-166-ae)";
        findings.term(item.field("rcm_goods_type_code"), rule, "BTAE-09", message);
    }
    match &line.item.standard_identifier {
        None => {
            let message = "reverse charge (AE) needs an identifier of scheme 0160 (ibr-174-ae)";
            findings.term(item.field("standard_identifier"), rule, "IBT-157", message);
        }
        Some(identifier) if identifier.scheme_id.as_deref() != Some("0160") => {
            let place = item.field("standard_identifier");
            let message = "reverse charge (AE) needs scheme 0160 (GTIN) here (ibr-174-ae)";
            findings.term(place.field("scheme_id"), rule, "IBT-157-1", message);
        }
        Some(_) => {}
    }
    if !facts.buyer_has_vat_identifier {
        let place = at.field("vat");
        let message = "reverse charge (AE) needs the buyer's VAT identifier (ibr-103-ae)";
        findings.term(place.field("category_code"), rule, "IBT-048", message);
    }
}

/// Computes the missing one of net, gross and discount: net = gross − discount.
fn price(price: &mut Price, unit: &str, at: Place<'_>, findings: &mut Findings) -> Option<Decimal> {
    price.base_quantity.get_or_insert(Decimal::ONE);
    // ibr-088.
    if price.base_quantity_unit_code.as_deref().is_some_and(|base_unit| base_unit != unit) {
        let message = format!(
            "the unit of the line is {unit}: the base quantity must have the same unit (ibr-088)"
        );
        findings.term(at.field("base_quantity_unit_code"), "AP-LINE-unit", "IBT-150", message);
    }
    price.base_quantity_unit_code.get_or_insert_with(|| unit.to_owned());
    let rule = "AP-LINE-price";
    let (net, discount, gross) = match (price.net_price, price.discount, price.gross_price) {
        (None, _, None) => {
            let message = "give the net price, or the gross price with its discount (ibr-026)";
            findings.term(at.field("net_price"), rule, "IBT-146", message);
            return None;
        }
        (Some(net), discount, None) => {
            let discount = discount.unwrap_or_default();
            (net, discount, net.checked_add(discount)?)
        }
        (None, discount, Some(gross)) => {
            let discount = discount.unwrap_or_default();
            (gross.checked_sub(discount)?, discount, gross)
        }
        (Some(net), None, Some(gross)) => (net, gross.checked_sub(net)?, gross),
        (Some(net), Some(discount), Some(gross)) => {
            let computed = gross.checked_sub(discount)?;
            if net != computed {
                let message = format!(
                    "{net} was given, {gross} − {discount} = {computed} was computed \
                     (aligned-ibrp-004)"
                );
                let values = [net.to_string(), computed.to_string()];
                findings.unequal(at.field("net_price"), rule, "IBT-146", values, message);
            }
            (net, discount, gross)
        }
    };
    if net < Decimal::ZERO || discount < Decimal::ZERO {
        let message = format!("the discount {discount} must lie between 0 and the gross {gross}");
        findings.term(at.field("gross_price"), rule, "IBT-148", message);
        return None;
    }
    (price.net_price, price.discount, price.gross_price) = (Some(net), Some(discount), Some(gross));
    Some(net)
}

fn amounts(
    items: &mut [LineAllowanceCharge],
    at: Place<'_>,
    [term, reason_term]: [&'static str; 2],
    findings: &mut Findings,
) -> Option<Vec<Decimal>> {
    let mut amounts = Vec::with_capacity(items.len());
    for (i, item) in items.iter_mut().enumerate() {
        let place = at.index(i);
        reason(&item.reason, &item.reason_code, place, reason_term, findings);
        item.amount =
            allowance_amount(item.amount, item.base_amount, item.percentage, place, term, findings);
        amounts.extend(item.amount);
    }
    (amounts.len() == items.len()).then_some(amounts)
}

/// ibr-033, -038, -042, -044: demands a reason in words or as a code.
pub(super) fn reason(
    reason: &Option<String>,
    code: &Option<String>,
    at: Place<'_>,
    term: &'static str,
    findings: &mut Findings,
) {
    if reason.is_none() && code.is_none() {
        let message = "give a reason or a reason_code (ibr-033, ibr-038, ibr-042, ibr-044)";
        findings.term(at.field("reason"), "AP-ALLOWANCE-reason", term, message);
    }
}

/// The amount of an allowance or a charge. A given amount must equal base × percentage, if both are given.
pub(super) fn allowance_amount(
    given: Option<Decimal>,
    base: Option<Decimal>,
    percentage: Option<Decimal>,
    at: Place<'_>,
    term: &'static str,
    findings: &mut Findings,
) -> Option<Decimal> {
    let computed = match (base, percentage) {
        (Some(base), Some(percentage)) => match allowance(base, percentage) {
            Some(amount) => amount,
            None => {
                too_large(at, term, findings);
                return None;
            }
        },
        (None, None) => {
            let Some(given) = given else {
                let message =
                    "give the amount, or base_amount and percentage (ibr-031, -036, -041)";
                findings.term(at.field("amount"), "AP-ALLOWANCE-amount", term, message);
                return None;
            };
            if within_limit(given).is_none() {
                too_large(at.field("amount"), term, findings);
                return None;
            }
            Rounded { amount: round2(given), tie: false }
        }
        (base, _) => {
            let missing = if base.is_none() { "base_amount" } else { "percentage" };
            let message =
                "give both base_amount and percentage, or neither (aligned-ibrp-057, -058)";
            findings.term(at.field(missing), "AP-ALLOWANCE-pair", term, message);
            return None;
        }
    };
    let rule = ["AP-ALLOWANCE-amount", term, "ibr-131-ae, ibr-146-ae"];
    compare_rounded(given, computed, at.field("amount"), rule, findings);
    Some(computed.amount)
}
