//! The Standard Business Document Header.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::models! {
    space "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";
    BUSINESS_SCOPE "BusinessScope" from xs::ANY_TYPE () () elements {
        ends [sbdh::SCOPE = sbdh::SCOPE] 0;
    }
    BUSINESS_SERVICE "BusinessService" from xs::ANY_TYPE () (sbdh::BUSINESS_SERVICE) elements {
        ends [sbdh::BUSINESS_SERVICE_NAME = xs::STRING] 1
        [sbdh::SERVICE_TRANSACTION = sbdh::SERVICE_TRANSACTION] 2;
        ends [sbdh::SERVICE_TRANSACTION = sbdh::SERVICE_TRANSACTION] 2;
        ends;
    }
    CONTACT_INFORMATION "ContactInformation" from xs::ANY_TYPE () () elements {
        goes [sbdh::CONTACT = xs::STRING] 1;
        ends [sbdh::EMAIL_ADDRESS = xs::STRING] 2 [sbdh::FAX_NUMBER = xs::STRING] 3
        [sbdh::TELEPHONE_NUMBER = xs::STRING] 4 [sbdh::CONTACT_TYPE_IDENTIFIER = xs::STRING] 5;
        ends [sbdh::FAX_NUMBER = xs::STRING] 3 [sbdh::TELEPHONE_NUMBER = xs::STRING] 4
        [sbdh::CONTACT_TYPE_IDENTIFIER = xs::STRING] 5;
        ends [sbdh::TELEPHONE_NUMBER = xs::STRING] 4 [sbdh::CONTACT_TYPE_IDENTIFIER = xs::STRING] 5;
        ends [sbdh::CONTACT_TYPE_IDENTIFIER = xs::STRING] 5;
        ends;
    }
    CORRELATION_INFORMATION "CorrelationInformation" from xs::ANY_TYPE ()
        (sbdh::CORRELATION_INFORMATION) elements {
        ends [sbdh::REQUESTING_DOCUMENT_CREATION_DATE_TIME = xs::DATE_TIME] 1
        [sbdh::REQUESTING_DOCUMENT_INSTANCE_IDENTIFIER = xs::STRING] 2
        [sbdh::EXPECTED_RESPONSE_DATE_TIME = xs::DATE_TIME] 3;
        ends [sbdh::REQUESTING_DOCUMENT_INSTANCE_IDENTIFIER = xs::STRING] 2
        [sbdh::EXPECTED_RESPONSE_DATE_TIME = xs::DATE_TIME] 3;
        ends [sbdh::EXPECTED_RESPONSE_DATE_TIME = xs::DATE_TIME] 3;
        ends;
    }
    DOCUMENT_IDENTIFICATION "DocumentIdentification" from xs::ANY_TYPE () () elements {
        goes [sbdh::STANDARD = xs::STRING] 1;
        goes [sbdh::TYPE_VERSION = xs::STRING] 2;
        goes [sbdh::INSTANCE_IDENTIFIER = xs::STRING] 3;
        goes [sbdh::TYPE = xs::STRING] 4;
        goes [sbdh::MULTIPLE_TYPE = xs::BOOLEAN] 5 [sbdh::CREATION_DATE_AND_TIME = xs::DATE_TIME] 6;
        goes [sbdh::CREATION_DATE_AND_TIME = xs::DATE_TIME] 6;
        ends;
    }
    MANIFEST "Manifest" from xs::ANY_TYPE () () elements {
        goes [sbdh::NUMBER_OF_ITEMS = xs::INTEGER] 1;
        goes [sbdh::MANIFEST_ITEM = sbdh::MANIFEST_ITEM] 2;
        ends [sbdh::MANIFEST_ITEM = sbdh::MANIFEST_ITEM] 2;
    }
    MANIFEST_ITEM "ManifestItem" from xs::ANY_TYPE () () elements {
        goes [sbdh::MIME_TYPE_QUALIFIER_CODE = sbdh::MIME_TYPE_QUALIFIER] 1;
        goes [sbdh::UNIFORM_RESOURCE_IDENTIFIER = xs::ANY_URI] 2;
        ends [sbdh::DESCRIPTION = xs::STRING] 3 [sbdh::LANGUAGE_CODE = sbdh::LANGUAGE] 4;
        ends [sbdh::LANGUAGE_CODE = sbdh::LANGUAGE] 4;
        ends;
    }
    PARTNER "Partner" from xs::ANY_TYPE () () elements {
        goes [sbdh::IDENTIFIER = sbdh::PARTNER_IDENTIFICATION] 1;
        ends [sbdh::CONTACT_INFORMATION = sbdh::CONTACT_INFORMATION] 1;
    }
    SCOPE "Scope" from xs::ANY_TYPE () () elements {
        goes [sbdh::TYPE = xs::STRING] 1;
        goes [sbdh::INSTANCE_IDENTIFIER = xs::STRING] 2;
        ends [sbdh::IDENTIFIER = xs::STRING] 3 [sbdh::SCOPE_INFORMATION] 3
        [sbdh::CORRELATION_INFORMATION] 3 [sbdh::BUSINESS_SERVICE] 3;
        ends [sbdh::SCOPE_INFORMATION] 3 [sbdh::CORRELATION_INFORMATION] 3
        [sbdh::BUSINESS_SERVICE] 3;
    }
    SERVICE_TRANSACTION "ServiceTransaction" from xs::ANY_TYPE
        (TYPE_OF_SERVICE_TRANSACTION ? Enumeration(&["RequestingServiceTransaction",
        "RespondingServiceTransaction"]), IS_NON_REPUDIATION_REQUIRED ? String,
        IS_AUTHENTICATION_REQUIRED ? String, IS_NON_REPUDIATION_OF_RECEIPT_REQUIRED ? String,
        IS_INTELLIGIBLE_CHECK_REQUIRED ? String, IS_APPLICATION_ERROR_RESPONSE_REQUESTED ? String,
        TIME_TO_ACKNOWLEDGE_RECEIPT ? String, TIME_TO_ACKNOWLEDGE_ACCEPTANCE ? String,
        TIME_TO_PERFORM ? String, RECURRENCE ? String) () empty {}
    STANDARD_BUSINESS_DOCUMENT "StandardBusinessDocument" from xs::ANY_TYPE ()
        (sbdh::STANDARD_BUSINESS_DOCUMENT) elements {
        goes [sbdh::STANDARD_BUSINESS_DOCUMENT_HEADER] 1 [other Lax] 2;
        goes [other Lax] 2;
        ends;
    }
    STANDARD_BUSINESS_DOCUMENT_HEADER "StandardBusinessDocumentHeader" from xs::ANY_TYPE ()
        (sbdh::STANDARD_BUSINESS_DOCUMENT_HEADER) elements {
        goes [sbdh::HEADER_VERSION = xs::STRING] 1;
        goes [sbdh::SENDER = sbdh::PARTNER] 2;
        goes [sbdh::SENDER = sbdh::PARTNER] 2 [sbdh::RECEIVER = sbdh::PARTNER] 3;
        goes [sbdh::RECEIVER = sbdh::PARTNER] 3
        [sbdh::DOCUMENT_IDENTIFICATION = sbdh::DOCUMENT_IDENTIFICATION] 4;
        ends [sbdh::MANIFEST = sbdh::MANIFEST] 5 [sbdh::BUSINESS_SCOPE = sbdh::BUSINESS_SCOPE] 6;
        ends [sbdh::BUSINESS_SCOPE = sbdh::BUSINESS_SCOPE] 6;
        ends;
    }
}

super::values! {
    space "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";
    LANGUAGE "Language" from xs::STRING () () = String;
    MIME_TYPE_QUALIFIER "MimeTypeQualifier" from xs::STRING () () = String;
    PARTNER_IDENTIFICATION "PartnerIdentification" from xs::STRING (AUTHORITY ? String) () = String;
    TYPE_OF_SERVICE_TRANSACTION "TypeOfServiceTransaction" from xs::STRING () () =
        Enumeration(&["RequestingServiceTransaction", "RespondingServiceTransaction"]);
}
