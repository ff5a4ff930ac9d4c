//! The parties of a document, and their addresses.

use jiff::civil::Date;

use super::Identifier;
use crate::document::json::objects;

objects! {
    /// IBG-04 Seller or IBG-07 Buyer.
    struct Party {
        /// IBT-034 / IBT-049 Electronic address. The default scheme is 0235, whose value is a TIN:
        /// the first 10 digits of a TRN are used. When left out, the address is derived from the
        /// TRN or TIN.
        electronic_address: Option<Identifier>,
        /// IBT-029 / IBT-046 Identifiers. A buyer has at most one.
        identifiers: Vec<Identifier>,
        /// IBT-028 / IBT-045 Trading name.
        trading_name: Option<String>,
        /// IBG-05 / IBG-08 Postal address.
        address: Option<Address>,
        /// IBT-031 / IBT-048 VAT identifier (TRN).
        vat_identifier: Option<String>,
        /// IBT-032 Tax registration identifier (TIN) of a seller.
        tax_registration_identifier: Option<String>,
        /// IBT-032-1 Scheme of the tax registration identifier. Default: TIN.
        tax_registration_scheme_id: Option<String>,
        /// IBT-027 / IBT-044 Name.
        name: Option<String>,
        /// IBT-030 / IBT-047 Legal registration.
        legal_registration: Option<LegalRegistration>,
        /// IBT-033 Additional legal information of a seller.
        additional_legal_information: Option<String>,
        /// IBG-06 / IBG-09 Contact.
        contact: Option<Contact>,
    }

    /// IBT-030 / IBT-047 Legal registration.
    struct LegalRegistration {
        /// The identifier.
        id: String,
        /// ISO 6523 scheme of the identifier.
        scheme_id: Option<String>,
        /// BTAE-15 / BTAE-16 Type: TL, EID, PAS or CD. For a buyer also CL.
        r#type: Option<String>,
        /// BTAE-12 / BTAE-11 Authority that issued a trade licence (TL).
        authority_name: Option<String>,
        /// BTAE-18 / BTAE-19 Country that issued a passport (PAS).
        passport_country_code: Option<String>,
    }

    /// A postal or delivery address.
    struct Address {
        /// IBT-035, -050, -064, -075, -169 Line 1.
        line_1: Option<String>,
        /// IBT-036, -051, -065, -076, -170 Line 2.
        line_2: Option<String>,
        /// IBT-162, -163, -164, -165 Line 3.
        line_3: Option<String>,
        /// IBT-037, -052, -066, -077, -171 City.
        city: Option<String>,
        /// IBT-038, -053, -067, -078 Post code.
        post_code: Option<String>,
        /// IBT-039, -054, -068, -079 Country subdivision. In the UAE it is an emirate: AUH, DXB,
        /// SHJ, UAQ, FUJ, AJM or RAK.
        country_subdivision: Option<String>,
        /// IBT-040, -055, -069, -080 Country, ISO 3166-1. Default: AE.
        country_code: Option<String>,
    }

    /// IBG-06 / IBG-09 Contact.
    struct Contact {
        /// IBT-041 / IBT-056 Name.
        name: Option<String>,
        /// IBT-042 / IBT-057 Telephone.
        telephone: Option<String>,
        /// IBT-043 / IBT-058 E-mail.
        email: Option<String>,
    }

    /// IBG-10 Payee.
    struct Payee {
        /// IBT-059 Name.
        name: String,
        /// IBT-060 Identifier.
        identifier: Option<Identifier>,
        /// IBT-061 Legal registration identifier.
        legal_registration_identifier: Option<Identifier>,
    }

    /// IBG-11 Seller's tax representative.
    struct TaxRepresentative {
        /// IBT-062 Name.
        name: String,
        /// IBT-063 VAT identifier.
        vat_identifier: String,
        /// IBG-12 Address.
        address: Address,
    }

    /// IBG-13 Delivery information.
    struct Delivery {
        /// IBT-072 Actual delivery date.
        actual_delivery_date: Option<Date>,
        /// IBT-071 Location identifier.
        location_identifier: Option<Identifier>,
        /// BTAE-23 Deliver-to party identifier (TRN or TIN).
        party_identifier: Option<String>,
        /// IBT-070 Deliver-to party name.
        party_name: Option<String>,
        /// BTAE-22 Incoterms code.
        incoterms_code: Option<String>,
    }
}
