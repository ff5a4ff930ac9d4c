//! The parties and the delivery.

use super::place::{Kind, Place, code, date, group, is_licence, is_sepa, is_vat, qualified, text};
use crate::xml::names::{attr, cac, cbc};

/// The seller.
pub(in crate::rendering) const SELLER: &[Place] = &[group(
    "",
    &[cac::ACCOUNTING_SUPPLIER_PARTY, cac::PARTY],
    &[
        text("IBT-027", &[cac::PARTY_LEGAL_ENTITY, cbc::REGISTRATION_NAME]),
        text("IBT-028", &[cac::PARTY_NAME, cbc::NAME]),
        text("IBT-035", &[cac::POSTAL_ADDRESS, cbc::STREET_NAME]),
        text("IBT-036", &[cac::POSTAL_ADDRESS, cbc::ADDITIONAL_STREET_NAME]),
        text("IBT-162", &[cac::POSTAL_ADDRESS, cac::ADDRESS_LINE, cbc::LINE]),
        text("IBT-037", &[cac::POSTAL_ADDRESS, cbc::CITY_NAME]),
        text("IBT-038", &[cac::POSTAL_ADDRESS, cbc::POSTAL_ZONE]),
        code("IBT-039", &[cac::POSTAL_ADDRESS, cbc::COUNTRY_SUBENTITY]),
        code("IBT-040", &[cac::POSTAL_ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE]),
        group(
            "",
            &[cac::PARTY_TAX_SCHEME],
            &[text("IBT-031", &[cbc::COMPANY_ID]), text("IBT-031-1", &[cac::TAX_SCHEME, cbc::ID])],
        )
        .when(is_vat),
        group(
            "",
            &[cac::PARTY_TAX_SCHEME],
            &[text("IBT-032", &[cbc::COMPANY_ID]), text("IBT-032-1", &[cac::TAX_SCHEME, cbc::ID])],
        )
        .when(|node| !is_vat(node)),
        qualified(
            "IBT-030",
            &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
            Kind::Text,
            &[
                (attr::SCHEME_ID, "IBT-030-1"),
                (attr::SCHEME_AGENCY_ID, "BTAE-15"),
                (attr::SCHEME_AGENCY_NAME, "BTAE-12"),
            ],
        )
        .when(is_licence),
        qualified(
            "IBT-030",
            &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
            Kind::Text,
            &[
                (attr::SCHEME_ID, "IBT-030-1"),
                (attr::SCHEME_AGENCY_ID, "BTAE-15"),
                (attr::SCHEME_AGENCY_NAME, "BTAE-18"),
            ],
        )
        .when(|node| !is_licence(node)),
        text("IBT-033", &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_LEGAL_FORM]),
        qualified("IBT-034", &[cbc::ENDPOINT_ID], Kind::Text, &[(attr::SCHEME_ID, "IBT-034-1")]),
        qualified(
            "IBT-029",
            &[cac::PARTY_IDENTIFICATION, cbc::ID],
            Kind::Text,
            &[(attr::SCHEME_ID, "IBT-029-1")],
        )
        .when(|node| !is_sepa(node)),
        qualified(
            "IBT-090",
            &[cac::PARTY_IDENTIFICATION, cbc::ID],
            Kind::Text,
            &[(attr::SCHEME_ID, "")],
        )
        .when(is_sepa),
        text("IBT-041", &[cac::CONTACT, cbc::NAME]),
        text("IBT-042", &[cac::CONTACT, cbc::TELEPHONE]),
        text("IBT-043", &[cac::CONTACT, cbc::ELECTRONIC_MAIL]),
    ],
)];

/// The buyer.
pub(in crate::rendering) const BUYER: &[Place] = &[group(
    "",
    &[cac::ACCOUNTING_CUSTOMER_PARTY, cac::PARTY],
    &[
        text("IBT-044", &[cac::PARTY_LEGAL_ENTITY, cbc::REGISTRATION_NAME]),
        text("IBT-045", &[cac::PARTY_NAME, cbc::NAME]),
        text("IBT-050", &[cac::POSTAL_ADDRESS, cbc::STREET_NAME]),
        text("IBT-051", &[cac::POSTAL_ADDRESS, cbc::ADDITIONAL_STREET_NAME]),
        text("IBT-163", &[cac::POSTAL_ADDRESS, cac::ADDRESS_LINE, cbc::LINE]),
        text("IBT-052", &[cac::POSTAL_ADDRESS, cbc::CITY_NAME]),
        text("IBT-053", &[cac::POSTAL_ADDRESS, cbc::POSTAL_ZONE]),
        code("IBT-054", &[cac::POSTAL_ADDRESS, cbc::COUNTRY_SUBENTITY]),
        code("IBT-055", &[cac::POSTAL_ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE]),
        text("IBT-048", &[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID]),
        text("IBT-048-1", &[cac::PARTY_TAX_SCHEME, cac::TAX_SCHEME, cbc::ID]),
        qualified(
            "IBT-047",
            &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
            Kind::Text,
            &[
                (attr::SCHEME_ID, "IBT-047-1"),
                (attr::SCHEME_AGENCY_ID, "BTAE-16"),
                (attr::SCHEME_AGENCY_NAME, "BTAE-11"),
            ],
        )
        .when(is_licence),
        qualified(
            "IBT-047",
            &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
            Kind::Text,
            &[
                (attr::SCHEME_ID, "IBT-047-1"),
                (attr::SCHEME_AGENCY_ID, "BTAE-16"),
                (attr::SCHEME_AGENCY_NAME, "BTAE-19"),
            ],
        )
        .when(|node| !is_licence(node)),
        qualified("IBT-049", &[cbc::ENDPOINT_ID], Kind::Text, &[(attr::SCHEME_ID, "IBT-049-1")]),
        qualified(
            "IBT-046",
            &[cac::PARTY_IDENTIFICATION, cbc::ID],
            Kind::Text,
            &[(attr::SCHEME_ID, "IBT-046-1")],
        ),
        text("IBT-056", &[cac::CONTACT, cbc::NAME]),
        text("IBT-057", &[cac::CONTACT, cbc::TELEPHONE]),
        text("IBT-058", &[cac::CONTACT, cbc::ELECTRONIC_MAIL]),
    ],
)];

