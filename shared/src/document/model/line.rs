//! The lines.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::Identifier;
use crate::document::json::objects;

objects! {
    /// IBG-25 Line.
    struct Line {
        /// IBT-126 Line identifier, unique in the document. Default: the position of the line, from
        /// 1.
        id: Option<String>,
        /// IBT-127 Note.
        note: Option<String>,
        /// IBT-129 Quantity.
        quantity: Decimal,
        /// IBT-130 Unit of measure, UN/ECE Recommendation 20 or 21. Default: `C62` (one).
        unit_code: Option<String>,
        /// IBT-131 Net amount. The service computes it. A given value is compared.
        net_amount: Option<Decimal>,
        /// IBT-133 Buyer accounting reference.
        buyer_accounting_reference: Option<String>,
        /// IBG-26 Period.
        period: Option<Period>,
        /// IBT-132 Purchase order line reference.
        purchase_order_line_reference: Option<String>,
        /// IBT-183 Purchase order reference.
        purchase_order_reference: Option<String>,
        /// IBT-184 Despatch advice reference. Not allowed together with that of the document.
        despatch_advice_reference: Option<String>,
        /// IBT-128 Object identifier. Its scheme is a UNTDID 1153 code.
        object_identifier: Option<Identifier>,
        /// IBG-27 Allowances.
        allowances: Vec<LineAllowanceCharge>,
        /// IBG-28 Charges.
        charges: Vec<LineAllowanceCharge>,
        /// IBG-31 Item.
        item: Item,
        /// IBG-30 VAT.
        vat: LineVat,
        /// IBG-29 Price.
        price: Price,
        /// BTAE-10 Line amount with VAT in AED. The service computes it. A given value is compared.
        amount_in_aed: Option<Decimal>,
        /// BTAE-08 Line VAT in AED. The service computes it. A given value is compared.
        vat_amount_in_aed: Option<Decimal>,
    }

    /// IBG-26 Line period.
    struct Period {
        /// IBT-134 Start date.
        start_date: Option<Date>,
        /// IBT-135 End date.
        end_date: Option<Date>,
    }

    /// IBG-27 Allowance or IBG-28 charge on a line.
    struct LineAllowanceCharge {
        /// IBT-136 / IBT-141 Amount. Default: base amount × percentage.
        amount: Option<Decimal>,
        /// IBT-137 / IBT-142 Base amount, given together with the percentage.
        base_amount: Option<Decimal>,
        /// IBT-138 / IBT-143 Percentage.
        percentage: Option<Decimal>,
        /// IBT-139 / IBT-144 Reason. A reason or a reason code is required.
        reason: Option<String>,
        /// IBT-140 / IBT-145 Reason code: UNCL 5189 / UNCL 7161.
        reason_code: Option<String>,
    }

    /// IBG-31 Item.
    struct Item {
        /// IBT-153 Name.
        name: String,
        /// IBT-154 Description. Default: the name, because PINT-AE requires a description.
        description: Option<String>,
        /// IBT-156 Buyer's identifier.
        buyer_identifier: Option<String>,
        /// IBT-155 Seller's identifier.
        seller_identifier: Option<String>,
        /// IBT-157 Standard identifier with its ISO 6523 scheme. Default scheme: 0160 (GTIN).
        standard_identifier: Option<Identifier>,
        /// BTAE-17 Service accounting codes. Required for services.
        service_accounting_codes: Vec<ServiceAccountingCode>,
        /// IBT-159 Country of origin.
        origin_country_code: Option<String>,
        /// BTAE-09 Type of goods or services under reverse charge.
        rcm_goods_type_code: Option<String>,
        /// BTAE-13 Item type: G (goods), S (services) or B (both).
        type_code: Option<String>,
        /// IBT-158 Classifications, HS codes. Required for goods.
        classifications: Vec<Classification>,
        /// IBG-32 Attributes.
        attributes: Vec<ItemAttribute>,
        /// BTAE-24 Batch number.
        batch_number: Option<String>,
    }

    /// BTAE-17 Service accounting code.
    struct ServiceAccountingCode {
        /// The code.
        code: String,
        /// BTAE-17-2 Version of the list.
        version: Option<String>,
    }

    /// IBT-158 Classification.
    struct Classification {
        /// The code.
        code: String,
        /// IBT-158-1 Scheme. Only HS (the default) is allowed.
        scheme_id: Option<String>,
        /// IBT-158-2 Version of the scheme.
        version: Option<String>,
    }

    /// IBG-32 Item attribute.
    struct ItemAttribute {
        /// IBT-160 Name.
        name: String,
        /// IBT-161 Value.
        value: String,
    }

    /// IBG-30 Line VAT.
    struct LineVat {
        /// IBT-151 Category code: S, Z, E, O, AE or N.
        category_code: String,
        /// IBT-152 Rate. Default: the rate of the category, which is 5 for S, AE and N, 0 for Z,
        /// and none for E and O.
        rate: Option<Decimal>,
        /// IBT-186 Exemption reason code. Required for category E.
        exemption_reason_code: Option<String>,
        /// IBT-185 Exemption reason.
        exemption_reason: Option<String>,
    }

    /// IBG-29 Price. Give the net price, or the gross price with or without a discount.
    struct Price {
        /// IBT-146 Net price. Default: gross price − discount.
        net_price: Option<Decimal>,
        /// IBT-149 Base quantity. Default: 1.
        base_quantity: Option<Decimal>,
        /// IBT-150 Base quantity unit. Default: the unit of the line.
        base_quantity_unit_code: Option<String>,
        /// IBT-147 Discount. Default: 0.
        discount: Option<Decimal>,
        /// IBT-148 Gross price. Default: net price + discount.
        gross_price: Option<Decimal>,
    }
}
