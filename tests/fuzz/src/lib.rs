//! What the fuzz targets share: the modules under test, a clock and a mutator.
//!
//! The modules are those of the product, compiled from the same files. Everything they call is in
//! this crate too, so instrumentation reaches every branch.

#[path = "../../../shared/src/codes/mod.rs"]
pub mod codes;
#[path = "../../../shared/src/error.rs"]
pub mod error;
#[path = "../../../shared/src/mls/mod.rs"]
pub mod mls;
#[path = "../../../shared/src/pint/mod.rs"]
pub mod pint;
#[path = "../../../shared/src/rules/mod.rs"]
pub mod rules;
#[path = "../../../shared/src/schema/mod.rs"]
pub mod schema;
#[path = "../../../shared/src/statistics/mod.rs"]
pub mod statistics;
#[path = "../../../shared/src/taxdata/mod.rs"]
pub mod taxdata;
#[path = "../../../shared/src/validate/mod.rs"]
pub mod validate;
#[path = "../../../shared/src/xml/mod.rs"]
pub mod xml;

pub mod mutate;
pub mod types;
pub mod watch;

/// Calls everything that a parsed document offers.
pub fn walk(document: &xml::Tree) {
    for node in document.nodes() {
        let texts: usize = node.own_texts().map(str::len).sum();
        assert!(texts <= node.text().len());
        assert_eq!(node.has_text(), !node.normalized().is_empty());
        assert!(node.line() > 0 && !node.local_name().is_empty());
        std::hint::black_box((node.namespace(), node.children().count(), node.content().count()));
        for attribute in node.written_attributes() {
            std::hint::black_box((attribute.namespace(), attribute.local_name(), attribute.value()));
        }
    }
    // Of a few, as a path is as long as its element is deep.
    for node in document.nodes().step_by(document.len() / 50 + 1) {
        assert!(node.xpath().starts_with('/'));
    }
}
