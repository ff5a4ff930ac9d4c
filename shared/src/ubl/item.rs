//! The item of a line, and its VAT category.

use super::{tax::category, writer::Writer};
use crate::document::{Item, LineVat};

/// The ISO 6523 scheme of a GTIN.
const GTIN: &str = "0160";

/// IBG-31 Item with IBG-30, the line's VAT.
pub(super) fn write(w: &mut Writer, item: &Item, vat: &LineVat) {
    w.group("cac:Item", |w| {
        // IBT-154; never absent (ibr-125-ae).
        w.text("cbc:Description", item.description.as_deref().unwrap_or(&item.name));
        // IBT-153
        w.text("cbc:Name", &item.name);
        // IBT-156
        w.group("cac:BuyersItemIdentification", |w| {
            w.maybe("cbc:ID", item.buyer_identifier.as_ref());
        });
        // IBT-155
        w.group("cac:SellersItemIdentification", |w| {
            w.maybe("cbc:ID", item.seller_identifier.as_ref());
        });
        if let Some(standard) = &item.standard_identifier {
            // IBT-157, IBT-157-1
            let scheme = standard.scheme_id.as_deref().unwrap_or(GTIN);
            w.group("cac:StandardItemIdentification", |w| {
                w.with("cbc:ID", &standard.id, &[("schemeID", Some(scheme))]);
            });
        }
        for service in &item.service_accounting_codes {
            w.group("cac:AdditionalItemIdentification", |w| {
                // BTAE-17, BTAE-17-1, BTAE-17-2
                let version = service.version.as_deref();
                let attributes = [("schemeID", Some("SAC")), ("schemeVersionID", version)];
                w.with("cbc:ID", &service.code, &attributes);
            });
        }
        // IBT-159
        w.group("cac:OriginCountry", |w| {
            w.maybe("cbc:IdentificationCode", item.origin_country_code.as_ref());
        });
        classifications(w, item);
        // IBT-151, IBT-152, IBT-186, IBT-185
        category(
            w,
            "cac:ClassifiedTaxCategory",
            &vat.category_code,
            vat.rate,
            vat.exemption_reason_code.as_ref(),
            vat.exemption_reason.as_ref(),
        );
        for attribute in &item.attributes {
            // IBG-32
            w.group("cac:AdditionalItemProperty", |w| {
                // IBT-160
                w.text("cbc:Name", &attribute.name);
                // IBT-161
                w.text("cbc:Value", &attribute.value);
            });
        }
        // BTAE-24
        w.group("cac:ItemInstance", |w| {
            w.group("cac:LotIdentification", |w| {
                w.maybe("cbc:LotNumberID", item.batch_number.as_ref());
            });
        });
    });
}

/// The first CommodityClassification also carries the item type and the reverse-charge type. Each further
/// classification has its own CommodityClassification.
fn classifications(w: &mut Writer, item: &Item) {
    for place in 0..item.classifications.len().max(1) {
        w.group("cac:CommodityClassification", |w| {
            if place == 0 {
                // BTAE-09
                w.maybe("cbc:NatureCode", item.rcm_goods_type_code.as_ref());
                // BTAE-13
                w.maybe("cbc:CommodityCode", item.type_code.as_ref());
            }
            if let Some(of) = item.classifications.get(place) {
                // IBT-158, IBT-158-1, IBT-158-2
                let scheme = of.scheme_id.as_deref().unwrap_or("HS");
                let attributes =
                    [("listID", Some(scheme)), ("listVersionID", of.version.as_deref())];
                w.with("cbc:ItemClassificationCode", &of.code, &attributes);
            }
        });
    }
}
