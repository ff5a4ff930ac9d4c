//! Signed content is written in canonical form: canonicalization does not change it.

use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::{Document, NodeId, NodeSet, uppsala};

use super::world::World;
use crate::peppol::{
    as4::{Refusal, Rule, error, mime, names::ns, receipt},
    pki::testing::{self, ready},
};

fn element(document: &Document<'_>, namespace: &str, name: &str) -> NodeId {
    document.get_elements_by_tag_name_ns(namespace, name)[0]
}

/// Checks that each signed element of the envelope equals its canonical form.
fn prove(soap: &str) {
    let document = uppsala::parse(soap).unwrap();
    for (namespace, name) in [(ns::EB, "Messaging"), (ns::SOAP, "Body"), (ns::DS, "SignedInfo")] {
        let id = element(&document, namespace, name);
        let set = NodeSet::tree_without_comments(id, &document);
        let canonical =
            canonicalize_doc::<&str>(&document, C14nMode::Exclusive, Some(&set), &[]).unwrap();
        let written = &soap[document.node_range(id).unwrap()];
        assert_eq!(String::from_utf8(canonical).unwrap(), written, "{name}");
    }
}

#[test]
fn messages_receipts_and_errors_are_written_in_canonical_form() {
    let world = World::new();
    let built = world.build(b"<a/>");
    let parts = mime::split(&built.content_type, &built.body).unwrap();
    prove(str::from_utf8(&parts.soap.bytes(&built.body).unwrap()).unwrap());
    let received = world.receive(&built.content_type, built.body).unwrap();
    let id = "signal@receiver.example".parse().unwrap();
    let signal = ready(receipt(&received, &world.receiver, &id, testing::now())).unwrap();
    prove(str::from_utf8(&signal).unwrap());
    let refusal = Refusal::new(Rule::Party, "\"<&>\r\n\t é").about(Some(id.clone()));
    let signal = ready(error(&refusal, Some(&world.receiver), &id, testing::now())).unwrap();
    prove(str::from_utf8(&signal).unwrap());
}
