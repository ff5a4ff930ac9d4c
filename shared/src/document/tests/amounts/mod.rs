//! Prices, allowances, totals, VAT breakdown and amounts in AED.

mod compared;

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::{body, errors, expect, findings, run, with};
use crate::{
    document::{Document, Operation, Operation::*},
    error::Finding,
};

fn document(changes: &[(&str, Value)]) -> Document {
    run(Invoice, &with(Invoice, changes)).unwrap().0
}

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

const PRICE: &str = "/line_items/0/price";

#[test]
fn net_gross_and_discount_complete_each_other() {
    for (price, net, discount, gross) in [
        (json!({"net_price": 9}), "9", "0", "9"),
        (json!({"gross_price": 9}), "9", "0", "9"),
        (json!({"gross_price": "9.5", "discount": "0.25"}), "9.25", "0.25", "9.5"),
        (json!({"net_price": 9, "discount": 1}), "9", "1", "10"),
        (json!({"net_price": 9, "gross_price": 10}), "9", "1", "10"),
        (json!({"net_price": 9, "gross_price": "10.0", "discount": "1.00"}), "9", "1", "10"),
    ] {
        let price = document(&[(PRICE, price)]).body.line_items[0].price.clone();
        assert_eq!(
            (price.net_price, price.discount, price.gross_price),
            (Some(d(net)), Some(d(discount)), Some(d(gross)))
        );
        assert_eq!(price.base_quantity, Some(Decimal::ONE));
        assert_eq!(price.base_quantity_unit_code.as_deref(), Some("C62"));
    }
    expect(
        Invoice,
        &[],
        &[
            (
                &[(PRICE, json!({"discount": 1}))],
                &[("/line_items/0/price/net_price", "AP-LINE-price")],
            ),
            (
                &[(PRICE, json!({"net_price": 9, "gross_price": 10, "discount": 2}))],
                &[("/line_items/0/price/net_price", "AP-LINE-price")],
            ),
            (
                &[(PRICE, json!({"net_price": 9, "gross_price": 8}))],
                &[("/line_items/0/price/gross_price", "AP-LINE-price")],
            ),
            (
                &[(PRICE, json!({"gross_price": 8, "discount": 9}))],
                &[("/line_items/0/price/gross_price", "AP-LINE-price")],
            ),
        ],
    );
}

#[test]
fn a_line_is_the_rounded_product_plus_charges_less_allowances() {
    let line = [
        ("/line_items/0/quantity", json!(7)),
        (PRICE, json!({"net_price": "10.333", "base_quantity": 3})),
        (
            "/line_items/0/allowances",
            json!([{"amount": "1.5", "reason": "x"}, {"base_amount": 100, "percentage": "2.5", "reason_code": "95"}]),
        ),
        ("/line_items/0/charges", json!([{"amount": "0.25", "reason_code": "AAC"}])),
    ];
    let document = document(&line);
    // 7 × 10.333 / 3 = 24.11033…, + 0.25 − 1.50 − 2.50.
    assert_eq!(document.line_amounts[0].net_amount.to_string(), "20.36");
    assert_eq!(document.line_amounts[0].vat_amount_in_aed.unwrap().to_string(), "1.02");
    assert_eq!(document.line_amounts[0].amount_in_aed.to_string(), "21.38");
    assert_eq!(document.body.line_items[0].allowances[1].amount.unwrap().to_string(), "2.50");
    let net = "/line_items/0/net_amount";
    expect(
        Invoice,
        &line,
        &[
            (&[(net, json!("20.360"))], &[]),
            (&[(net, json!("20.35"))], &[(net, "AP-LINE-net")]),
            (&[("/line_items/0/amount_in_aed", json!("21.38"))], &[]),
            (
                &[("/line_items/0/amount_in_aed", json!("21.3"))],
                &[("/line_items/0/amount_in_aed", "AP-LINE-aed")],
            ),
            (
                &[("/line_items/0/vat_amount_in_aed", json!("1.018"))],
                &[("/line_items/0/vat_amount_in_aed", "AP-LINE-vat-aed")],
            ),
        ],
    );
    let changed = with(Invoice, &[(net, json!("201"))]);
    let message = &findings(Invoice, &changed)[0].message;
    assert!(message.contains("201") && message.contains("200.00"), "{message}");
}

