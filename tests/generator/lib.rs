//! Valid documents of every kind, made by chance: each field, flag, category and type, in
//! combinations that make sense. [`cases`] is a proptest strategy; the program `generate` writes
//! the documents to files.

mod case;
mod choices;
mod coverage;
mod lines;
mod object;
mod parties;
mod payment;
mod scenario;

pub use case::{Case, cases};
pub use choices::Choices;
pub use coverage::Coverage;
pub use scenario::Flags;

#[cfg(test)]
mod tests {
    use access_point::{
        ubl,
        xml::{self, Node},
    };
    use proptest::{prelude::*, strategy::ValueTree};
    use rust_decimal::Decimal;
    use serde_json::Value;

    use super::*;

    proptest! {
        #[test]
        fn every_generated_document_is_accepted_and_written_without_empty_elements(case in cases()) {
            let document = case.document();
            prop_assert!(document.is_ok(), "{:#?}", document.err());
            let xml = String::from_utf8(ubl::write(&document.unwrap().0)).unwrap();
            // A start tag with its end tag right behind it, or one that closes itself (ibr-079).
            prop_assert!(!xml.contains("/>") && !xml.contains("></"));
            prop_assert_eq!(&xml, &String::from_utf8(ubl::write(&case.document().unwrap().0)).unwrap());
        }
    }

    proptest! {
        #[test]
        fn every_value_of_the_ubl_leads_back_to_the_field_that_says_it(case in cases()) {
            let (document, _) = case.document().unwrap();
            let ubl = ubl::write(&document);
            let tree = xml::parse(&ubl).unwrap();
            for leaf in tree.nodes().filter(|node| node.children().next().is_none()) {
                let pointer = ubl::pointer(&document, leaf, &[]);
                let Some(said) = case.body.pointer(&pointer) else {
                    // Filled in or computed: the pointer says where it could be given.
                    continue;
                };
                // The credited document's number and date come from the store.
                let stored = pointer == "/previous_document_id";
                prop_assert!(
                    agree(said, &leaf.text()) || stored || is_derived(leaf),
                    "{} is {:?}, {pointer} is {said}", leaf.xpath(), leaf.text(),
                );
            }
        }
    }

    proptest! {
        #[test]
        fn the_content_of_every_document_sent_again_gives_the_same_bytes(case in cases()) {
            let written = ubl::write(&case.document().unwrap().0);
            let content = ubl::content(&xml::parse(&written).unwrap()).unwrap();
            prop_assert_eq!(content.operation, case.operation);
            prop_assert_eq!(content.unmapped, ubl::Unmapped::default());
            let again = Case { body: content.body.to_json(), original: None, ..case };
            let document = again.document();
            prop_assert!(document.is_ok(), "{:#?}", document.err());
            prop_assert_eq!(
                String::from_utf8(ubl::write(&document.unwrap().0)).unwrap(),
                String::from_utf8(written).unwrap()
            );
        }
    }

    /// Whether a JSON value says what the UBL says; what holds further fields says nothing itself.
    fn agree(said: &Value, written: &str) -> bool {
        let said = match said {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            _ => return true,
        };
        // BTAE-20 is written with its currency.
        let number = |text: &str| text.trim_start_matches("AED ").parse::<Decimal>().ok();
        said.trim() == written || number(&said).is_some_and(|said| number(written) == Some(said))
    }

    /// What stands beside a field's own value: its scheme or type, or what UBL wants there.
    fn is_derived(leaf: Node<'_>) -> bool {
        let parent = leaf.parent().map_or("", Node::local_name);
        matches!(
            (parent, leaf.local_name()),
            ("TaxScheme" | "DespatchLineReference", "ID" | "LineID")
                | ("AdditionalDocumentReference", "ID" | "DocumentTypeCode")
        )
    }

    #[test]
    fn no_choices_at_all_give_the_simplest_document() {
        let case = Case::new(&mut Choices::new(Vec::new()));
        let (document, _) = case.document().unwrap();
        assert_eq!(document.type_code, "380");
        assert_eq!(document.body.line_items.len(), 1);
    }

    #[test]
    fn a_few_hundred_documents_cover_every_type_flag_and_category() {
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let strategy = cases();
        let mut coverage = Coverage::default();
        for _ in 0..400 {
            let case = strategy.new_tree(&mut runner).unwrap().current();
            coverage.count(&case, &case.document().unwrap().0);
        }
        let shown = coverage.to_string();
        for value in [
            "type: 380",
            "type: 480",
            "type: 381",
            "type: 81",
            "type: 389",
            "type: 261",
            "flag: 1",
            "flag: 2",
            "flag: 3",
            "flag: 4",
            "flag: 5",
            "flag: 6",
            "flag: 7",
            "flag: 8",
            "category: S",
            "category: Z",
            "category: E",
            "category: O",
            "category: AE",
            "category: N",
            "9900000097",
            "9900000098",
            "9900000099",
        ] {
            assert!(shown.contains(value), "{value}");
        }
    }
}
