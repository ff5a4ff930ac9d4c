//! IBG-22 totals and IBG-23 VAT breakdown: computes them and compares them with the values of the caller.

use rust_decimal::Decimal;

use super::{
    facts::Facts,
    findings::Findings,
    lines::{aed_slack, allowance_amount, compare, keep_given, reason, too_large},
    model::{Body, DocumentAllowanceCharge, LineAmounts, Operation, Totals, VatBreakdown},
    place::Place,
    round::{percent_of, round2, within_limit},
};

/// Fills in the amounts and rates of the document's allowances and charges.
pub(super) fn allowances_and_charges(body: &mut Body, findings: &mut Findings) -> bool {
    let at = |name| Place::ROOT_REF.field(name);
    let terms = ["IBT-092", "IBT-097", "IBT-096", "ibr-168-ae"];
    let allowances = each(&mut body.allowances, at("allowances"), terms, findings);
    let terms = ["IBT-099", "IBT-104", "IBT-103", "ibr-169-ae"];
    let charges = each(&mut body.charges, at("charges"), terms, findings);
    allowances && charges
}

fn each(
    items: &mut [DocumentAllowanceCharge],
    at: Place<'_>,
    [amount, reason_term, rate_term, code_rule]: [&'static str; 4],
    findings: &mut Findings,
) -> bool {
    let mut complete = true;
    for (i, item) in items.iter_mut().enumerate() {
        let place = at.index(i);
        reason(&item.reason, &item.reason_code, place, reason_term, findings);
        item.amount = allowance_amount(
            item.amount,
            item.base_amount,
            item.percentage,
            place,
            amount,
            findings,
        );
        complete &= item.amount.is_some();
        // The rate is 5 for S (ibr-190-ae) and 0 for Z, E and AE (aligned-ibrp-z-06, -e-06, -ae-06). O has no rate
        // (-o-06).
        let rate = match item.vat_category_code.as_str() {
            "S" => Some(Decimal::from(5)),
            "Z" | "E" | "AE" => Some(Decimal::ZERO),
            _ => None,
        };
        if item.vat_rate.is_some() && item.vat_rate != rate {
            let category = &item.vat_category_code;
            let message = match rate {
                Some(rate) => format!(
                    "{category} on document level has the rate {rate} (ibr-190-ae, \
                     aligned-ibrp-z-06, -e-06, -ae-06)"
                ),
                None => format!("{category} has no rate: leave it out (aligned-ibrp-o-06)"),
            };
            findings.term(place.field("vat_rate"), "AP-VAT-rate", rate_term, message);
        }
        item.vat_rate = rate;
        if item.vat_category_code == "E" && item.reason_code.is_none() {
            let message = format!("exempt (E) needs the reason as a code ({code_rule})");
            findings.term(place.field("reason_code"), "AP-ALLOWANCE-reason", reason_term, message);
        }
    }
    complete
}

/// Allowed difference between the VAT of the standard rate and taxable amount × rate (aligned-ibrp-s-09). Callers who
/// round the VAT of each line get another sum. The other categories have no tolerance.
const VAT_SLACK: Decimal = Decimal::from_parts(2, 0, 0, false, 2);

/// Computes the breakdown and the totals; `None` if an amount is above the limit.
pub(super) fn compute(
    operation: Operation,
    body: &Body,
    lines: &[LineAmounts],
    facts: &Facts,
    findings: &mut Findings,
) -> Option<(Totals, Vec<VatBreakdown>)> {
    let computed = breakdown(body, lines).and_then(|mut rows| {
        keep_given_vat(body, &mut rows, findings);
        Some((totals(body, lines, &rows, facts)?, rows))
    });
    let Some((mut totals, rows)) = computed else {
        too_large(Place::ROOT, "IBT-112", findings);
        return None;
    };
    if totals.total_amount_with_vat < Decimal::ZERO {
        let instead = match operation.is_credit_note() {
            true => {
                "the amounts of a credit note are positive: write credited amounts without a sign, and send an invoice \
                 for charges"
            }
            false => "send a credit note",
        };
        let message = format!(
            "the total with VAT is {}: negative documents are not allowed, {instead}",
            totals.total_amount_with_vat
        );
        findings.term(Place::ROOT.field("line_items"), "AP-TOTAL-negative", "IBT-112", message);
    }
    keep_given_in_aed(body, &mut totals, facts, findings);
    compare_totals(body, &totals, findings);
    compare_breakdown(body, &rows, findings);
    Some((totals, rows))
}

/// Builds one row for each category and numeric rate, in order of first appearance. Document allowances of AE and E
/// have the rate 0, but belong to the row of the lines, whatever the rate of the lines.
fn breakdown(body: &Body, lines: &[LineAmounts]) -> Option<Vec<VatBreakdown>> {
    let mut rows: Vec<VatBreakdown> = Vec::new();
    let mut add = |category: &str, rate: Option<Decimal>, amount: Decimal| {
        let same = |row: &&mut VatBreakdown| {
            row.category_code == category && (row.rate == rate || category != "S")
        };
        match rows.iter_mut().find(same) {
            Some(row) => row.taxable_amount = row.taxable_amount.checked_add(amount)?,
            None => rows.push(VatBreakdown {
                category_code: category.to_owned(),
                rate,
                taxable_amount: amount,
                tax_amount: Decimal::ZERO,
            }),
        }
        Some(())
    };
    for (line, amounts) in body.line_items.iter().zip(lines) {
        add(&line.vat.category_code, line.vat.rate, amounts.net_amount)?;
    }
    for item in &body.allowances {
        let rate = item.vat_rate.filter(|_| item.vat_category_code != "E");
        add(&item.vat_category_code, rate, -item.amount?)?;
    }
    for item in &body.charges {
        let rate = item.vat_rate.filter(|_| item.vat_category_code != "E");
        add(&item.vat_category_code, rate, item.amount?)?;
    }
    for row in &mut rows {
        row.taxable_amount = within_limit(round2(row.taxable_amount))?;
        row.tax_amount = match (row.category_code.as_str(), row.rate) {
            // aligned-ibrp-s-09.
            ("S", Some(rate)) => percent_of(row.taxable_amount, rate)?,
            _ => Decimal::new(0, 2),
        };
    }
    Some(rows)
}

/// Replaces the computed VAT by the VAT of the caller, if the official rules allow it. The given VAT is that of the
/// breakdown row, or else that of the document. All dependent amounts follow from the VAT that is kept.
fn keep_given_vat(body: &Body, rows: &mut [VatBreakdown], findings: &mut Findings) {
    let Some(row) = rows.iter_mut().find(|row| row.category_code == "S") else { return };
    let computed = row.tax_amount;
    let Some(official) = row.rate.and_then(|rate| percent_of(row.taxable_amount.abs(), rate))
    else {
        return;
    };
    let is_allowed = |given: &Decimal| {
        given.normalize().scale() <= 2
            && (given.abs() - official).abs() <= VAT_SLACK
            && (given - computed).abs() <= VAT_SLACK
    };
    let of_row = body.vat_breakdown.iter().enumerate().find_map(|(i, given)| {
        let is_same = given.vat_category_code == "S"
            && (given.vat_rate.is_none() || given.vat_rate == row.rate);
        given.tax_amount.filter(|_| is_same).map(|amount| (i, amount))
    });
    // No other category has VAT, so the VAT of the document equals the VAT of this row.
    let of_document = body.totals.as_ref().and_then(|totals| totals.total_vat_amount);
    let given = of_row.map(|(_, amount)| amount).or(of_document);
    let Some(kept) = given.filter(is_allowed).map(round2) else { return };
    row.tax_amount = kept;
    let mut keeps = |given: Decimal, place: Place<'_>, rule: &'static str, term: &'static str| {
        if given == kept && kept != computed {
            let message = format!(
                "{given} was given and is kept, {computed} was computed: the official rules allow a difference of \
                 {VAT_SLACK} (aligned-ibrp-s-09)"
            );
            findings.warning(place, rule, term, message);
        }
    };
    if let Some((i, given)) = of_row {
        let place = Place::ROOT_REF.field("vat_breakdown");
        let place = place.index(i);
        keeps(given, place.field("tax_amount"), "AP-TOTAL-117", "IBT-117");
    }
    if let Some(given) = of_document {
        let place = Place::ROOT_REF.field("totals");
        keeps(given, place.field("total_vat_amount"), "AP-TOTAL-110", "IBT-110");
    }
}

