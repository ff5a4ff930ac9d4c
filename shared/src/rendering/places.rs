//! The UBL 2.1 elements of the business terms of PINT-AE, in reading order.

use crate::{
    ubl::{AED_TOTAL, INVOICED_OBJECT, PROJECT, UNKNOWN},
    xml::{
        Name, Node,
        names::{attr, cac, cbc},
    },
};

/// The presentation of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text, unchanged.
    Text,
    /// A day.
    Date,
    /// An amount, in the currency of its element.
    Amount,
    /// An amount after the text `AED`.
    AmountInAed,
    /// A number.
    Number,
    /// A rate.
    Percent,
    /// A code, with its meaning if known.
    Code,
    /// An embedded file, shown by its size.
    File,
}

/// An attribute that qualifies an element, and its business term.
pub(super) type Qualifier = (Name, &'static str);

/// A term, or a group of them.
pub(super) enum Place {
    /// A term.
    Term {
        /// Its id.
        id: &'static str,
        /// The path to its element.
        path: &'static [Name],
        /// Distinguishes elements with the same name.
        when: fn(Node<'_>) -> bool,
        /// How it is shown.
        kind: Kind,
        /// The attributes of its element that are terms.
        qualifiers: &'static [Qualifier],
    },
    /// Terms that belong together. Each element at the path is one instance.
    Group {
        /// Its id; empty for a group without a name, whose terms are shown with those around it.
        id: &'static str,
        /// The path to its element.
        path: &'static [Name],
        /// Distinguishes elements with the same name.
        when: fn(Node<'_>) -> bool,
        /// Its terms and groups.
        places: &'static [Place],
    },
    /// An element that UBL requires, but that carries no information.
    Silent {
        /// The path to the element.
        path: &'static [Name],
        /// Whether the element carries no information.
        when: fn(Node<'_>) -> bool,
    },
}

const fn term(id: &'static str, path: &'static [Name], kind: Kind) -> Place {
    Place::Term { id, path, when: always, kind, qualifiers: &[] }
}

const fn text(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Text)
}

const fn code(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Code)
}

const fn date(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Date)
}

const fn amount(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Amount)
}

const fn number(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Number)
}

const fn percent(id: &'static str, path: &'static [Name]) -> Place {
    term(id, path, Kind::Percent)
}

const fn qualified(
    id: &'static str,
    path: &'static [Name],
    kind: Kind,
    qualifiers: &'static [Qualifier],
) -> Place {
    Place::Term { id, path, when: always, kind, qualifiers }
}

const fn group(id: &'static str, path: &'static [Name], places: &'static [Place]) -> Place {
    Place::Group { id, path, when: always, places }
}

const fn silent(path: &'static [Name]) -> Place {
    Place::Silent { path, when: always }
}

/// An element that the schema requires, with the filler that a writer puts there.
const fn filler(path: &'static [Name]) -> Place {
    Place::Silent { path, when: |node| node.normalized() == UNKNOWN }
}

