use super::*;
use crate::rules::testing::fired;

const SAMPLE: &str = include_str!("../samples/transactions.xml");

/// The start of the first subtotal.
const PROTOCOL: &str = r#"<Subtotal type="PerTP">"#;

#[test]
fn there_are_40_rules() {
    assert_eq!(GROUPS.iter().map(|group| group.len()).sum::<usize>(), 40);
}

#[test]
fn a_report_of_nothing_has_no_subtotals() {
    let (head, rest) = SAMPLE.split_once(PROTOCOL).unwrap();
    let (_, end) = rest.rsplit_once("</Subtotal>").unwrap();
    let empty = format!("{head}{end}").replace(">5<", ">0<").replace(">3<", ">-0<");
    assert_eq!(fired(&RULES, &empty), [""; 0]);
    assert_eq!(
        fired(&RULES, &empty.replace(">-0<", ">1<")),
        ["SCH-TSR-03", "SCH-TSR-05", "SCH-TSR-07", "SCH-TSR-09"]
    );
}

#[test]
fn a_negative_nought_is_nought_only_where_the_referee_reads_an_integer() {
    let nought = |sum: &str, total: &str| {
        let edited = SAMPLE.replace("<Outgoing>3<", "<Outgoing>0<").replacen(
            "<Outgoing>0<",
            &format!("<Outgoing>{total}<"),
            1,
        );
        let edited = edited.replacen(
            "v2_0</Key>\n    <Incoming>5</Incoming>\n    <Outgoing>0<",
            &format!("v2_0</Key><Incoming>5</Incoming><Outgoing>{sum}<"),
            1,
        );
        !fired(&RULES, &edited).contains(&"SCH-TSR-05")
    };
    assert!(nought("0", "0") && nought("-0", "-0"));
    assert!(!nought("-0", "0") && !nought("0", "-0"));
}

#[test]
fn a_report_inside_a_report_is_not_validated() {
    let (_, inner) = SAMPLE.split_once("?>").unwrap();
    let inner = inner.replace("PAE000200", "nobody").replace("Per", "By");
    let outer = SAMPLE.replacen("</Total>", &format!("{inner}</Total>"), 1);
    assert_eq!(fired(&RULES, &outer), [""; 0]);
}
