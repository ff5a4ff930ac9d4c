//! The Tax Data Document.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::models! {
    space "urn:peppol:schema:taxdata:1.0";
    CUSTOM_CONTENT "CustomContentType" from xs::ANY_TYPE () () elements {
        goes [cbc::ID] 1;
        goes [cbc::VALUE] 2 [ext::EXTENSION_CONTENT] 2;
        ends;
    }
    MONETARY_TOTAL "MonetaryTotalType" from xs::ANY_TYPE () () elements {
        ends [cbc::TAX_EXCLUSIVE_AMOUNT] 1 [cbc::TAX_INCLUSIVE_AMOUNT] 2;
        ends [cbc::TAX_INCLUSIVE_AMOUNT] 2;
        ends;
    }
    REPORTED_DOCUMENT "ReportedDocumentType" from xs::ANY_TYPE () () elements {
        ends [cbc::CUSTOMIZATION_ID] 1 [cbc::PROFILE_ID] 2 [cbc::ID] 3 [cbc::UUID] 4
        [cbc::ISSUE_DATE] 5 [cbc::ISSUE_TIME] 6
        [tdd::DOCUMENT_TYPE_CODE = tdd::REFERENCED_DOCUMENT_TYPE_CODE] 7
        [cbc::DOCUMENT_CURRENCY_CODE] 8 [cbc::TAX_CURRENCY_CODE] 9
        [cac::ACCOUNTING_SUPPLIER_PARTY] 10 [cac::ACCOUNTING_CUSTOMER_PARTY] 11 [cac::TAX_TOTAL] 11
        [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [cbc::PROFILE_ID] 2 [cbc::ID] 3 [cbc::UUID] 4 [cbc::ISSUE_DATE] 5 [cbc::ISSUE_TIME] 6
        [tdd::DOCUMENT_TYPE_CODE = tdd::REFERENCED_DOCUMENT_TYPE_CODE] 7
        [cbc::DOCUMENT_CURRENCY_CODE] 8 [cbc::TAX_CURRENCY_CODE] 9
        [cac::ACCOUNTING_SUPPLIER_PARTY] 10 [cac::ACCOUNTING_CUSTOMER_PARTY] 11 [cac::TAX_TOTAL] 11
        [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [cbc::ID] 3 [cbc::UUID] 4 [cbc::ISSUE_DATE] 5 [cbc::ISSUE_TIME] 6
        [tdd::DOCUMENT_TYPE_CODE = tdd::REFERENCED_DOCUMENT_TYPE_CODE] 7
        [cbc::DOCUMENT_CURRENCY_CODE] 8 [cbc::TAX_CURRENCY_CODE] 9
        [cac::ACCOUNTING_SUPPLIER_PARTY] 10 [cac::ACCOUNTING_CUSTOMER_PARTY] 11 [cac::TAX_TOTAL] 11
        [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [cbc::UUID] 4 [cbc::ISSUE_DATE] 5 [cbc::ISSUE_TIME] 6
        [tdd::DOCUMENT_TYPE_CODE = tdd::REFERENCED_DOCUMENT_TYPE_CODE] 7
        [cbc::DOCUMENT_CURRENCY_CODE] 8 [cbc::TAX_CURRENCY_CODE] 9
        [cac::ACCOUNTING_SUPPLIER_PARTY] 10 [cac::ACCOUNTING_CUSTOMER_PARTY] 11 [cac::TAX_TOTAL] 11
        [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [cbc::ISSUE_DATE] 5 [cbc::ISSUE_TIME] 6
        [tdd::DOCUMENT_TYPE_CODE = tdd::REFERENCED_DOCUMENT_TYPE_CODE] 7
        [cbc::DOCUMENT_CURRENCY_CODE] 8 [cbc::TAX_CURRENCY_CODE] 9
        [cac::ACCOUNTING_SUPPLIER_PARTY] 10 [cac::ACCOUNTING_CUSTOMER_PARTY] 11 [cac::TAX_TOTAL] 11
        [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [cbc::ISSUE_TIME] 6 [tdd::DOCUMENT_TYPE_CODE = tdd::REFERENCED_DOCUMENT_TYPE_CODE] 7
        [cbc::DOCUMENT_CURRENCY_CODE] 8 [cbc::TAX_CURRENCY_CODE] 9
        [cac::ACCOUNTING_SUPPLIER_PARTY] 10 [cac::ACCOUNTING_CUSTOMER_PARTY] 11 [cac::TAX_TOTAL] 11
        [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [tdd::DOCUMENT_TYPE_CODE = tdd::REFERENCED_DOCUMENT_TYPE_CODE] 7
        [cbc::DOCUMENT_CURRENCY_CODE] 8 [cbc::TAX_CURRENCY_CODE] 9
        [cac::ACCOUNTING_SUPPLIER_PARTY] 10 [cac::ACCOUNTING_CUSTOMER_PARTY] 11 [cac::TAX_TOTAL] 11
        [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [cbc::DOCUMENT_CURRENCY_CODE] 8 [cbc::TAX_CURRENCY_CODE] 9
        [cac::ACCOUNTING_SUPPLIER_PARTY] 10 [cac::ACCOUNTING_CUSTOMER_PARTY] 11 [cac::TAX_TOTAL] 11
        [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [cbc::TAX_CURRENCY_CODE] 9 [cac::ACCOUNTING_SUPPLIER_PARTY] 10
        [cac::ACCOUNTING_CUSTOMER_PARTY] 11 [cac::TAX_TOTAL] 11
        [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [cac::ACCOUNTING_SUPPLIER_PARTY] 10 [cac::ACCOUNTING_CUSTOMER_PARTY] 11
        [cac::TAX_TOTAL] 11 [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [cac::ACCOUNTING_CUSTOMER_PARTY] 11 [cac::TAX_TOTAL] 11
        [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [cac::TAX_TOTAL] 11 [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
        ends [tdd::MONETARY_TOTAL = tdd::MONETARY_TOTAL] 12;
    }
    REPORTED_TRANSACTION "ReportedTransactionType" from xs::ANY_TYPE () () elements {
        ends [tdd::TRANSPORT_HEADER_ID = tdd::TRANSPORT_HEADER_ID] 1
        [tdd::REPORTED_DOCUMENT = tdd::REPORTED_DOCUMENT] 2
        [tdd::CUSTOM_CONTENT = tdd::CUSTOM_CONTENT] 2 [tdd::SOURCE_DOCUMENT = ext::UBL_EXTENSION] 3;
        ends [tdd::REPORTED_DOCUMENT = tdd::REPORTED_DOCUMENT] 2
        [tdd::CUSTOM_CONTENT = tdd::CUSTOM_CONTENT] 2 [tdd::SOURCE_DOCUMENT = ext::UBL_EXTENSION] 3;
        ends [tdd::CUSTOM_CONTENT = tdd::CUSTOM_CONTENT] 2
        [tdd::SOURCE_DOCUMENT = ext::UBL_EXTENSION] 3;
        ends;
    }
    TAX_DATA "TaxDataType" from xs::ANY_TYPE () (tdd::TAX_DATA) elements {
        goes [cbc::CUSTOMIZATION_ID] 1;
        goes [cbc::PROFILE_ID] 2;
        goes [cbc::ID] 3 [cbc::ISSUE_DATE] 4;
        goes [cbc::ISSUE_DATE] 4;
        goes [cbc::ISSUE_TIME] 5;
        goes [tdd::DOCUMENT_TYPE_CODE = tdd::TAX_DATA_DOCUMENT_TYPE_CODE] 6;
        goes [tdd::DOCUMENT_SCOPE = tdd::TAX_DATA_DOCUMENT_SCOPE] 7;
        goes [tdd::REPORTER_ROLE = tdd::TAX_DATA_DOCUMENT_REPORTER_ROLE] 8;
        goes [tdd::REPORTING_PARTY = cac::PARTY] 9;
        goes [tdd::RECEIVING_PARTY = cac::PARTY] 10;
        goes [tdd::REPORTERS_REPRESENTATIVE = cac::PARTY] 11;
        ends [tdd::REPORTED_TRANSACTION = tdd::REPORTED_TRANSACTION] 11;
    }
}

super::values! {
    space "urn:peppol:schema:taxdata:1.0";
    REFERENCED_DOCUMENT_TYPE_CODE "ReferencedDocumentTypeCodeType" from udt::CODE
        (LIST_ID ? NormalizedString, LIST_AGENCY_ID ? NormalizedString, LIST_AGENCY_NAME ? String,
        LIST_NAME ? String, LIST_VERSION_ID ? NormalizedString, NAME ? String,
        LANGUAGE_ID ? Language, LIST_URI ? AnyUri, LIST_SCHEME_URI ? AnyUri) () = NormalizedString;
    TAX_DATA_DOCUMENT_REPORTER_ROLE "TaxDataDocumentReporterRoleType" from udt::CODE
        (LIST_ID ? NormalizedString, LIST_AGENCY_ID ? NormalizedString, LIST_AGENCY_NAME ? String,
        LIST_NAME ? String, LIST_VERSION_ID ? NormalizedString, NAME ? String,
        LANGUAGE_ID ? Language, LIST_URI ? AnyUri, LIST_SCHEME_URI ? AnyUri) () = NormalizedString;
    TAX_DATA_DOCUMENT_SCOPE "TaxDataDocumentScopeType" from udt::CODE (LIST_ID ? NormalizedString,
        LIST_AGENCY_ID ? NormalizedString, LIST_AGENCY_NAME ? String, LIST_NAME ? String,
        LIST_VERSION_ID ? NormalizedString, NAME ? String, LANGUAGE_ID ? Language,
        LIST_URI ? AnyUri, LIST_SCHEME_URI ? AnyUri) () = NormalizedString;
    TAX_DATA_DOCUMENT_TYPE_CODE "TaxDataDocumentTypeCodeType" from udt::CODE
        (LIST_ID ? NormalizedString, LIST_AGENCY_ID ? NormalizedString, LIST_AGENCY_NAME ? String,
        LIST_NAME ? String, LIST_VERSION_ID ? NormalizedString, NAME ? String,
        LANGUAGE_ID ? Language, LIST_URI ? AnyUri, LIST_SCHEME_URI ? AnyUri) () = NormalizedString;
    TRANSPORT_HEADER_ID "TransportHeaderIDType" from udt::IDENTIFIER (SCHEME_ID ? NormalizedString,
        SCHEME_NAME ? String, SCHEME_AGENCY_ID ? NormalizedString, SCHEME_AGENCY_NAME ? String,
        SCHEME_VERSION_ID ? NormalizedString, SCHEME_DATA_URI ? AnyUri, SCHEME_URI ? AnyUri) () =
        NormalizedString;
}
