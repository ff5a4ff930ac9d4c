use super::*;
use crate::rules::testing::fired;

const SAMPLE: &str = include_str!("../samples/end-users.xml");

/// The start of the first subset.
const PROCESSES: &str = r#"<Subset type="PerDT-PR">"#;

#[test]
fn there_are_42_rules() {
    assert_eq!(GROUPS.iter().map(|group| group.len()).sum::<usize>(), 42);
}

#[test]
fn a_report_of_nobody_has_no_subsets() {
    let (head, rest) = SAMPLE.split_once(PROCESSES).unwrap();
    let (_, end) = rest.rsplit_once("</Subset>").unwrap();
    let nobody = ["4", "3", "5"]
        .iter()
        .fold(format!("{head}{end}"), |text, number| text.replace(&format!(">{number}<"), ">0<"));
    assert_eq!(fired(&RULES, &nobody), [""; 0]);
}

#[test]
fn a_report_inside_a_report_is_not_validated() {
    let (_, inner) = SAMPLE.split_once("?>").unwrap();
    let inner = inner.replace("PAE000200", "nobody").replace("Per", "By");
    let outer = SAMPLE.replacen("</FullSet>", &format!("{inner}</FullSet>"), 1);
    assert_eq!(fired(&RULES, &outer), [""; 0]);
}
