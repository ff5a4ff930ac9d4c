//! The families of rules: rules with the same beginning, which have a page together.

use std::{collections::BTreeMap, sync::LazyLock};

use super::{ExplainedRule, RULES, SCHEMA, Section};

/// The least number of rules of a family of this service. Smaller ones share a page.
const SMALL: usize = 3;
/// The family of the rules of small families.
const OTHER: &str = "AP-other";

/// A family of rules.
#[derive(Debug)]
pub(in crate::docs) struct Family {
    /// The last part of its path.
    pub(in crate::docs) slug: String,
    /// Its name, such as `AP-JSON-…`.
    pub(in crate::docs) name: String,
    pub(in crate::docs) section: &'static Section,
    pub(in crate::docs) rules: Vec<&'static ExplainedRule>,
}

impl Family {
    /// The path of its page.
    pub(in crate::docs) fn page(&self) -> String {
        format!("/docs/rules/{}", self.slug)
    }
}

/// All families, in the order of the sections.
pub(in crate::docs) static FAMILIES: LazyLock<Vec<Family>> =
    LazyLock::new(|| RULES.iter().flat_map(of_section).collect());

fn of_section(section: &'static Section) -> Vec<Family> {
    let mut families: BTreeMap<String, Vec<&'static ExplainedRule>> = BTreeMap::new();
    for rule in &section.rules {
        families.entry(family(&rule.id)).or_default().push(rule);
    }
    let small: Vec<_> = families
        .iter()
        .filter(|(name, rules)| name.starts_with("AP-") && rules.len() < SMALL)
        .map(|(name, _)| name.clone())
        .collect();
    let other: Vec<_> = small.iter().filter_map(|name| families.remove(name)).flatten().collect();
    let mut found: Vec<_> =
        families.into_iter().map(|(name, rules)| made(section, &name, rules)).collect();
    if !other.is_empty() {
        found.push(made(section, OTHER, other));
    }
    found
}

fn made(section: &'static Section, name: &str, rules: Vec<&'static ExplainedRule>) -> Family {
    let slug = name.to_lowercase().replace(" ", "-");
    // Rules of two origins can begin alike.
    let slug = if section.anchor == "pint-ae" { format!("{slug}-ae") } else { slug };
    let name = match name {
        OTHER => "AP-…, other".to_owned(),
        SCHEMA => SCHEMA.to_owned(),
        name => format!("{name}…"),
    };
    Family { slug, name, section, rules }
}

/// The family of a rule, by its id.
fn family(id: &str) -> String {
    if id.starts_with(SCHEMA) {
        return SCHEMA.to_owned();
    }
    let parts: Vec<_> = id.split('-').collect();
    let is_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    match parts.as_slice() {
        ["AP", name, ..] => format!("AP-{name}"),
        // By hundreds: `ibr-1…`.
        ["ibr", number, ..] if is_number(number) => format!("ibr-{}", &number[..1]),
        ["ibr", name, ..] => format!("ibr-{name}"),
        ["aligned", set, name, ..] if !is_number(name) => format!("aligned-{set}-{name}"),
        ["aligned", set, ..] => format!("aligned-{set}"),
        _ => id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_rule_is_in_one_family_whose_path_no_rule_has() {
        let all: BTreeSet<_> =
            RULES.iter().flat_map(|it| &it.rules).map(|rule| rule.id.as_str()).collect();
        let members: Vec<_> =
            FAMILIES.iter().flat_map(|it| &it.rules).map(|rule| rule.id.as_str()).collect();
        assert_eq!(members.len(), all.len());
        assert_eq!(members.into_iter().collect::<BTreeSet<_>>(), all);
        let slugs: BTreeSet<_> = FAMILIES.iter().map(|family| family.slug.as_str()).collect();
        assert_eq!(slugs.len(), FAMILIES.len());
        assert_eq!(slugs.intersection(&all).count(), 0);
        // Findings about the structure name this rule.
        assert!(slugs.contains(SCHEMA));
    }

    #[test]
    fn a_family_is_the_beginning_of_its_rules() {
        for (id, expected) in [
            ("AP-JSON-code", "AP-JSON"),
            ("xml-schema-attribute-missing", "xml-schema"),
            ("ibr-187-ae", "ibr-1"),
            ("ibr-sr-22", "ibr-sr"),
            ("aligned-ibrp-s-09", "aligned-ibrp-s"),
            ("aligned-ibrp-047", "aligned-ibrp"),
        ] {
            assert_eq!(family(id), expected, "{id}");
        }
    }
}