#[test]
fn an_allowance_has_an_amount_or_base_and_percentage_and_a_reason() {
    for (list, code) in [("/allowances", "95"), ("/charges", "AAC")] {
        let one = |value: Value| (list, json!([value]));
        let at = |field: &str| format!("{list}/0/{field}");
        let (amount, base, percentage) = (at("amount"), at("base_amount"), at("percentage"));
        expect(
            Invoice,
            &[],
            &[
                (&[one(json!({"amount": 1, "reason": "x", "vat_category_code": "S"}))], &[]),
                (
                    &[one(
                        json!({"base_amount": 10, "percentage": 5, "reason_code": code, "vat_category_code": "S"}),
                    )],
                    &[],
                ),
                (
                    &[one(
                        json!({"amount": "0.5", "base_amount": 10, "percentage": 5, "reason": "x", "vat_category_code": "S"}),
                    )],
                    &[],
                ),
                (
                    &[one(
                        json!({"amount": "0.6", "base_amount": 10, "percentage": 5, "reason": "x", "vat_category_code": "S"}),
                    )],
                    &[(&amount, "AP-ALLOWANCE-amount")],
                ),
                (
                    &[one(json!({"base_amount": 10, "reason": "x", "vat_category_code": "S"}))],
                    &[(&percentage, "AP-ALLOWANCE-pair")],
                ),
                (
                    &[one(
                        json!({"amount": 1, "percentage": 5, "reason": "x", "vat_category_code": "S"}),
                    )],
                    &[(&base, "AP-ALLOWANCE-pair")],
                ),
                (
                    &[one(json!({"reason": "x", "vat_category_code": "S"}))],
                    &[(&amount, "AP-ALLOWANCE-amount")],
                ),
                (
                    &[one(json!({"amount": 1, "vat_category_code": "S"}))],
                    &[(&at("reason"), "AP-ALLOWANCE-reason")],
                ),
                (
                    &[one(json!({"amount": "1.001", "reason": "x", "vat_category_code": "S"}))],
                    &[(&amount, "AP-JSON-decimals")],
                ),
                (
                    &[one(json!({"amount": 1, "reason_code": "QQQ", "vat_category_code": "S"}))],
                    &[(&at("reason_code"), "AP-JSON-code")],
                ),
                (
                    &[one(json!({"amount": 1, "reason": "x", "vat_category_code": "N"}))],
                    &[(&at("vat_category_code"), "AP-JSON-code")],
                ),
                (
                    &[one(
                        json!({"amount": 1, "reason": "x", "vat_category_code": "S", "vat_rate": 4}),
                    )],
                    &[(&at("vat_rate"), "AP-VAT-rate")],
                ),
                (
                    &[one(
                        json!({"amount": 1, "reason": "x", "vat_category_code": "O", "vat_rate": 0}),
                    )],
                    &[(&at("vat_rate"), "AP-VAT-rate")],
                ),
                (
                    &[one(json!({"amount": 1, "reason": "x", "vat_category_code": "E"}))],
                    &[(&at("reason_code"), "AP-ALLOWANCE-reason")],
                ),
            ],
        );
    }
}

fn line(category: &str, price: &str) -> Value {
    json!({"quantity": 1, "price": {"net_price": price}, "vat": {"category_code": category, "exemption_reason_code": "DL8.46.2"},
        "item": {"name": "x", "rcm_goods_type_code": "DL8.48.3.1", "standard_identifier": {"id": "1"}}})
}

