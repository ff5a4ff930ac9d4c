//! Given amounts that differ from what the lines make.

use super::*;

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
