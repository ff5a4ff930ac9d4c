//! Delivery: date, place, recipient and terms.

use super::{party::address, reader::Reader};
use crate::{
    document::{Body, Delivery},
    xml::{
        Node,
        names::{attr, cac, cbc},
    },
};

/// IBG-13 Delivery information with IBG-15, the actual delivery location.
pub(super) fn read(r: &mut Reader, root: Node<'_>, body: &mut Body) {
    let Some(of) = root.child(cac::DELIVERY) else { return };
    if r.has("delivery") {
        body.delivery = r.group(|r| delivery(r, of));
    }
    if r.has("delivery_address") {
        let of = of.find(&[cac::DELIVERY_LOCATION, cac::ADDRESS]);
        body.delivery_address = of.and_then(|of| address(r, of));
    }
}

fn delivery(r: &mut Reader, of: Node<'_>) -> Delivery {
    Delivery {
        // IBT-072
        actual_delivery_date: r.date(of, &[cbc::ACTUAL_DELIVERY_DATE]),
        // IBT-071
        location_identifier: r.identifier(of, &[cac::DELIVERY_LOCATION, cbc::ID]),
        // BTAE-23
        party_identifier: r.text(of, &[cac::DELIVERY_PARTY, cac::PARTY_IDENTIFICATION, cbc::ID]),
        // IBT-070
        party_name: r.text(of, &[cac::DELIVERY_PARTY, cac::PARTY_NAME, cbc::NAME]),
        // BTAE-22
        incoterms_code: incoterms(r, of),
    }
}

/// BTAE-22
fn incoterms(r: &mut Reader, of: Node<'_>) -> Option<String> {
    let id = of.find(&[cac::DELIVERY_TERMS, cbc::ID])?;
    let code = r.value(id)?;
    r.fixed_attribute(id, attr::SCHEME_ID, "Incoterms");
    Some(code)
}
