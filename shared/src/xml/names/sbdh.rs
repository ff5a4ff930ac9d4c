//! Names in `http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    16, "sbdh" = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";
    BUSINESS_SCOPE "BusinessScope", BUSINESS_SERVICE "BusinessService",
    BUSINESS_SERVICE_NAME "BusinessServiceName", CONTACT "Contact",
    CONTACT_INFORMATION "ContactInformation", CONTACT_TYPE_IDENTIFIER "ContactTypeIdentifier",
    CORRELATION_INFORMATION "CorrelationInformation", CREATION_DATE_AND_TIME "CreationDateAndTime",
    DESCRIPTION "Description", DOCUMENT_IDENTIFICATION "DocumentIdentification",
    EMAIL_ADDRESS "EmailAddress", EXPECTED_RESPONSE_DATE_TIME "ExpectedResponseDateTime",
    FAX_NUMBER "FaxNumber", HEADER_VERSION "HeaderVersion", IDENTIFIER "Identifier",
    INSTANCE_IDENTIFIER "InstanceIdentifier", LANGUAGE_CODE "LanguageCode", MANIFEST "Manifest",
    MANIFEST_ITEM "ManifestItem", MIME_TYPE_QUALIFIER_CODE "MimeTypeQualifierCode",
    MULTIPLE_TYPE "MultipleType", NUMBER_OF_ITEMS "NumberOfItems", RECEIVER "Receiver",
    REQUESTING_DOCUMENT_CREATION_DATE_TIME "RequestingDocumentCreationDateTime",
    REQUESTING_DOCUMENT_INSTANCE_IDENTIFIER "RequestingDocumentInstanceIdentifier", SCOPE "Scope",
    SCOPE_INFORMATION "ScopeInformation", SENDER "Sender", SERVICE_TRANSACTION "ServiceTransaction",
    STANDARD "Standard", STANDARD_BUSINESS_DOCUMENT "StandardBusinessDocument",
    STANDARD_BUSINESS_DOCUMENT_HEADER "StandardBusinessDocumentHeader",
    TELEPHONE_NUMBER "TelephoneNumber", TYPE "Type", TYPE_VERSION "TypeVersion",
    UNIFORM_RESOURCE_IDENTIFIER "UniformResourceIdentifier",
}
