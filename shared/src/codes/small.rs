//! The code lists of the UAE, and other short ones.

use super::{CodeList, code_list};

/// BTAE-03 Credit note reasons (ibr-001-ae).
pub const CREDIT_REASONS: CodeList =
    code_list!("DL8.61.1.A DL8.61.1.B DL8.61.1.C DL8.61.1.D DL8.61.1.E VD");

/// BTAE-06 Frequencies of billing (ibr-005-ae).
pub const FREQUENCIES: CodeList = code_list!("DLY HYR MTH OTH Q15 Q45 Q60 QTR WKY YRL");

/// BTAE-09 Goods and services under reverse charge (ibr-006-ae).
pub const RCM_TYPES: CodeList =
    code_list!("DL8.48.3.1 DL8.48.3.2 DL8.48.3.3 DL8.48.8.1 DL8.48.8.2");

/// BTAE-13 Item types: goods, services, both.
pub const ITEM_TYPES: CodeList = code_list!("B G S");

/// IBT-186 Exemption reasons.
pub const EXEMPTIONS: CodeList = code_list!("DL8.46.1 DL8.46.2 DL8.46.3 DL8.46.4");

/// IBT-081 The means of payment of the UAE, a subset of the official list.
pub const UAE_PAYMENT_MEANS: CodeList = code_list!("1 10 20 21 30 49 54 55 68");

/// IBT-049 Values in scheme 0235 for a buyer outside the network, to whom nothing is sent: 97 deemed supply, 98 not
/// subject to UAE e-invoicing, 99 export to a buyer who is not on Peppol.
pub const PREDEFINED_ENDPOINTS: CodeList = code_list!("9900000097 9900000098 9900000099");

/// Subdivisions of the UAE (ibr-128-ae).
pub const EMIRATES: CodeList = code_list!("AJM AUH DXB FUJ RAK SHJ UAQ");

/// IBT-125-1 MIME codes (ibr-cl-24).
pub const MIME_CODES: CodeList = code_list!(
    "application/pdf application/vnd.oasis.opendocument.spreadsheet application/vnd.openxmlformats-officedocument.spreadsheetml.sheet application/xml image/jpeg image/png text/csv",
);

/// BTAE-15 Legal registration types of a seller (ibr-173-ae).
pub const SELLER_REGISTRATION_TYPES: CodeList = code_list!("CD EID PAS TL");

/// BTAE-16 Legal registration types of a buyer (ibr-183-ae).
pub const BUYER_REGISTRATION_TYPES: CodeList = code_list!("CD CL EID PAS TL");

/// IBT-151 VAT categories of lines (ibr-139-ae); N is the Latin letter.
pub const LINE_CATEGORIES: CodeList = code_list!("AE E N O S Z");

/// IBT-095, IBT-102 VAT categories of document allowances and charges (ibr-114-ae, ibr-115-ae).
pub const ALLOWANCE_CATEGORIES: CodeList = code_list!("AE E O S Z");