impl Place {
    const fn when(self, when: fn(Node<'_>) -> bool) -> Self {
        match self {
            Place::Term { id, path, kind, qualifiers, .. } => {
                Place::Term { id, path, when, kind, qualifiers }
            }
            Place::Group { id, path, places, .. } => Place::Group { id, path, when, places },
            Place::Silent { path, .. } => Place::Silent { path, when },
        }
    }
}

fn always(_: Node<'_>) -> bool {
    true
}

fn says(node: Node<'_>, path: &'static [Name], value: &str) -> bool {
    node.find(path).is_some_and(|found| found.normalized() == value)
}

fn is_vat(node: Node<'_>) -> bool {
    says(node, &[cac::TAX_SCHEME, cbc::ID], "VAT")
}

fn has_type(node: Node<'_>, code: &str) -> bool {
    says(node, &[cbc::DOCUMENT_TYPE_CODE], code)
}

fn is_sepa(node: Node<'_>) -> bool {
    node.attribute(attr::SCHEME_ID) == Some("SEPA")
}

fn is_licence(node: Node<'_>) -> bool {
    node.attribute(attr::SCHEME_AGENCY_ID) == Some("TL")
}

fn is_charge(node: Node<'_>) -> bool {
    says(node, &[cbc::CHARGE_INDICATOR], "true")
}

/// Whether this is the total in the document currency. Only it has subtotals (ibr-sr-43).
fn is_documents(node: Node<'_>) -> bool {
    let root = node.ancestors().last().unwrap_or(node);
    let currency = root.child(cbc::DOCUMENT_CURRENCY_CODE);
    let own = node.child(cbc::TAX_AMOUNT).and_then(|of| of.attribute(attr::CURRENCY_ID));
    currency.is_none_or(|currency| own == Some(&*currency.normalized()))
}

/// The document itself.
pub(super) const DOCUMENT: &[Place] = &[
    text("IBT-001", &[cbc::ID]),
    code("IBT-003", &[cbc::INVOICE_TYPE_CODE]),
    code("IBT-003", &[cbc::CREDIT_NOTE_TYPE_CODE]),
    date("IBT-002", &[cbc::ISSUE_DATE]),
    text("IBT-168", &[cbc::ISSUE_TIME]),
    date("IBT-009", &[cbc::DUE_DATE]),
    date("IBT-007", &[cbc::TAX_POINT_DATE]),
    group(
        "",
        &[cac::INVOICE_PERIOD],
        &[
            date("IBT-073", &[cbc::START_DATE]),
            date("IBT-074", &[cbc::END_DATE]),
            code("BTAE-06", &[cbc::DESCRIPTION_CODE]),
        ],
    ),
    code("BTAE-02", &[cbc::PROFILE_EXECUTION_ID]),
    code("BTAE-03", &[cac::DISCREPANCY_RESPONSE, cbc::RESPONSE_CODE]),
    text("IBT-005", &[cbc::DOCUMENT_CURRENCY_CODE]),
    text("IBT-006", &[cbc::TAX_CURRENCY_CODE]),
    number("BTAE-04", &[cac::TAX_EXCHANGE_RATE, cbc::CALCULATION_RATE]),
    silent(&[cac::TAX_EXCHANGE_RATE, cbc::SOURCE_CURRENCY_CODE]),
    silent(&[cac::TAX_EXCHANGE_RATE, cbc::TARGET_CURRENCY_CODE]),
    text("IBT-010", &[cbc::BUYER_REFERENCE]),
    text("IBT-019", &[cbc::ACCOUNTING_COST]),
    text("IBT-022", &[cbc::NOTE]),
    text("BTAE-07", &[cbc::UUID]),
    text("IBT-024", &[cbc::CUSTOMIZATION_ID]),
    text("IBT-023", &[cbc::PROFILE_ID]),
];

/// The references to other documents.
pub(super) const REFERENCES: &[Place] = &[
    group(
        "IBG-03",
        &[cac::BILLING_REFERENCE, cac::INVOICE_DOCUMENT_REFERENCE],
        &[text("IBT-025", &[cbc::ID]), date("IBT-026", &[cbc::ISSUE_DATE])],
    ),
    filler(&[cac::ORDER_REFERENCE, cbc::ID]),
    text("IBT-013", &[cac::ORDER_REFERENCE, cbc::ID]).when(|node| node.normalized() != UNKNOWN),
    text("IBT-014", &[cac::ORDER_REFERENCE, cbc::SALES_ORDER_ID]),
    text("IBT-016", &[cac::DESPATCH_DOCUMENT_REFERENCE, cbc::ID]),
    text("IBT-015", &[cac::RECEIPT_DOCUMENT_REFERENCE, cbc::ID]),
    text("BTAE-21", &[cac::STATEMENT_DOCUMENT_REFERENCE, cbc::ID]),
    text("IBT-017", &[cac::ORIGINATOR_DOCUMENT_REFERENCE, cbc::ID]),
    text("IBT-012", &[cac::CONTRACT_DOCUMENT_REFERENCE, cbc::ID]),
    text("BTAE-05", &[cac::CONTRACT_DOCUMENT_REFERENCE, cbc::DOCUMENT_DESCRIPTION]),
    text("IBT-011", &[cac::PROJECT_REFERENCE, cbc::ID]),
    group(
        "",
        &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
        &[text("IBT-011", &[cbc::ID]), silent(&[cbc::DOCUMENT_TYPE_CODE])],
    )
    .when(|node| has_type(node, PROJECT)),
    group(
        "",
        &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
        &[
            qualified("IBT-018", &[cbc::ID], Kind::Text, &[(attr::SCHEME_ID, "IBT-018-1")]),
            silent(&[cbc::DOCUMENT_TYPE_CODE]),
        ],
    )
    .when(|node| has_type(node, INVOICED_OBJECT)),
];

/// The seller.
pub(super) const SELLER: &[Place] = &[group(
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
pub(super) const BUYER: &[Place] = &[group(
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
pub(super) const OTHERS: &[Place] = &[
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

/// The lines.
pub(super) const LINES: &[Place] =
    &[group("IBG-25", &[cac::INVOICE_LINE], LINE), group("IBG-25", &[cac::CREDIT_NOTE_LINE], LINE)];

const LINE: &[Place] = &[
    text("IBT-126", &[cbc::ID]),
    text("IBT-153", &[cac::ITEM, cbc::NAME]),
    text("IBT-154", &[cac::ITEM, cbc::DESCRIPTION]),
    qualified("IBT-129", &[cbc::INVOICED_QUANTITY], Kind::Number, &[(attr::UNIT_CODE, "IBT-130")]),
    qualified("IBT-129", &[cbc::CREDITED_QUANTITY], Kind::Number, &[(attr::UNIT_CODE, "IBT-130")]),
    amount("IBT-146", &[cac::PRICE, cbc::PRICE_AMOUNT]),
    qualified(
        "IBT-149",
        &[cac::PRICE, cbc::BASE_QUANTITY],
        Kind::Number,
        &[(attr::UNIT_CODE, "IBT-150")],
    ),
    group(
        "",
        &[cac::PRICE, cac::ALLOWANCE_CHARGE],
        &[
            amount("IBT-147", &[cbc::AMOUNT]),
            amount("IBT-148", &[cbc::BASE_AMOUNT]),
            silent(&[cbc::CHARGE_INDICATOR]),
        ],
    ),
    code("IBT-151", &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::ID]),
    percent("IBT-152", &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::PERCENT]),
    text("IBT-167", &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cac::TAX_SCHEME, cbc::ID]),
    code("IBT-186", &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON_CODE]),
    text("IBT-185", &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON]),
    amount("IBT-131", &[cbc::LINE_EXTENSION_AMOUNT]),
    amount("BTAE-08", &[cac::ITEM_PRICE_EXTENSION, cac::TAX_TOTAL, cbc::TAX_AMOUNT]),
    amount("BTAE-10", &[cac::ITEM_PRICE_EXTENSION, cbc::AMOUNT]),
    text("IBT-127", &[cbc::NOTE]),
    date("IBT-134", &[cac::INVOICE_PERIOD, cbc::START_DATE]),
    date("IBT-135", &[cac::INVOICE_PERIOD, cbc::END_DATE]),
    text("IBT-133", &[cbc::ACCOUNTING_COST]),
    filler(&[cac::ORDER_LINE_REFERENCE, cbc::LINE_ID]),
    text("IBT-132", &[cac::ORDER_LINE_REFERENCE, cbc::LINE_ID])
        .when(|node| node.normalized() != UNKNOWN),
    text("IBT-183", &[cac::ORDER_LINE_REFERENCE, cac::ORDER_REFERENCE, cbc::ID]),
    text("IBT-184", &[cac::DESPATCH_LINE_REFERENCE, cac::DOCUMENT_REFERENCE, cbc::ID]),
    filler(&[cac::DESPATCH_LINE_REFERENCE, cbc::LINE_ID]),
    group(
        "",
        &[cac::DOCUMENT_REFERENCE],
        &[
            qualified("IBT-128", &[cbc::ID], Kind::Text, &[(attr::SCHEME_ID, "IBT-128-1")]),
            silent(&[cbc::DOCUMENT_TYPE_CODE]),
        ],
    )
    .when(|node| has_type(node, INVOICED_OBJECT)),
    text("IBT-155", &[cac::ITEM, cac::SELLERS_ITEM_IDENTIFICATION, cbc::ID]),
    text("IBT-156", &[cac::ITEM, cac::BUYERS_ITEM_IDENTIFICATION, cbc::ID]),
    qualified(
        "IBT-157",
        &[cac::ITEM, cac::STANDARD_ITEM_IDENTIFICATION, cbc::ID],
        Kind::Text,
        &[(attr::SCHEME_ID, "IBT-157-1")],
    ),
    code("BTAE-13", &[cac::ITEM, cac::COMMODITY_CLASSIFICATION, cbc::COMMODITY_CODE]),
    code("BTAE-09", &[cac::ITEM, cac::COMMODITY_CLASSIFICATION, cbc::NATURE_CODE]),
    qualified(
        "IBT-158",
        &[cac::ITEM, cac::COMMODITY_CLASSIFICATION, cbc::ITEM_CLASSIFICATION_CODE],
        Kind::Text,
        &[(attr::LIST_ID, "IBT-158-1"), (attr::LIST_VERSION_ID, "IBT-158-2")],
    ),
    qualified(
        "BTAE-17",
        &[cac::ITEM, cac::ADDITIONAL_ITEM_IDENTIFICATION, cbc::ID],
        Kind::Text,
        &[(attr::SCHEME_ID, "BTAE-17-1"), (attr::SCHEME_VERSION_ID, "BTAE-17-2")],
    ),
    code("IBT-159", &[cac::ITEM, cac::ORIGIN_COUNTRY, cbc::IDENTIFICATION_CODE]),
    text("BTAE-24", &[cac::ITEM, cac::ITEM_INSTANCE, cac::LOT_IDENTIFICATION, cbc::LOT_NUMBER_ID]),
    group(
        "IBG-32",
        &[cac::ITEM, cac::ADDITIONAL_ITEM_PROPERTY],
        &[text("IBT-160", &[cbc::NAME]), text("IBT-161", &[cbc::VALUE])],
    ),
    group(
        "IBG-27",
        &[cac::ALLOWANCE_CHARGE],
        &[
            amount("IBT-136", &[cbc::AMOUNT]),
            amount("IBT-137", &[cbc::BASE_AMOUNT]),
            percent("IBT-138", &[cbc::MULTIPLIER_FACTOR_NUMERIC]),
            text("IBT-139", &[cbc::ALLOWANCE_CHARGE_REASON]),
            text("IBT-140", &[cbc::ALLOWANCE_CHARGE_REASON_CODE]),
            silent(&[cbc::CHARGE_INDICATOR]),
        ],
    )
    .when(|node| !is_charge(node)),
    group(
        "IBG-28",
        &[cac::ALLOWANCE_CHARGE],
        &[
            amount("IBT-141", &[cbc::AMOUNT]),
            amount("IBT-142", &[cbc::BASE_AMOUNT]),
            percent("IBT-143", &[cbc::MULTIPLIER_FACTOR_NUMERIC]),
            text("IBT-144", &[cbc::ALLOWANCE_CHARGE_REASON]),
            text("IBT-145", &[cbc::ALLOWANCE_CHARGE_REASON_CODE]),
            silent(&[cbc::CHARGE_INDICATOR]),
        ],
    )
    .when(is_charge),
];

/// The allowances and charges of the document.
pub(super) const ALLOWANCES: &[Place] = &[
    group(
        "IBG-20",
        &[cac::ALLOWANCE_CHARGE],
        &[
            text("IBT-097", &[cbc::ALLOWANCE_CHARGE_REASON]),
            text("IBT-098", &[cbc::ALLOWANCE_CHARGE_REASON_CODE]),
            percent("IBT-094", &[cbc::MULTIPLIER_FACTOR_NUMERIC]),
            amount("IBT-093", &[cbc::BASE_AMOUNT]),
            amount("IBT-092", &[cbc::AMOUNT]),
            code("IBT-095", &[cac::TAX_CATEGORY, cbc::ID]),
            percent("IBT-096", &[cac::TAX_CATEGORY, cbc::PERCENT]),
            text("IBT-095-1", &[cac::TAX_CATEGORY, cac::TAX_SCHEME, cbc::ID]),
            code("IBT-196", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON_CODE]),
            text("IBT-197", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON]),
            silent(&[cbc::CHARGE_INDICATOR]),
        ],
    )
    .when(|node| !is_charge(node)),
    group(
        "IBG-21",
        &[cac::ALLOWANCE_CHARGE],
        &[
            text("IBT-104", &[cbc::ALLOWANCE_CHARGE_REASON]),
            text("IBT-105", &[cbc::ALLOWANCE_CHARGE_REASON_CODE]),
            percent("IBT-101", &[cbc::MULTIPLIER_FACTOR_NUMERIC]),
            amount("IBT-100", &[cbc::BASE_AMOUNT]),
            amount("IBT-099", &[cbc::AMOUNT]),
            code("IBT-102", &[cac::TAX_CATEGORY, cbc::ID]),
            percent("IBT-103", &[cac::TAX_CATEGORY, cbc::PERCENT]),
            text("IBT-102-1", &[cac::TAX_CATEGORY, cac::TAX_SCHEME, cbc::ID]),
            code("IBT-198", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON_CODE]),
            text("IBT-199", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON]),
            silent(&[cbc::CHARGE_INDICATOR]),
        ],
    )
    .when(is_charge),
];