fn mixed() -> Vec<(&'static str, Value)> {
    vec![
        (
            "/line_items",
            json!([
                line("Z", "10"),
                line("S", "20.10"),
                line("E", "30"),
                line("AE", "40"),
                line("S", "0.03"),
                line("O", "50")
            ]),
        ),
        (
            "/allowances",
            json!([
            {"amount": 1, "reason": "a", "vat_category_code": "S"}, {"amount": 2, "reason": "a", "vat_category_code": "AE"},
            {"amount": 3, "reason_code": "95", "vat_category_code": "E"}]),
        ),
        (
            "/charges",
            json!([{"amount": 4, "reason": "c", "vat_category_code": "O"}, {"amount": 5, "reason": "c", "vat_category_code": "Z"}]),
        ),
    ]
}

#[test]
fn the_breakdown_has_a_row_a_category_in_order_of_first_appearance() {
    let document = document(&mixed());
    let rows: Vec<_> = document
        .vat_breakdown
        .iter()
        .map(|r| {
            (&*r.category_code, r.rate, r.taxable_amount.to_string(), r.tax_amount.to_string())
        })
        .collect();
    let row = |c, rate: Option<i64>, taxable: &str, tax: &str| {
        (c, rate.map(Decimal::from), taxable.to_owned(), tax.to_owned())
    };
    assert_eq!(
        rows,
        [
            row("Z", Some(0), "15.00", "0.00"),
            row("S", Some(5), "19.13", "0.96"),
            row("E", None, "27.00", "0.00"),
            row("AE", Some(5), "38.00", "0.00"),
            row("O", None, "54.00", "0.00"),
        ]
    );
    let totals = &document.totals;
    assert_eq!(totals.sum_of_line_net_amounts.to_string(), "150.13");
    assert_eq!(totals.sum_of_allowances.unwrap().to_string(), "6.00");
    assert_eq!(totals.sum_of_charges.unwrap().to_string(), "9.00");
    assert_eq!(totals.total_amount_without_vat.to_string(), "153.13");
    assert_eq!(totals.total_vat_amount.to_string(), "0.96");
    assert_eq!(totals.total_amount_with_vat.to_string(), "154.09");
    assert_eq!(totals.amount_due_for_payment.to_string(), "154.09");
    assert_eq!((totals.paid_amount, totals.rounding_amount), (None, None));
    assert_eq!((totals.total_vat_amount_in_aed, totals.total_amount_with_vat_in_aed), (None, None));
    assert_eq!(document.line_amounts[2].vat_amount_in_aed, None);
    assert_eq!(document.line_amounts[3].vat_amount_in_aed, Some(Decimal::ZERO));
    assert_eq!(document.body.allowances[2].vat_rate, Some(Decimal::ZERO));
    assert_eq!(document.body.charges[0].vat_rate, None);
}

#[test]
fn rates_that_are_numerically_equal_share_a_row_and_reverse_charge_has_one_rate() {
    let mut lines = json!([line("S", "1"), line("S", "2"), line("AE", "3"), line("AE", "4")]);
    lines[1]["vat"]["rate"] = json!("5.00");
    let one = document(&[("/line_items", lines.clone())]);
    assert_eq!(one.vat_breakdown.len(), 2);
    lines[3]["vat"]["rate"] = json!(6);
    assert_eq!(
        errors(Invoice, &with(Invoice, &[("/line_items", lines)])),
        [("/line_items/3/vat/rate".to_owned(), "AP-VAT-one-rate".to_owned())]
    );
}

