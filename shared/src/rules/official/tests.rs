use super::*;
use crate::rules::Group;
use crate::xml::parse;

const SMALL: &str = r#"<schema xmlns="http://purl.oclc.org/dsdl/schematron"
        xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
    <ns prefix="ubl" uri="urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2"/>
    <xsl:function name="u:twice"><xsl:param name="n"/><xsl:sequence select="2 * $n"/></xsl:function>
    <pattern id="first">
        <let name="least" value="3"/>
        <rule context="a | b">
            <assert id="R-1" flag="fatal" test="count(c) &gt; $least">one</assert>
            <assert flag="fatal" test="u:twice(d) = 'x  y'">[R-2] two</assert>
        </rule>
        <rule context="ubl:e"><assert id="R-1" flag="fatal" test="exists(f)">again</assert></rule>
    </pattern>
</schema>"#;

fn entries(schematron: &str) -> Vec<Entry> {
    let document = parse(schematron.as_bytes()).unwrap();
    read(&document, set_of(&document, false).unwrap()).unwrap()
}

/// The differences that `compare` lists for an edited copy, as `change id`.
fn drift(edits: &[(&str, &str)]) -> Vec<String> {
    let edited = edits.iter().fold(SMALL.to_owned(), |text, (find, replace)| {
        assert!(text.contains(find), "{find}");
        text.replace(find, replace)
    });
    let changes = compare(&entries(SMALL), &entries(&edited));
    changes.iter().map(|(change, entry)| format!("{change:?} {}", entry.id)).collect()
}

#[test]
fn a_release_with_another_layout_is_no_drift() {
    assert_eq!(drift(&[]), [""; 0]);
    let layout = [
        ("a | b", "a|b"),
        ("count(c) &gt; $least", "\n count( c )   &gt; $least "),
        ("<rule", "\n\n<!-- a rule --><rule"),
        ("2 * $n", "2*$n"),
        (">one<", ">said otherwise<"),
    ];
    assert_eq!(drift(&layout), [""; 0]);
}

#[test]
fn rules_that_are_added_removed_and_changed_are_seen() {
    let other = ("<assert id=\"R-1\" flag=\"fatal\" test=\"exists(f)\">again</assert>", "");
    assert_eq!(drift(&[other]), ["Removed R-1"]);
    let third = "<rule context=\"ubl:e\"><assert id=\"R-3\" test=\"g\">three</assert>";
    assert_eq!(drift(&[("<rule context=\"ubl:e\">", third)]), ["Added R-3"]);
    assert_eq!(drift(&[("exists(f)", "exists(g)")]), ["Changed R-1"]);
    assert_eq!(drift(&[("'x  y'", "'x y'")]), ["Changed R-2"]);
    assert_eq!(drift(&[("R-2", "R-4")]), ["Removed R-2", "Added R-4"]);
    assert_eq!(drift(&[("exists(f)\">", "exists(f)\" role=\"warning\">")]), ["Changed R-1"]);
}

#[test]
fn a_change_of_what_a_rule_uses_changes_the_rule() {
    assert_eq!(drift(&[("value=\"3\"", "value=\"4\"")]), ["Changed R-1"]);
    assert_eq!(drift(&[("2 * $n", "3 * $n")]), ["Changed R-2"]);
    assert_eq!(
        drift(&[("a | b", "a | bb")]),
        ["Changed R-1", "Changed R-2", "Changed order-of-contexts"]
    );
    let order = drift(&[
        ("a | b", "ubl:e"),
        ("rule context=\"ubl:e\"><assert id", "rule context=\"a | b\"><assert id"),
    ]);
    assert!(order.contains(&"Changed order-of-contexts".to_owned()), "{order:?}");
}

#[test]
fn a_set_that_is_not_in_the_release_is_not_compared() {
    let old = [entries(SMALL), implemented()].concat();
    assert!(compare(&old, &[]).is_empty());
    let changes = compare(&implemented(), &entries(SMALL));
    assert!(changes.iter().all(|(_, entry)| entry.set == "mls"));
    assert_eq!(changes.len(), 32 + 4);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let included = SMALL.replace("<pattern", "<include href=\"other.sch\"/><pattern");
    assert!(read(&parse(included.as_bytes()).unwrap(), "mls").is_err());
    let html = parse(b"<html/>").unwrap();
    assert_eq!(set_of(&html, false), None);
}

#[test]
fn the_table_is_sorted_and_can_be_written_again() {
    assert_eq!(table(implemented()), TABLE);
}

/// The ids of all rules in the groups, sorted, with repetitions.
fn ids<F>(groups: &[Group<F>]) -> Vec<&'static str> {
    let mut ids: Vec<_> = groups.iter().copied().flatten().map(|rule| rule.id).collect();
    ids.sort_unstable();
    ids
}

/// The ids that the table contains for a pattern.
fn official<'e>(entries: &'e [Entry], set: &str, pattern: &str) -> Vec<&'e str> {
    let of_pattern = |entry: &&Entry| entry.set == set && entry.pattern == pattern;
    let found = entries.iter().filter(of_pattern).map(|entry| entry.id.as_str());
    found.filter(|id| *id != ORDER).collect()
}

#[test]
fn every_rule_represents_one_official_assert_and_every_assert_has_its_rule() {
    let entries = implemented();
    assert_eq!(ids(crate::taxdata::GROUPS), official(&entries, "tdd", "default"));
    assert_eq!(ids(crate::mls::GROUPS), official(&entries, "mls", "default"));
    let (tsr, eusr) =
        (crate::statistics::transactions::GROUPS, crate::statistics::end_users::GROUPS);
    assert_eq!(ids(tsr), official(&entries, "tsr", "default"));
    assert_eq!(ids(eusr), official(&entries, "eusr", "default"));
}