/// The VAT of each category.
pub(super) const BREAKDOWN: &[Place] = &[group(
    "IBG-23",
    &[cac::TAX_TOTAL, cac::TAX_SUBTOTAL],
    &[
        code("IBT-118", &[cac::TAX_CATEGORY, cbc::ID]),
        percent("IBT-119", &[cac::TAX_CATEGORY, cbc::PERCENT]),
        text("IBT-118-1", &[cac::TAX_CATEGORY, cac::TAX_SCHEME, cbc::ID]),
        text("IBT-120", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON]),
        code("IBT-121", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON_CODE]),
        amount("IBT-116", &[cbc::TAXABLE_AMOUNT]),
        amount("IBT-117", &[cbc::TAX_AMOUNT]),
    ],
)];

/// The totals.
pub(super) const TOTALS: &[Place] = &[
    amount("IBT-106", &[cac::LEGAL_MONETARY_TOTAL, cbc::LINE_EXTENSION_AMOUNT]),
    amount("IBT-107", &[cac::LEGAL_MONETARY_TOTAL, cbc::ALLOWANCE_TOTAL_AMOUNT]),
    amount("IBT-108", &[cac::LEGAL_MONETARY_TOTAL, cbc::CHARGE_TOTAL_AMOUNT]),
    amount("IBT-109", &[cac::LEGAL_MONETARY_TOTAL, cbc::TAX_EXCLUSIVE_AMOUNT]),
    group("", &[cac::TAX_TOTAL], &[amount("IBT-110", &[cbc::TAX_AMOUNT])]).when(is_documents),
    group("", &[cac::TAX_TOTAL], &[amount("IBT-111", &[cbc::TAX_AMOUNT])])
        .when(|node| !is_documents(node)),
    text("IBT-200", &[cac::TAX_TOTAL, cbc::TAX_INCLUDED_INDICATOR]),
    amount("IBT-112", &[cac::LEGAL_MONETARY_TOTAL, cbc::TAX_INCLUSIVE_AMOUNT]),
    group(
        "",
        &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
        &[
            term("BTAE-20", &[cbc::DOCUMENT_DESCRIPTION], Kind::AmountInAed),
            silent(&[cbc::ID]),
            silent(&[cbc::DOCUMENT_TYPE_CODE]),
        ],
    )
    .when(|node| has_type(node, AED_TOTAL)),
    amount("IBT-113", &[cac::LEGAL_MONETARY_TOTAL, cbc::PREPAID_AMOUNT]),
    amount("IBT-114", &[cac::LEGAL_MONETARY_TOTAL, cbc::PAYABLE_ROUNDING_AMOUNT]),
    amount("IBT-115", &[cac::LEGAL_MONETARY_TOTAL, cbc::PAYABLE_AMOUNT]),
];

