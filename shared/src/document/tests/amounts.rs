//! Prices, allowances, totals, VAT breakdown and amounts in AED.

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
fn given_totals_are_compared_and_a_difference_names_both_values() {
    let right = json!({
        "sum_of_line_net_amounts": "150.13", "sum_of_allowances": 6, "sum_of_charges": "9.000", "total_amount_without_vat": "153.13",
        "total_vat_amount": "0.96", "total_amount_with_vat": "154.09", "amount_due_for_payment": "154.09", "tax_included": false});
    let mut changes = mixed();
    changes.push(("/totals", right.clone()));
    run(Invoice, &with(Invoice, &changes)).unwrap();
    for (field, rule) in [
        ("sum_of_line_net_amounts", "AP-TOTAL-106"),
        ("sum_of_allowances", "AP-TOTAL-107"),
        ("sum_of_charges", "AP-TOTAL-108"),
        ("total_amount_without_vat", "AP-TOTAL-109"),
        ("total_vat_amount", "AP-TOTAL-110"),
        ("total_amount_with_vat", "AP-TOTAL-112"),
        ("amount_due_for_payment", "AP-TOTAL-115"),
        ("total_vat_amount_in_accounting_currency", "AP-TOTAL-111"),
        ("total_amount_with_vat_in_aed", "AP-TOTAL-BTAE-20"),
    ] {
        let pointer = format!("/totals/{field}");
        let wrong = with(Invoice, &[&changes[..], &[(&*pointer, json!("1.23"))]].concat());
        let found = findings(Invoice, &wrong);
        assert_eq!((found.len(), &*found[0].pointer, &*found[0].rule), (1, &*pointer, rule));
        assert!(found[0].message.contains("1.23"));
    }
    expect(
        Invoice,
        &mixed(),
        &[
            (
                &[(
                    "/vat_breakdown",
                    json!([{"vat_category_code": "S", "taxable_amount": "19.13"}]),
                )],
                &[("/vat_breakdown", "AP-TOTAL-breakdown"); 4],
            ),
            (
                &[
                    ("/line_items", json!([line("S", "100")])),
                    ("/allowances", Value::Null),
                    ("/charges", Value::Null),
                    (
                        "/vat_breakdown",
                        json!([{"vat_category_code": "S", "vat_rate": 5, "taxable_amount": 100, "tax_amount": "5.1"},
                                     {"vat_category_code": "Z"}]),
                    ),
                ],
                &[
                    ("/vat_breakdown/0/tax_amount", "AP-TOTAL-117"),
                    ("/vat_breakdown/1", "AP-TOTAL-breakdown"),
                ],
            ),
        ],
    );
}

/// Two lines of 0.30. Each line has a VAT of 0.02, but the VAT of their sum is 0.03.
fn two_lines() -> (&'static str, Value) {
    ("/line_items", json!([line("S", "0.30"), line("S", "0.30")]))
}

