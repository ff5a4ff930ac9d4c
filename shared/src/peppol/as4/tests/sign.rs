//! Signs envelopes that tests write by hand.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::{Document, NodeId, NodeSet, uppsala};

use crate::peppol::{
    as4::{Digest, names::ns},
    pki::{Signer, testing::ready},
};

/// Updates the digests of an envelope's references, and signs it with `signer`.
pub(super) fn resign(soap: &str, signer: &dyn Signer) -> String {
    let mut soap = soap.to_owned();
    for at in 0..named(&uppsala::parse(&soap).unwrap(), "SignedInfo", "Reference").len() {
        soap = redigested(soap, at);
    }
    let document = uppsala::parse(&soap).unwrap();
    let info = document.get_elements_by_tag_name_ns(ns::DS, "SignedInfo")[0];
    let method = document.first_child_element_by_name_ns(info, ns::DS, "CanonicalizationMethod");
    let info = canonical(&document, info, method);
    let signature = BASE64.encode(ready(signer.sign(&info)).unwrap());
    let value = document.get_elements_by_tag_name_ns(ns::DS, "SignatureValue")[0];
    let place = document.node_range(document.first_child(value).unwrap()).unwrap();
    let mut signed = soap.clone();
    signed.replace_range(place, &signature);
    signed
}

fn named(document: &Document<'_>, parent: &str, name: &str) -> Vec<NodeId> {
    let parent = document.get_elements_by_tag_name_ns(ns::DS, parent)[0];
    document.child_elements_by_name_ns(parent, ns::DS, name)
}

/// The envelope with the updated digest of a reference, if that references an element.
fn redigested(mut soap: String, at: usize) -> String {
    let document = uppsala::parse(&soap).unwrap();
    let reference = named(&document, "SignedInfo", "Reference")[at];
    let id = document.get_attribute(reference, "URI").and_then(|uri| uri.strip_prefix('#'));
    let mut all = document.descendants(document.root()).into_iter();
    let target =
        all.find(|node| id.is_some() && document.get_attribute_ns(*node, ns::WSU, "Id") == id);
    let value = document.first_child_element_by_name_ns(reference, ns::DS, "DigestValue");
    let text = value.and_then(|value| document.first_child(value));
    if let (Some(target), Some(text)) = (target, text) {
        let digest = Digest::of(&canonical(&document, target, Some(reference)));
        let place = document.node_range(text).unwrap();
        soap.replace_range(place, &digest.to_string());
    }
    soap
}

/// The canonical form, with the PrefixList below `method`.
fn canonical(document: &Document<'_>, id: NodeId, method: Option<NodeId>) -> Vec<u8> {
    let below = method.map(|method| document.descendants(method)).unwrap_or_default();
    let list = below.iter().find_map(|node| document.get_attribute(*node, "PrefixList"));
    let prefixes: Vec<&str> =
        list.unwrap_or_default().split(' ').filter(|p| !p.is_empty()).collect();
    let set = NodeSet::tree_without_comments(id, document);
    canonicalize_doc(document, C14nMode::Exclusive, Some(&set), &prefixes).unwrap()
}