fn totals(
    body: &Body,
    lines: &[LineAmounts],
    rows: &[VatBreakdown],
    facts: &Facts,
) -> Option<Totals> {
    let sum = |amounts: &mut dyn Iterator<Item = Decimal>| -> Option<Decimal> {
        let mut sum = Decimal::new(0, 2);
        for amount in amounts {
            sum = within_limit(sum.checked_add(amount)?)?;
        }
        Some(round2(sum))
    };
    let lines_sum = sum(&mut lines.iter().map(|line| line.net_amount))?;
    let allowances = sum(&mut body.allowances.iter().filter_map(|item| item.amount))?;
    let charges = sum(&mut body.charges.iter().filter_map(|item| item.amount))?;
    let without_vat = round2(within_limit(lines_sum - allowances + charges)?);
    let vat = sum(&mut rows.iter().map(|row| row.tax_amount))?;
    let with_vat = round2(within_limit(without_vat + vat)?);
    let given = body.totals.as_ref();
    let paid = match given.and_then(|totals| totals.paid_amount) {
        Some(paid) => Some(round2(within_limit(paid)?)),
        // ibr-093: paid amounts require their sum.
        None if !body.paid_amounts.is_empty() => {
            Some(sum(&mut body.paid_amounts.iter().map(|paid| paid.amount))?)
        }
        None => None,
    };
    let rounding = match given.and_then(|totals| totals.rounding_amount) {
        Some(rounding) => Some(round2(within_limit(rounding)?)),
        None => None,
    };
    let due = with_vat - paid.unwrap_or_default() + rounding.unwrap_or_default();
    let due = round2(within_limit(due)?);
    let in_aed = |amount: Decimal| -> Option<Option<Decimal>> {
        match facts.exchange_rate.filter(|_| facts.is_foreign_currency) {
            Some(rate) => Some(Some(within_limit(round2(amount.checked_mul(rate)?))?)),
            None => Some(None),
        }
    };
    Some(Totals {
        sum_of_line_net_amounts: lines_sum,
        sum_of_allowances: (!body.allowances.is_empty()).then_some(allowances),
        sum_of_charges: (!body.charges.is_empty()).then_some(charges),
        total_amount_without_vat: without_vat,
        total_vat_amount: vat,
        total_vat_amount_in_aed: in_aed(vat)?,
        total_amount_with_vat: with_vat,
        total_amount_with_vat_in_aed: in_aed(with_vat)?,
        paid_amount: paid,
        rounding_amount: rounding,
        amount_due_for_payment: due,
        tax_included: given.and_then(|totals| totals.tax_included),
    })
}

