//! Names in no namespace: the attributes of UBL and of the other vocabularies.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    0, "" = "";
    ALGORITHM "Algorithm", AUTHORITY "Authority", CAPITAL_ENCODING "Encoding",
    CAPITAL_MIME_TYPE "MimeType", CAPITAL_TYPE "Type", CAPITAL_URI "URI",
    CHARACTER_SET_CODE "characterSetCode",
    CURRENCY_CODE_LIST_VERSION_ID "currencyCodeListVersionID", CURRENCY_ID "currencyID",
    ENCODING "encoding", ENCODING_CODE "encodingCode", FILENAME "filename", FORMAT "format",
    ID "Id", IS_APPLICATION_ERROR_RESPONSE_REQUESTED "IsApplicationErrorResponseRequested",
    IS_AUTHENTICATION_REQUIRED "IsAuthenticationRequired",
    IS_INTELLIGIBLE_CHECK_REQUIRED "IsIntelligibleCheckRequired",
    IS_NON_REPUDIATION_OF_RECEIPT_REQUIRED "IsNonRepudiationOfReceiptRequired",
    IS_NON_REPUDIATION_REQUIRED "IsNonRepudiationRequired", LANGUAGE_ID "languageID",
    LANGUAGE_LOCALE_ID "languageLocaleID", LIST_AGENCY_ID "listAgencyID",
    LIST_AGENCY_NAME "listAgencyName", LIST_ID "listID", LIST_NAME "listName",
    LIST_SCHEME_URI "listSchemeURI", LIST_URI "listURI", LIST_VERSION_ID "listVersionID",
    META_SCHEME_ID "metaSchemeID", MIME_CODE "mimeCode", MIME_TYPE "mimeType", NAME "name",
    OBJECT_REFERENCE "ObjectReference", QUALIFIER "Qualifier", RECURRENCE "Recurrence",
    REFERENCED_DATA "referencedData", SCHEME_AGENCY_ID "schemeAgencyID",
    SCHEME_AGENCY_NAME "schemeAgencyName", SCHEME_DATA_URI "schemeDataURI", SCHEME_ID "schemeID",
    SCHEME_NAME "schemeName", SCHEME_URI "schemeURI", SCHEME_VERSION_ID "schemeVersionID",
    TARGET "Target", TIME_TO_ACKNOWLEDGE_ACCEPTANCE "TimeToAcknowledgeAcceptance",
    TIME_TO_ACKNOWLEDGE_RECEIPT "TimeToAcknowledgeReceipt", TIME_TO_PERFORM "TimeToPerform",
    TYPE "type", TYPE_OF_SERVICE_TRANSACTION "TypeOfServiceTransaction", UNIT_CODE "unitCode",
    UNIT_CODE_LIST_AGENCY_ID "unitCodeListAgencyID",
    UNIT_CODE_LIST_AGENCY_NAME "unitCodeListAgencyName", UNIT_CODE_LIST_ID "unitCodeListID",
    UNIT_CODE_LIST_VERSION_ID "unitCodeListVersionID", UR "UR", URI "uri",
}