#[test]
fn a_given_vat_total_that_the_official_rules_allow_is_kept_and_the_totals_follow() {
    for operation in [Invoice, CreditNote, SelfBilledInvoice, SelfBilledCreditNote] {
        for (given, total) in
            [("0.01", "0.61"), ("0.02", "0.62"), ("0.04", "0.64"), ("0.05", "0.65")]
        {
            let vat =
                ("/totals", json!({"total_vat_amount": given, "total_amount_with_vat": total}));
            let (document, warnings) =
                run(operation, &with(operation, &[two_lines(), vat])).unwrap();
            let totals = &document.totals;
            assert_eq!(totals.total_vat_amount.to_string(), given);
            assert_eq!(totals.total_amount_with_vat.to_string(), total);
            assert_eq!(totals.amount_due_for_payment.to_string(), total);
            assert_eq!(document.vat_breakdown[0].tax_amount.to_string(), given);
            let [warning] = &warnings[..] else { panic!("{warnings:?}") };
            assert_eq!(
                (&*warning.pointer, &*warning.rule),
                ("/totals/total_vat_amount", "AP-TOTAL-110")
            );
            assert!(warning.message.contains(given) && warning.message.contains("0.03"));
        }
    }
    let row =
        |tax: &str| ("/vat_breakdown", json!([{"vat_category_code": "S", "tax_amount": tax}]));
    let (document, warnings) = run(Invoice, &with(Invoice, &[two_lines(), row("0.040")])).unwrap();
    assert_eq!(document.totals.total_vat_amount.to_string(), "0.04");
    let found: Vec<_> = warnings.iter().map(|w| (&*w.pointer, &*w.rule)).collect();
    assert_eq!(found, [("/vat_breakdown/0/tax_amount", "AP-TOTAL-117")]);
    let vat = |given: &str| ("/totals", json!({"total_vat_amount": given}));
    let (_, warnings) =
        run(Invoice, &with(Invoice, &[two_lines(), row("0.04"), vat("0.04")])).unwrap();
    assert_eq!(warnings.len(), 2);
    let total = ("/totals/total_vat_amount", "AP-TOTAL-110");
    let follows = json!({"total_vat_amount": "0.04", "total_amount_with_vat": "0.63"});
    expect(
        Invoice,
        &[two_lines()],
        &[
            (&[vat("0.03")], &[]),
            (&[vat("0.00")], &[total]),
            (&[vat("0.06")], &[total]),
            (&[vat("0.035")], &[total]),
            (&[vat("-0.01")], &[total]),
            (&[row("0.04"), vat("0.03")], &[total]),
            (&[("/totals", follows)], &[("/totals/total_amount_with_vat", "AP-TOTAL-112")]),
            // 0.01 is not accepted in place of 0: only category S has a tolerance.
            (&[("/line_items", json!([line("Z", "0.30")])), vat("0.01")], &[total]),
        ],
    );
    let dollars = [
        two_lines(),
        ("/currency", json!("USD")),
        ("/currency_exchange_rate", json!("3.6725")),
        vat("0.04"),
    ];
    let (document, _) = run(Invoice, &with(Invoice, &dollars)).unwrap();
    assert_eq!(document.totals.total_vat_amount_in_aed.unwrap().to_string(), "0.15");
    assert_eq!(document.totals.total_amount_with_vat_in_aed.unwrap().to_string(), "2.35");
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

fn the_warnings(changes: &[(&str, Value)]) -> (Document, Vec<Finding>) {
    run(Invoice, &with(Invoice, changes)).unwrap()
}

#[test]
fn an_amount_in_aed_that_rounding_explains_is_kept_with_a_warning() {
    let (vat, total) = ("/line_items/0/vat_amount_in_aed", "/line_items/0/amount_in_aed");
    let one = ("/line_items", json!([line("S", "0.30")]));
    // 5 % of 0.30 is 0.015: 0.02 half up, 0.01 half to even or truncated. The total follows.
    let (document, warnings) = the_warnings(&[one.clone(), (vat, json!("0.01"))]);
    assert_eq!(document.line_amounts[0].vat_amount_in_aed, Some(d("0.01")));
    assert_eq!(document.line_amounts[0].amount_in_aed, d("0.31"));
    assert_eq!(document.body.line_items[0].vat_amount_in_aed, Some(d("0.01")));
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    assert_eq!((&*warning.pointer, &*warning.rule), (vat, "AP-LINE-vat-aed"));
    for said in
        ["0.01 was given and is kept", "0.02 was computed", "may cause a difference of 0.01"]
    {
        assert!(warning.message.contains(said), "{warning:?}");
    }
    let (document, warnings) = the_warnings(&[one.clone(), (total, json!("0.31"))]);
    assert_eq!(document.line_amounts[0].amount_in_aed, d("0.31"));
    assert_eq!(warnings[0].rule, "AP-LINE-aed");
    expect(
        Invoice,
        &[one.clone()],
        &[
            (&[(vat, json!("0.02")), (total, json!("0.32"))], &[]),
            // Rounding one line does not explain two fils, and an amount must not have a third decimal.
            (&[(vat, json!("0.04"))], &[(vat, "AP-LINE-vat-aed")]),
            (&[(vat, json!("0.015"))], &[(vat, "AP-LINE-vat-aed")]),
            (&[(total, json!("0.34"))], &[(total, "AP-LINE-aed")]),
        ],
    );
}

#[test]
fn in_another_currency_half_a_cent_at_the_rate_and_half_a_fil_are_rounding() {
    let vat = "/line_items/0/vat_amount_in_aed";
    let dollars = [
        ("/line_items", json!([line("S", "33.33"), line("S", "33.33")])),
        ("/currency", json!("USD")),
        ("/currency_exchange_rate", json!("3.6725")),
    ];
    // 33.33 × 3.6725 × 5 % is 6.12; 1.67 USD of VAT, rounded, are 6.13.
    let (document, warnings) = the_warnings(&[&dollars[..], &[(vat, json!("6.13"))]].concat());
    assert_eq!(document.line_amounts[0].vat_amount_in_aed, Some(d("6.13")));
    assert_eq!(warnings.len(), 1);
    // The slack is 0.005 × 3.6725 + 0.005 in whole fils, 0.03. So 6.15 is the highest accepted amount.
    let most = with(Invoice, &[&dollars[..], &[(vat, json!("6.15"))]].concat());
    assert!(run(Invoice, &most).is_ok());
    let beyond = with(Invoice, &[&dollars[..], &[(vat, json!("6.16"))]].concat());
    assert_eq!(errors(Invoice, &beyond), [(vat.to_owned(), "AP-LINE-vat-aed".to_owned())]);
    // VAT is 3.33 USD, 12.23 AED. Callers who add up their lines round twice: 2 × 0.03.
    let of = |vat: &str, total: &str| {
        let totals = json!({
            "total_vat_amount_in_accounting_currency": vat, "total_amount_with_vat_in_aed": total,
        });
        [&dollars[..], &[("/totals", totals)]].concat()
    };
    let (document, warnings) = the_warnings(&of("12.26", "257.06"));
    assert_eq!(document.totals.total_vat_amount_in_aed, Some(d("12.26")));
    assert_eq!(document.totals.total_amount_with_vat_in_aed, Some(d("257.06")));
    let found: Vec<_> = warnings.iter().map(|it| &*it.rule).collect();
    assert_eq!(found, ["AP-TOTAL-111", "AP-TOTAL-BTAE-20"]);
    let found = errors(Invoice, &with(Invoice, &of("12.30", "257.11")));
    let rules: Vec<_> = found.iter().map(|(_, rule)| rule.as_str()).collect();
    assert_eq!(rules, ["AP-TOTAL-111", "AP-TOTAL-BTAE-20"]);
}

#[test]
fn a_sum_that_is_wrong_is_reported_beside_the_right_one() {
    for (pointer, given, expected) in [
        ("/line_items/0/net_amount", json!("201"), "200.00"),
        ("/line_items/0/amount_in_aed", json!("200"), "210.00"),
        ("/line_items/0/vat_amount_in_aed", json!("9"), "10.00"),
        ("/totals", json!({"total_amount_with_vat": "1.23"}), "210.00"),
        ("/vat_breakdown", json!([{"vat_category_code": "S", "taxable_amount": 1}]), "200.00"),
        ("/line_items/0/price", json!({"net_price": 90, "gross_price": 100, "discount": 5}), "95"),
    ] {
        let found = findings(Invoice, &with(Invoice, &[(pointer, given)]));
        let actual: Vec<_> = found.iter().filter_map(|it| it.expected.as_deref()).collect();
        assert_eq!(actual, [expected], "{found:?}");
        assert!(found[0].value.is_some(), "{found:?}");
    }
}

#[test]
fn where_binary_floating_point_decides_between_two_cents_the_message_says_so() {
    let net = "/line_items/0/net_amount";
    let changes = [("/line_items/0/quantity", json!(1)), (PRICE, json!({"net_price": "1.005"}))];
    let found =
        findings(Invoice, &with(Invoice, &[&changes[..], &[(net, json!("1.01"))]].concat()));
    let finding = &found[0];
    assert_eq!((&*finding.rule, finding.expected.as_deref()), ("AP-LINE-net", Some("1.00")));
    for said in ["half way between two cents", "binary floating point", "ibr-147-ae"] {
        assert!(finding.message.contains(said), "{finding:?}");
    }
    // A value that is further away does not lie at the tie: the message does not mention it.
    let found =
        findings(Invoice, &with(Invoice, &[&changes[..], &[(net, json!("1.07"))]].concat()));
    assert!(!found[0].message.contains("binary"), "{found:?}");
}

#[test]
fn what_is_below_zero_gets_a_fix_that_says_what_to_send_instead() {
    let negative = ("/line_items/0/quantity", json!("-2"));
    let message = |operation: Operation| {
        let found = findings(operation, &with(operation, &[negative.clone()]));
        let found = found.into_iter().find(|it| it.rule == "AP-TOTAL-negative").unwrap();
        found.message.into_owned()
    };
    for operation in [Invoice, SelfBilledInvoice] {
        assert!(message(operation).ends_with("send a credit note"));
    }
    for operation in [CreditNote, SelfBilledCreditNote] {
        let message = message(operation);
        assert!(message.contains("without a sign") && message.contains("send an invoice"));
        assert!(!message.contains("send a credit note"), "{message}");
    }
}

#[test]
fn a_second_row_of_one_rate_is_said_to_be_the_second() {
    let row = json!({"vat_category_code": "S", "vat_rate": 5});
    let changes = [("/vat_breakdown", json!([row, row]))];
    let found = findings(Invoice, &with(Invoice, &changes));
    assert_eq!((&*found[0].pointer, &*found[0].rule), ("/vat_breakdown/1", "AP-TOTAL-breakdown"));
    assert!(found[0].message.contains("is already in vat_breakdown/0"), "{found:?}");
}