/// Keeps the totals in AED of the caller, if rounding explains the difference. Callers who add up their lines in AED
/// round once for each line, allowance and charge.
fn keep_given_in_aed(body: &Body, totals: &mut Totals, facts: &Facts, findings: &mut Findings) {
    let (Some(given), Some(rate)) = (&body.totals, facts.exchange_rate) else { return };
    let rounded = body.line_items.len() + body.allowances.len() + body.charges.len();
    let Some(slack) = aed_slack(rate).checked_mul(Decimal::from(rounded)) else { return };
    let place = Place::ROOT_REF.field("totals");
    let mut keep = |given: Option<Decimal>, kept: &mut Option<Decimal>, field, rule| {
        if let Some(computed) = *kept {
            let place = place.field(field);
            *kept = Some(keep_given(given, computed, slack, place, rule, findings));
        }
    };
    keep(
        given.total_vat_amount_in_accounting_currency,
        &mut totals.total_vat_amount_in_aed,
        "total_vat_amount_in_accounting_currency",
        ["AP-TOTAL-111", "IBT-111"],
    );
    keep(
        given.total_amount_with_vat_in_aed,
        &mut totals.total_amount_with_vat_in_aed,
        "total_amount_with_vat_in_aed",
        ["AP-TOTAL-BTAE-20", "BTAE-20"],
    );
}

