//! Properties that hold for every document.

use proptest::{collection::vec, prelude::*};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::{ALL, body, run, run_with, with};
use crate::document::{Operation, ReadError, read};

fn amount(max: i64, scale: u32) -> impl Strategy<Value = Decimal> {
    (0..max).prop_map(move |mantissa| Decimal::new(mantissa, scale))
}

fn allowance() -> impl Strategy<Value = Value> {
    prop_oneof![
        amount(500, 2).prop_map(|a| json!({"amount": a.to_string(), "reason": "x"})),
        (amount(100_000, 2), amount(10_000, 3))
            .prop_map(|(b, p)| json!({"base_amount": b.to_string(), "percentage": p.to_string(), "reason": "x"})),
    ]
}

fn document_allowance() -> impl Strategy<Value = Value> {
    (allowance(), prop::sample::select(vec!["S", "Z", "AE", "O"])).prop_map(
        |(mut item, category)| {
            item["vat_category_code"] = json!(category);
            item
        },
    )
}

fn line() -> impl Strategy<Value = Value> {
    (
        amount(100_000, 3),
        amount(1_000_000, 4),
        1..20i64,
        prop::sample::select(vec!["S", "S", "Z", "E", "AE", "O"]),
        vec(allowance(), 0..3),
        vec(allowance(), 0..3),
    )
        .prop_map(|(quantity, price, base, category, allowances, charges)| {
            json!({
                "quantity": quantity.to_string(),
                "price": {"net_price": price.to_string(), "base_quantity": base},
                "vat": {"category_code": category, "exemption_reason_code": "DL8.46.1"},
                "item": {"name": "x", "rcm_goods_type_code": "DL8.48.8.2", "standard_identifier": {"id": "1"}},
                "allowances": allowances,
                "charges": charges,
            })
        })
}