/// The other parties, and the delivery.
pub(in crate::rendering) const OTHERS: &[Place] = &[
    group(
        "IBG-10",
        &[cac::PAYEE_PARTY],
        &[
            text("IBT-059", &[cac::PARTY_NAME, cbc::NAME]),
            qualified(
                "IBT-060",
                &[cac::PARTY_IDENTIFICATION, cbc::ID],
                Kind::Text,
                &[(attr::SCHEME_ID, "IBT-060-1")],
            ),
            qualified(
                "IBT-061",
                &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
                Kind::Text,
                &[(attr::SCHEME_ID, "IBT-061-1")],
            ),
        ],
    ),
    text("BTAE-01", &[cac::BUYER_CUSTOMER_PARTY, cac::PARTY, cac::PARTY_IDENTIFICATION, cbc::ID]),
    text("BTAE-14", &[cac::SELLER_SUPPLIER_PARTY, cac::PARTY, cac::PARTY_IDENTIFICATION, cbc::ID]),
    group(
        "IBG-11",
        &[cac::TAX_REPRESENTATIVE_PARTY],
        &[
            text("IBT-062", &[cac::PARTY_NAME, cbc::NAME]),
            text("IBT-063", &[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID]),
            text("IBT-063-1", &[cac::PARTY_TAX_SCHEME, cac::TAX_SCHEME, cbc::ID]),
            text("IBT-064", &[cac::POSTAL_ADDRESS, cbc::STREET_NAME]),
            text("IBT-065", &[cac::POSTAL_ADDRESS, cbc::ADDITIONAL_STREET_NAME]),
            text("IBT-164", &[cac::POSTAL_ADDRESS, cac::ADDRESS_LINE, cbc::LINE]),
            text("IBT-066", &[cac::POSTAL_ADDRESS, cbc::CITY_NAME]),
            text("IBT-067", &[cac::POSTAL_ADDRESS, cbc::POSTAL_ZONE]),
            code("IBT-068", &[cac::POSTAL_ADDRESS, cbc::COUNTRY_SUBENTITY]),
            code("IBT-069", &[cac::POSTAL_ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE]),
        ],
    ),
    group(
        "IBG-13",
        &[cac::DELIVERY],
        &[
            text("IBT-070", &[cac::DELIVERY_PARTY, cac::PARTY_NAME, cbc::NAME]),
            text("BTAE-23", &[cac::DELIVERY_PARTY, cac::PARTY_IDENTIFICATION, cbc::ID]),
            date("IBT-072", &[cbc::ACTUAL_DELIVERY_DATE]),
            qualified(
                "IBT-071",
                &[cac::DELIVERY_LOCATION, cbc::ID],
                Kind::Text,
                &[(attr::SCHEME_ID, "IBT-071-1")],
            ),
            text("IBT-075", &[cac::DELIVERY_LOCATION, cac::ADDRESS, cbc::STREET_NAME]),
            text("IBT-076", &[cac::DELIVERY_LOCATION, cac::ADDRESS, cbc::ADDITIONAL_STREET_NAME]),
            text("IBT-165", &[cac::DELIVERY_LOCATION, cac::ADDRESS, cac::ADDRESS_LINE, cbc::LINE]),
            text("IBT-077", &[cac::DELIVERY_LOCATION, cac::ADDRESS, cbc::CITY_NAME]),
            text("IBT-078", &[cac::DELIVERY_LOCATION, cac::ADDRESS, cbc::POSTAL_ZONE]),
            code("IBT-079", &[cac::DELIVERY_LOCATION, cac::ADDRESS, cbc::COUNTRY_SUBENTITY]),
            code(
                "IBT-080",
                &[cac::DELIVERY_LOCATION, cac::ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE],
            ),
            qualified(
                "BTAE-22",
                &[cac::DELIVERY_TERMS, cbc::ID],
                Kind::Text,
                &[(attr::SCHEME_ID, "")],
            ),
        ],
    ),
];