/// The payment instructions, terms and prepaid amounts.
pub(super) const PAYMENT: &[Place] = &[
    group(
        "IBG-16",
        &[cac::PAYMENT_MEANS],
        &[
            qualified(
                "IBT-081",
                &[cbc::PAYMENT_MEANS_CODE],
                Kind::Code,
                &[(attr::NAME, "IBT-082")],
            ),
            // A credit note has its due date here.
            date("IBT-009", &[cbc::PAYMENT_DUE_DATE]),
            text("IBT-178", &[cbc::ID]),
            qualified("IBT-083", &[cbc::PAYMENT_ID], Kind::Text, &[(attr::SCHEME_ID, "IBT-083-1")]),
            qualified(
                "IBT-084",
                &[cac::PAYEE_FINANCIAL_ACCOUNT, cbc::ID],
                Kind::Text,
                &[(attr::SCHEME_ID, "IBT-084-1")],
            ),
            text("IBT-085", &[cac::PAYEE_FINANCIAL_ACCOUNT, cbc::NAME]),
            group(
                "",
                &[cac::PAYEE_FINANCIAL_ACCOUNT, cac::FINANCIAL_INSTITUTION_BRANCH],
                &[
                    text("IBT-086", &[cbc::ID]),
                    text("IBT-169", &[cac::ADDRESS, cbc::STREET_NAME]),
                    text("IBT-170", &[cac::ADDRESS, cbc::ADDITIONAL_STREET_NAME]),
                    text("IBT-174", &[cac::ADDRESS, cac::ADDRESS_LINE, cbc::LINE]),
                    text("IBT-171", &[cac::ADDRESS, cbc::CITY_NAME]),
                    text("IBT-172", &[cac::ADDRESS, cbc::POSTAL_ZONE]),
                    code("IBT-173", &[cac::ADDRESS, cbc::COUNTRY_SUBENTITY]),
                    code("IBT-175", &[cac::ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE]),
                ],
            ),
            text("IBT-087", &[cac::CARD_ACCOUNT, cbc::PRIMARY_ACCOUNT_NUMBER_ID]),
            filler(&[cac::CARD_ACCOUNT, cbc::NETWORK_ID]),
            text("IBT-088", &[cac::CARD_ACCOUNT, cbc::HOLDER_NAME]),
            text("IBT-089", &[cac::PAYMENT_MANDATE, cbc::ID]),
            text("IBT-091", &[cac::PAYMENT_MANDATE, cac::PAYER_FINANCIAL_ACCOUNT, cbc::ID]),
        ],
    ),
    group(
        "IBG-33",
        &[cac::PAYMENT_TERMS],
        &[
            text("IBT-187", &[cbc::PAYMENT_MEANS_ID]),
            text("IBT-020", &[cbc::NOTE]),
            amount("IBT-176", &[cbc::AMOUNT]),
            date("IBT-177", &[cbc::INSTALLMENT_DUE_DATE]),
        ],
    ),
    group(
        "IBG-35",
        &[cac::PREPAID_PAYMENT],
        &[
            text("IBT-179", &[cbc::ID]),
            amount("IBT-180", &[cbc::PAID_AMOUNT]),
            date("IBT-181", &[cbc::RECEIVED_DATE]),
        ],
    ),
];

/// The attachments.
pub(super) const ATTACHMENTS: &[Place] = &[group(
    "IBG-24",
    &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
    &[
        text("IBT-122", &[cbc::ID]),
        text("IBT-123", &[cbc::DOCUMENT_DESCRIPTION]),
        text("IBT-124", &[cac::ATTACHMENT, cac::EXTERNAL_REFERENCE, cbc::URI]),
        qualified(
            "IBT-125",
            &[cac::ATTACHMENT, cbc::EMBEDDED_DOCUMENT_BINARY_OBJECT],
            Kind::File,
            &[(attr::FILENAME, "IBT-125-2"), (attr::MIME_CODE, "IBT-125-1")],
        ),
    ],
)
.when(|node| node.child(cbc::DOCUMENT_TYPE_CODE).is_none())];

#[cfg(test)]
pub(super) const ALL: [&[Place]; 11] = [
    DOCUMENT,
    REFERENCES,
    SELLER,
    BUYER,
    OTHERS,
    LINES,
    ALLOWANCES,
    BREAKDOWN,
    TOTALS,
    PAYMENT,
    ATTACHMENTS,
];