fn json_value() -> impl Strategy<Value = Value> {
    let names: Vec<String> = Operation::ALL
        .iter()
        .flat_map(|operation| operation.fields().map(|(field, _)| field.to_owned()))
        .chain(
            ["id", "amount", "item", "vat", "price", "name", "address", "a/b", "~"]
                .map(str::to_owned),
        )
        .collect();
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from),
        "[0-9]{1,30}(\\.[0-9]{1,12})?".prop_map(Value::from),
        Just(json!("2026-11-30")),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((prop::sample::select(names.clone()), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Whether a pointer leads to a value of the body, or to a missing member of one of its objects.
fn resolves(body: &Value, pointer: &str) -> bool {
    body.pointer(pointer).is_some()
        || pointer
            .rsplit_once('/')
            .is_some_and(|(parent, _)| body.pointer(parent).is_some_and(Value::is_object))
}

fn round2(value: Decimal) -> Decimal {
    crate::document::round::round2(value)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_sums_of_every_document_hold(
        lines in vec(line(), 1..12),
        allowances in vec(document_allowance(), 0..4),
        charges in vec(document_allowance(), 0..4),
        foreign in any::<bool>(),
        rate in 1..10_000_000i64,
    ) {
        let mut changes = vec![("/line_items", Value::from(lines)), ("/allowances", allowances.into()), ("/charges", charges.into())];
        changes.push(("/line_items/0/vat", json!({"category_code": "S"})));
        let rate = Decimal::new(rate, 6);
        if foreign {
            changes.push(("/currency", json!("OMR")));
            changes.push(("/currency_exchange_rate", json!(rate.to_string())));
        }
        let body = with(Operation::Invoice, &changes);
        let document = match run(Operation::Invoice, &body) {
            Ok((document, _)) => document,
            Err(findings) => {
                prop_assert!(findings.iter().all(|f| f.rule == "AP-TOTAL-negative"), "{:?}", findings);
                return Ok(());
            }
        };
        let totals = &document.totals;
        let sum = |amounts: Vec<Decimal>| amounts.into_iter().sum::<Decimal>();
        // Each line equals its rounded product within one cent. It is exactly equal where no tie decides.
        for (line, amounts) in document.body.line_items.iter().zip(&document.line_amounts) {
            let all = |items: &[crate::document::LineAllowanceCharge]| sum(items.iter().map(|i| i.amount.unwrap()).collect());
            let exact = line.quantity * line.price.net_price.unwrap() / line.price.base_quantity.unwrap()
                + all(&line.charges) - all(&line.allowances);
            prop_assert!((amounts.net_amount - exact).abs() <= Decimal::new(5, 3) + Decimal::new(1, 9));
            prop_assert_eq!(amounts.net_amount.scale(), 2);
            prop_assert_eq!(line.net_amount, Some(amounts.net_amount));
            let vat = amounts.vat_amount_in_aed.unwrap_or_default();
            let factor = if foreign { rate } else { Decimal::ONE };
            prop_assert_eq!(amounts.amount_in_aed, round2(amounts.net_amount * factor) + vat);
            prop_assert_eq!(line.vat.category_code == "E", amounts.vat_amount_in_aed.is_none());
        }
        let nets = sum(document.line_amounts.iter().map(|l| l.net_amount).collect());
        let minus = sum(document.body.allowances.iter().map(|a| a.amount.unwrap()).collect());
        let plus = sum(document.body.charges.iter().map(|a| a.amount.unwrap()).collect());
        prop_assert_eq!(totals.sum_of_line_net_amounts, nets);
        prop_assert_eq!(totals.sum_of_allowances.is_some(), !document.body.allowances.is_empty());
        prop_assert_eq!(totals.sum_of_charges.unwrap_or_default(), plus);
        prop_assert_eq!(totals.total_amount_without_vat, nets - minus + plus);
        prop_assert_eq!(sum(document.vat_breakdown.iter().map(|r| r.taxable_amount).collect()), totals.total_amount_without_vat);
        prop_assert_eq!(sum(document.vat_breakdown.iter().map(|r| r.tax_amount).collect()), totals.total_vat_amount);
        prop_assert_eq!(totals.total_amount_with_vat, totals.total_amount_without_vat + totals.total_vat_amount);
        prop_assert_eq!(totals.amount_due_for_payment, totals.total_amount_with_vat);
        prop_assert_eq!(totals.total_vat_amount_in_aed, foreign.then(|| round2(totals.total_vat_amount * rate)));
        prop_assert_eq!(totals.total_amount_with_vat_in_aed, foreign.then(|| round2(totals.total_amount_with_vat * rate)));
        for row in &document.vat_breakdown {
            let same = document.vat_breakdown.iter().filter(|r| r.category_code == row.category_code);
            prop_assert_eq!(same.count(), 1);
            let tax = if row.category_code == "S" { round2(row.taxable_amount / Decimal::from(20)) } else { Decimal::ZERO };
            prop_assert_eq!(row.tax_amount, tax);
            prop_assert_eq!(row.rate.is_none(), matches!(&*row.category_code, "E" | "O"));
        }
        // The computed values may be sent as given values.
        let mut again = document.body.to_json();
        again["totals"] = json!({
            "total_amount_with_vat": totals.total_amount_with_vat.to_string(),
            "amount_due_for_payment": totals.amount_due_for_payment.to_string(),
        });
        let (second, _) = run(Operation::Invoice, &again).map_err(|f| TestCaseError::fail(format!("{f:?}")))?;
        prop_assert_eq!(&second.totals, totals);
        prop_assert_eq!(second.line_amounts, document.line_amounts);
    }

    #[test]
    fn any_json_is_read_without_panic_and_every_pointer_leads_into_it(
        changes in vec((any::<prop::sample::Index>(), json_value()), 1..5),
        line in proptest::option::of(json_value()),
        operation in prop::sample::select(ALL.to_vec()),
    ) {
        let mut body = body(operation);
        let fields: Vec<_> = operation.fields().map(|(field, _)| field).collect();
        for (index, value) in changes {
            body[*index.get(&fields)] = value;
        }
        if let (Some(line), Some(first)) = (line, body.pointer_mut("/line_items/0")) {
            *first = line;
        }
        let text = body.to_string();
        if let Err(findings) = run_with(operation, &text, None) {
            prop_assert!(!findings.is_empty());
            for finding in findings {
                prop_assert!(resolves(&body, &finding.pointer), "{} in {body}", finding.pointer);
            }
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in vec(any::<u8>(), 0..200), text in "[\\[\\]{}:,\"0-9a-z\\\\ .-]{0,60}") {
        let accepted = read(Operation::Invoice, &bytes).is_ok() || read(Operation::Invoice, text.as_bytes()).is_ok();
        prop_assert!(!accepted);
        if let Err(ReadError::Malformed(message)) = read(Operation::Invoice, text.as_bytes()) {
            prop_assert!(!message.is_empty());
        }
    }

    #[test]
    fn a_small_change_to_a_good_body_never_panics(position in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = body(Operation::CreditNote).to_string().into_bytes();
        let at = position.index(bytes.len());
        bytes[at] = byte;
        if let Ok(text) = std::str::from_utf8(&bytes)
            && serde_json::from_str::<Value>(text).is_ok()
            && !matches!(read(Operation::CreditNote, &bytes), Err(ReadError::Malformed(_)))
        {
            let _ = run_with(Operation::CreditNote, text, None);
        }
    }
}
