//! Delivery: date, place, recipient and terms.

use super::{
    party::{address, identifier},
    writer::Writer,
};
use crate::document::Body;

/// IBG-13 Delivery information with IBG-15, the actual delivery location.
pub(super) fn write(w: &mut Writer, body: &Body) {
    let delivery = body.delivery.as_ref();
    w.group("cac:Delivery", |w| {
        // IBT-072
        w.date("cbc:ActualDeliveryDate", delivery.and_then(|of| of.actual_delivery_date));
        w.group("cac:DeliveryLocation", |w| {
            if let Some(location) = delivery.and_then(|of| of.location_identifier.as_ref()) {
                // IBT-071
                identifier(w, "cbc:ID", location);
            }
            if let Some(of) = &body.delivery_address {
                // IBG-15
                address(w, "cac:Address", of);
            }
        });
        let Some(delivery) = delivery else { return };
        w.group("cac:DeliveryParty", |w| {
            // BTAE-23
            w.group("cac:PartyIdentification", |w| {
                w.maybe("cbc:ID", delivery.party_identifier.as_ref());
            });
            // IBT-070
            w.group("cac:PartyName", |w| w.maybe("cbc:Name", delivery.party_name.as_ref()));
        });
        if let Some(code) = &delivery.incoterms_code {
            // BTAE-22
            w.group("cac:DeliveryTerms", |w| {
                w.with("cbc:ID", code, &[("schemeID", Some("Incoterms"))]);
            });
        }
    });
}
