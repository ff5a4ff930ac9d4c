//! The item of a line, and its VAT category.

use super::{reader::Reader, tax::category};
use crate::{
    document::{Classification, Item, ItemAttribute, LineVat, ServiceAccountingCode},
    xml::{
        Node,
        names::{attr, cac, cbc},
    },
};

/// IBG-31 Item with IBG-30, the line's VAT.
pub(super) fn read(r: &mut Reader, line: Node<'_>) -> Option<(Item, LineVat)> {
    let of = line.child(cac::ITEM)?;
    // IBT-151, IBT-152, IBT-186, IBT-185
    let category = category(r, of, cac::CLASSIFIED_TAX_CATEGORY)?;
    let vat = LineVat {
        category_code: category.code,
        rate: category.rate,
        exemption_reason_code: category.exemption_code,
        exemption_reason: category.exemption_reason,
    };
    Some((item(r, of)?, vat))
}

fn item(r: &mut Reader, of: Node<'_>) -> Option<Item> {
    Some(Item {
        // IBT-153
        name: r.text(of, &[cbc::NAME])?,
        // IBT-154
        description: r.text(of, &[cbc::DESCRIPTION]),
        // IBT-156
        buyer_identifier: r.text(of, &[cac::BUYERS_ITEM_IDENTIFICATION, cbc::ID]),
        // IBT-155
        seller_identifier: r.text(of, &[cac::SELLERS_ITEM_IDENTIFICATION, cbc::ID]),
        // IBT-157, IBT-157-1
        standard_identifier: r.identifier(of, &[cac::STANDARD_ITEM_IDENTIFICATION, cbc::ID]),
        service_accounting_codes: r
            .list(of.all(cac::ADDITIONAL_ITEM_IDENTIFICATION), service_accounting_code),
        // IBT-159
        origin_country_code: r.text(of, &[cac::ORIGIN_COUNTRY, cbc::IDENTIFICATION_CODE]),
        // BTAE-09
        rcm_goods_type_code: r.text(of, &[cac::COMMODITY_CLASSIFICATION, cbc::NATURE_CODE]),
        // BTAE-13
        type_code: r.text(of, &[cac::COMMODITY_CLASSIFICATION, cbc::COMMODITY_CODE]),
        classifications: r.list(of.all(cac::COMMODITY_CLASSIFICATION), classification),
        attributes: r.list(of.all(cac::ADDITIONAL_ITEM_PROPERTY), attribute),
        // BTAE-24
        batch_number: r
            .text(of, &[cac::ITEM_INSTANCE, cac::LOT_IDENTIFICATION, cbc::LOT_NUMBER_ID]),
    })
}

/// BTAE-17. An identifier with another scheme than BTAE-17-1 is not a service accounting code.
fn service_accounting_code(r: &mut Reader, of: Node<'_>) -> Option<ServiceAccountingCode> {
    let id = of.child(cbc::ID).filter(|id| id.attribute(attr::SCHEME_ID) == Some("SAC"))?;
    let code = r.value(id)?;
    r.fixed_attribute(id, attr::SCHEME_ID, "SAC");
    // BTAE-17-2
    Some(ServiceAccountingCode { code, version: r.attribute(id, attr::SCHEME_VERSION_ID) })
}

/// IBT-158, IBT-158-1, IBT-158-2
fn classification(r: &mut Reader, of: Node<'_>) -> Option<Classification> {
    let of = of.child(cbc::ITEM_CLASSIFICATION_CODE)?;
    Some(Classification {
        code: r.value(of)?,
        scheme_id: r.attribute(of, attr::LIST_ID),
        version: r.attribute(of, attr::LIST_VERSION_ID),
    })
}

/// IBG-32
fn attribute(r: &mut Reader, of: Node<'_>) -> Option<ItemAttribute> {
    Some(ItemAttribute {
        // IBT-160
        name: r.text(of, &[cbc::NAME])?,
        // IBT-161
        value: r.text(of, &[cbc::VALUE])?,
    })
}
