//! Tests of the index and of the ranks.

use super::*;

/// Bytes that the index may have before it is compressed.
const LARGEST: usize = 72 * 1024;

fn titles(language: Language, query: &str) -> Vec<&'static str> {
    found(language, query).into_iter().map(|entry| entry.title.as_str()).collect()
}

#[test]
fn the_index_has_every_operation_event_rule_error_and_guide() {
    for language in Language::ALL {
        let of_kind = |kind: Kind| -> BTreeSet<&str> {
            of(language).iter().filter(|it| it.kind == kind).map(|it| it.title.as_str()).collect()
        };
        let rules = RULES.iter().flat_map(|it| &it.rules).map(|rule| rule.id.as_str()).collect();
        assert_eq!(of_kind(Kind::Rule), rules);
        let codes = codes::all();
        assert_eq!(of_kind(Kind::Error), codes.iter().map(|code| code.code.as_str()).collect());
        let events = reference::of_tag(EVENTS).map(|event| event.id.as_str()).collect();
        assert_eq!(of_kind(Kind::Event), events);
        let places: BTreeSet<_> = of(language).iter().map(Entry::path).collect();
        for operation in OPERATIONS.iter() {
            assert!(places.contains(&operation.page()), "{}", operation.id);
        }
        for guide in guides::all(language) {
            assert!(places.contains(&guide.path(language)), "{}", guide.name);
        }
        assert_eq!(places.len(), of(language).len(), "no place twice");
    }
}

#[test]
fn the_index_is_small() {
    for language in Language::ALL {
        let rows: Vec<_> = of(language).iter().map(row).collect();
        let size = serde_json::to_vec(&rows).unwrap().len();
        assert!(size < LARGEST, "{size} bytes");
    }
}

#[test]
fn an_exact_title_comes_first_and_every_word_counts() {
    assert_eq!(titles(Language::English, "validation_failed")[0], "validation_failed");
    assert_eq!(titles(Language::English, "ap-json-code")[0], "AP-JSON-code");
    assert_eq!(titles(Language::English, "document.sent")[0], "document.sent");
    assert_eq!(titles(Language::English, "Webhooks")[0], "Webhooks");
    assert!(titles(Language::English, "line_items.item.name").contains(&"line_items.item.name"));
    assert!(titles(Language::English, "nothing has these words").is_empty());
    assert!(titles(Language::English, "  ").is_empty());
    let guide = guides::find(Language::Arabic, "webhooks").map(|guide| guide.title.as_str());
    assert_eq!(titles(Language::Arabic, guide.unwrap()).first().copied(), guide);
}

#[test]
fn a_long_text_ends_after_a_word() {
    assert_eq!(shortened("short\nother line"), "short");
    let long = shortened(&"word ".repeat(30));
    assert!(long.ends_with("word…") && long.chars().count() <= LONGEST_TEXT + 1, "{long}");
}

#[test]
fn the_script_completes_places_as_the_service_leaves_them_out() {
    let script = include_str!("../assets/docs.js");
    let bases: Vec<_> =
        Kind::ALL.iter().map(|kind| format!("\"{}\"", kind.base().unwrap_or_default())).collect();
    assert!(script.contains(&format!("[{}]", bases.join(", "))));
}