#[test]
fn paid_and_rounding_amounts_lead_to_the_amount_due() {
    let paid = ("/paid_amounts", json!([{"amount": "10"}, {"amount": "0.5"}]));
    let first = document(&[paid.clone(), ("/totals", json!({"rounding_amount": "-0.25"}))]);
    assert_eq!(first.totals.paid_amount.unwrap().to_string(), "10.50");
    assert_eq!(first.totals.amount_due_for_payment.to_string(), "199.25");
    expect(
        Invoice,
        &[paid],
        &[
            (&[("/totals", json!({"paid_amount": "10.5"}))], &[]),
            (
                &[("/totals", json!({"paid_amount": "11"}))],
                &[("/totals/paid_amount", "AP-TOTAL-113")],
            ),
            (
                &[("/totals", json!({"rounding_amount": "0.001"}))],
                &[("/totals/rounding_amount", "AP-JSON-decimals")],
            ),
        ],
    );
    let alone = document(&[("/totals", json!({"paid_amount": 210}))]);
    assert_eq!(alone.totals.amount_due_for_payment.to_string(), "0.00");
}

#[test]
fn a_foreign_currency_is_converted_for_the_tax_authority() {
    let document = document(&[
        ("/currency", json!("USD")),
        ("/currency_exchange_rate", json!("3.6725")),
        ("/line_items/0/price/net_price", json!("33.33")),
    ]);
    assert_eq!(document.totals.total_amount_with_vat.to_string(), "69.99");
    assert_eq!(document.totals.total_vat_amount_in_aed.unwrap().to_string(), "12.23");
    assert_eq!(document.totals.total_amount_with_vat_in_aed.unwrap().to_string(), "257.04");
    // 66.66 × 3.6725 = 244.80885 and 5 % of it.
    assert_eq!(document.line_amounts[0].vat_amount_in_aed.unwrap().to_string(), "12.24");
    assert_eq!(document.line_amounts[0].amount_in_aed.to_string(), "257.05");
    assert_eq!(document.body.tax_accounting_currency_code.as_deref(), Some("AED"));
}

#[test]
fn amounts_beyond_the_limit_are_findings_and_never_panics() {
    let big = json!("999999999999999999");
    for changes in [
        vec![("/line_items/0/quantity", big.clone()), (PRICE, json!({"net_price": big}))],
        vec![(PRICE, json!({"net_price": big, "discount": big}))],
        vec![
            (PRICE, json!({"net_price": "1", "base_quantity": "0.0000000001"})),
            ("/line_items/0/quantity", big.clone()),
        ],
        vec![(
            "/allowances",
            json!([{"base_amount": big, "percentage": big, "reason": "x", "vat_category_code": "S"}]),
        )],
        vec![("/charges", json!([{"amount": big, "reason": "x", "vat_category_code": "S"}]))],
        vec![("/paid_amounts", json!([{"amount": big}]))],
        vec![("/totals", json!({"rounding_amount": big}))],
        vec![("/currency", json!("EUR")), ("/currency_exchange_rate", big.clone())],
    ] {
        let found = errors(Invoice, &with(Invoice, &changes));
        assert!(found.iter().any(|(_, rule)| rule == "AP-AMOUNT-limit"), "{changes:?} {found:?}");
    }
}

#[test]
fn a_negative_document_is_refused_and_a_negative_line_is_not() {
    let lines = |first: &str, second: &str| {
        let mut lines = json!([line("S", "10"), line("S", "10")]);
        lines[0]["quantity"] = json!(first);
        lines[1]["quantity"] = json!(second);
        ("/line_items", lines)
    };
    expect(
        Invoice,
        &[],
        &[
            (&[lines("3", "-1")], &[]),
            (&[lines("1", "-3")], &[("/line_items", "AP-TOTAL-negative")]),
        ],
    );
    let _ = body(Invoice);
}

#[test]
fn a_second_row_of_one_rate_is_said_to_be_the_second() {
    let row = json!({"vat_category_code": "S", "vat_rate": 5});
    let changes = [("/vat_breakdown", json!([row, row]))];
    let found = findings(Invoice, &with(Invoice, &changes));
    assert_eq!((&*found[0].pointer, &*found[0].rule), ("/vat_breakdown/1", "AP-TOTAL-breakdown"));
    assert!(found[0].message.contains("is already in vat_breakdown/0"), "{found:?}");
}