fn compare_totals(body: &Body, totals: &Totals, findings: &mut Findings) {
    let Some(given) = &body.totals else { return };
    let place = Place::ROOT.field("totals");
    let some = Some;
    for (field, [rule, term], given, computed) in [
        (
            "sum_of_line_net_amounts",
            ["AP-TOTAL-106", "IBT-106"],
            given.sum_of_line_net_amounts,
            some(totals.sum_of_line_net_amounts),
        ),
        (
            "sum_of_allowances",
            ["AP-TOTAL-107", "IBT-107"],
            given.sum_of_allowances,
            totals.sum_of_allowances,
        ),
        (
            "sum_of_charges",
            ["AP-TOTAL-108", "IBT-108"],
            given.sum_of_charges,
            totals.sum_of_charges,
        ),
        (
            "total_amount_without_vat",
            ["AP-TOTAL-109", "IBT-109"],
            given.total_amount_without_vat,
            some(totals.total_amount_without_vat),
        ),
        (
            "total_vat_amount",
            ["AP-TOTAL-110", "IBT-110"],
            given.total_vat_amount,
            some(totals.total_vat_amount),
        ),
        (
            "total_vat_amount_in_accounting_currency",
            ["AP-TOTAL-111", "IBT-111"],
            given.total_vat_amount_in_accounting_currency,
            totals.total_vat_amount_in_aed,
        ),
        (
            "total_amount_with_vat",
            ["AP-TOTAL-112", "IBT-112"],
            given.total_amount_with_vat,
            some(totals.total_amount_with_vat),
        ),
        (
            "total_amount_with_vat_in_aed",
            ["AP-TOTAL-BTAE-20", "BTAE-20"],
            given.total_amount_with_vat_in_aed,
            totals.total_amount_with_vat_in_aed,
        ),
        (
            "amount_due_for_payment",
            ["AP-TOTAL-115", "IBT-115"],
            given.amount_due_for_payment,
            some(totals.amount_due_for_payment),
        ),
    ] {
        // The amounts in AED were checked before.
        let is_in_aed = matches!(term, "IBT-111" | "BTAE-20");
        match computed {
            Some(_) if is_in_aed => {}
            Some(computed) => compare(given, computed, place.field(field), rule, term, findings),
            // Without allowances or charges, their sum is absent or 0. Without a foreign currency, no amount in AED is
            // converted.
            None if given.is_some_and(|given| !given.is_zero()) || term.starts_with('B') => {
                if let Some(given) = given {
                    let message = format!(
                        "{given} was given, but the document has nothing to compute it from: leave \
                                           it out"
                    );
                    findings.term(place.field(field), rule, term, message);
                }
            }
            None => {}
        }
    }
    let paid: Option<Decimal> =
        body.paid_amounts.iter().try_fold(Decimal::ZERO, |sum, paid| sum.checked_add(paid.amount));
    if let Some(paid) = paid.filter(|_| !body.paid_amounts.is_empty()) {
        let place = place.field("paid_amount");
        compare(given.paid_amount, round2(paid), place, "AP-TOTAL-113", "IBT-113", findings);
    }
}

fn compare_breakdown(body: &Body, rows: &[VatBreakdown], findings: &mut Findings) {
    if body.vat_breakdown.is_empty() {
        return;
    }
    let at = Place::ROOT.field("vat_breakdown");
    // Maps each computed row to the given row.
    let mut seen = vec![None; rows.len()];
    for (i, given) in body.vat_breakdown.iter().enumerate() {
        let place = at.index(i);
        let same = |row: &VatBreakdown| {
            row.category_code == given.vat_category_code
                && (given.vat_rate.is_none() || given.vat_rate == row.rate)
        };
        let position = rows.iter().zip(&seen).position(|(row, seen)| seen.is_none() && same(row));
        let Some((row, seen)) =
            position.and_then(|found| Some((rows.get(found)?, seen.get_mut(found)?)))
        else {
            let rate = given.vat_rate.map_or_else(String::new, |rate| format!(" at {rate}"));
            let category = &given.vat_category_code;
            let twin = rows.iter().zip(&seen).find_map(|(row, seen)| seen.filter(|_| same(row)));
            let message = match twin {
                Some(twin) => format!(
                    "a row for {category}{rate} is already in vat_breakdown/{twin}: each category and rate has one \
                     row, so add the two together"
                ),
                None => {
                    format!("no line, allowance or charge belongs to a row for {category}{rate}")
                }
            };
            findings.term(place, "AP-TOTAL-breakdown", "IBG-23", message);
            continue;
        };
        *seen = Some(i);
        let field = place.field("taxable_amount");
        let (rule, amount) = ("AP-TOTAL-116", given.taxable_amount);
        compare(amount, row.taxable_amount, field, rule, "IBT-116", findings);
        let field = place.field("tax_amount");
        compare(given.tax_amount, row.tax_amount, field, "AP-TOTAL-117", "IBT-117", findings);
    }
    for (row, _) in rows.iter().zip(seen).filter(|(_, seen)| seen.is_none()) {
        let rate = row.rate.map_or_else(String::new, |rate| format!(" at {rate}"));
        let message = format!(
            "a row for {}{rate} is missing: {} was computed. Add it, or leave vat_breakdown out",
            row.category_code, row.taxable_amount
        );
        findings.term(at, "AP-TOTAL-breakdown", "IBG-23", message);
    }
}
