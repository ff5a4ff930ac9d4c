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
    use access_point::ubl;
    use proptest::{prelude::*, strategy::ValueTree};

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
