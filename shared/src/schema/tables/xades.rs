//! Advanced electronic signatures, XAdES 1.3.2.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::models! {
    space "http://uri.etsi.org/01903/v1.3.2#";
    ANY "AnyType" from xs::ANY_TYPE () (xades::ANY) mixed {
        ends [any Lax] 0;
    }
    CERTIFICATE_VALUES "CertificateValuesType" from xs::ANY_TYPE (ID ? Id)
        (xades::CERTIFICATE_VALUES xades::ATTR_AUTHORITIES_CERT_VALUES) elements {
        ends [xades::ENCAPSULATED_X509_CERTIFICATE = xades::ENCAPSULATED_PKI_DATA] 0
        [xades::OTHER_CERTIFICATE = xades::ANY] 0;
    }
    CERTIFIED_ROLES_LIST "CertifiedRolesListType" from xs::ANY_TYPE () () elements {
        goes [xades::CERTIFIED_ROLE = xades::ENCAPSULATED_PKI_DATA] 1;
        ends [xades::CERTIFIED_ROLE = xades::ENCAPSULATED_PKI_DATA] 1;
    }
    CERT_ID "CertIDType" from xs::ANY_TYPE (CAPITAL_URI ? AnyUri) () elements {
        goes [xades::CERT_DIGEST = xades::DIGEST_ALG_AND_VALUE] 1;
        goes [xades::ISSUER_SERIAL = ds::X509_ISSUER_SERIAL] 2;
        ends;
    }
    CERT_ID_LIST "CertIDListType" from xs::ANY_TYPE () (xades::SIGNING_CERTIFICATE) elements {
        goes [xades::CERT = xades::CERT_ID] 1;
        ends [xades::CERT = xades::CERT_ID] 1;
    }
    CLAIMED_ROLES_LIST "ClaimedRolesListType" from xs::ANY_TYPE () () elements {
        goes [xades::CLAIMED_ROLE = xades::ANY] 1;
        ends [xades::CLAIMED_ROLE = xades::ANY] 1;
    }
    COMMITMENT_TYPE_INDICATION "CommitmentTypeIndicationType" from xs::ANY_TYPE ()
        (xades::COMMITMENT_TYPE_INDICATION) elements {
        goes [xades::COMMITMENT_TYPE_ID = xades::OBJECT_IDENTIFIER] 1;
        goes [xades::OBJECT_REFERENCE = xs::ANY_URI] 2
        [xades::ALL_SIGNED_DATA_OBJECTS = xs::ANY_TYPE] 3;
        ends [xades::OBJECT_REFERENCE = xs::ANY_URI] 2
        [xades::COMMITMENT_TYPE_QUALIFIERS = xades::COMMITMENT_TYPE_QUALIFIERS_LIST] 4;
        ends [xades::COMMITMENT_TYPE_QUALIFIERS = xades::COMMITMENT_TYPE_QUALIFIERS_LIST] 4;
        ends;
    }
    COMMITMENT_TYPE_QUALIFIERS_LIST "CommitmentTypeQualifiersListType" from xs::ANY_TYPE () ()
        elements {
        ends [xades::COMMITMENT_TYPE_QUALIFIER = xades::ANY] 0;
    }
    COMPLETE_CERTIFICATE_REFS "CompleteCertificateRefsType" from xs::ANY_TYPE (ID ? Id)
        (xades::COMPLETE_CERTIFICATE_REFS xades::ATTRIBUTE_CERTIFICATE_REFS) elements {
        goes [xades::CERT_REFS = xades::CERT_ID_LIST] 1;
        ends;
    }
    COMPLETE_REVOCATION_REFS "CompleteRevocationRefsType" from xs::ANY_TYPE (ID ? Id)
        (xades::COMPLETE_REVOCATION_REFS xades::ATTRIBUTE_REVOCATION_REFS) elements {
        ends [xades::CRL_REFS = xades::CRL_REFS] 1 [xades::OCSP_REFS = xades::OCSP_REFS] 2
        [xades::OTHER_REFS = xades::OTHER_CERT_STATUS_REFS] 3;
        ends [xades::OCSP_REFS = xades::OCSP_REFS] 2
        [xades::OTHER_REFS = xades::OTHER_CERT_STATUS_REFS] 3;
        ends [xades::OTHER_REFS = xades::OTHER_CERT_STATUS_REFS] 3;
        ends;
    }
    COUNTER_SIGNATURE "CounterSignatureType" from xs::ANY_TYPE () (xades::COUNTER_SIGNATURE)
        elements {
        goes [ds::SIGNATURE] 1;
        ends;
    }
    CRL_IDENTIFIER "CRLIdentifierType" from xs::ANY_TYPE (CAPITAL_URI ? AnyUri) () elements {
        goes [xades::ISSUER = xs::STRING] 1;
        goes [xades::ISSUE_TIME = xs::DATE_TIME] 2;
        ends [xades::NUMBER = xs::INTEGER] 3;
        ends;
    }
    CRL_REF "CRLRefType" from xs::ANY_TYPE () () elements {
        goes [xades::DIGEST_ALG_AND_VALUE = xades::DIGEST_ALG_AND_VALUE] 1;
        ends [xades::CRL_IDENTIFIER = xades::CRL_IDENTIFIER] 2;
        ends;
    }
    CRL_REFS "CRLRefsType" from xs::ANY_TYPE () () elements {
        goes [xades::CRL_REF = xades::CRL_REF] 1;
        ends [xades::CRL_REF = xades::CRL_REF] 1;
    }
    CRL_VALUES "CRLValuesType" from xs::ANY_TYPE () () elements {
        goes [xades::ENCAPSULATED_CRL_VALUE = xades::ENCAPSULATED_PKI_DATA] 1;
        ends [xades::ENCAPSULATED_CRL_VALUE = xades::ENCAPSULATED_PKI_DATA] 1;
    }
    DATA_OBJECT_FORMAT "DataObjectFormatType" from xs::ANY_TYPE (OBJECT_REFERENCE ! AnyUri)
        (xades::DATA_OBJECT_FORMAT) elements {
        ends [xades::DESCRIPTION = xs::STRING] 1
        [xades::OBJECT_IDENTIFIER = xades::OBJECT_IDENTIFIER] 2 [xades::MIME_TYPE = xs::STRING] 3
        [xades::ENCODING = xs::ANY_URI] 4;
        ends [xades::OBJECT_IDENTIFIER = xades::OBJECT_IDENTIFIER] 2
        [xades::MIME_TYPE = xs::STRING] 3 [xades::ENCODING = xs::ANY_URI] 4;
        ends [xades::MIME_TYPE = xs::STRING] 3 [xades::ENCODING = xs::ANY_URI] 4;
        ends [xades::ENCODING = xs::ANY_URI] 4;
        ends;
    }
    DIGEST_ALG_AND_VALUE "DigestAlgAndValueType" from xs::ANY_TYPE () () elements {
        goes [ds::DIGEST_METHOD] 1;
        goes [ds::DIGEST_VALUE] 2;
        ends;
    }
    DOCUMENTATION_REFERENCES "DocumentationReferencesType" from xs::ANY_TYPE () () elements {
        goes [xades::DOCUMENTATION_REFERENCE = xs::ANY_URI] 1;
        ends [xades::DOCUMENTATION_REFERENCE = xs::ANY_URI] 1;
    }
    GENERIC_TIME_STAMP "GenericTimeStampType" from xs::ANY_TYPE (ID ? Id) () abstract {}
    INCLUDE "IncludeType" from xs::ANY_TYPE (CAPITAL_URI ! AnyUri, REFERENCED_DATA ? Boolean)
        (xades::INCLUDE) empty {}
    INTEGER_LIST "IntegerListType" from xs::ANY_TYPE () () elements {
        ends [xades::INT = xs::INTEGER] 0;
    }
    NOTICE_REFERENCE "NoticeReferenceType" from xs::ANY_TYPE () () elements {
        goes [xades::ORGANIZATION = xs::STRING] 1;
        goes [xades::NOTICE_NUMBERS = xades::INTEGER_LIST] 2;
        ends;
    }
    OBJECT_IDENTIFIER "ObjectIdentifierType" from xs::ANY_TYPE () (xades::OBJECT_IDENTIFIER)
        elements {
        goes [xades::IDENTIFIER = xades::IDENTIFIER] 1;
        ends [xades::DESCRIPTION = xs::STRING] 2
        [xades::DOCUMENTATION_REFERENCES = xades::DOCUMENTATION_REFERENCES] 3;
        ends [xades::DOCUMENTATION_REFERENCES = xades::DOCUMENTATION_REFERENCES] 3;
        ends;
    }
    OCSP_IDENTIFIER "OCSPIdentifierType" from xs::ANY_TYPE (CAPITAL_URI ? AnyUri) () elements {
        goes [xades::RESPONDER_ID = xades::RESPONDER_ID] 1;
        goes [xades::PRODUCED_AT = xs::DATE_TIME] 2;
        ends;
    }
    OCSP_REF "OCSPRefType" from xs::ANY_TYPE () () elements {
        goes [xades::OCSP_IDENTIFIER = xades::OCSP_IDENTIFIER] 1;
        ends [xades::DIGEST_ALG_AND_VALUE = xades::DIGEST_ALG_AND_VALUE] 2;
        ends;
    }
    OCSP_REFS "OCSPRefsType" from xs::ANY_TYPE () () elements {
        goes [xades::OCSP_REF = xades::OCSP_REF] 1;
        ends [xades::OCSP_REF = xades::OCSP_REF] 1;
    }
    OCSP_VALUES "OCSPValuesType" from xs::ANY_TYPE () () elements {
        goes [xades::ENCAPSULATED_OCSP_VALUE = xades::ENCAPSULATED_PKI_DATA] 1;
        ends [xades::ENCAPSULATED_OCSP_VALUE = xades::ENCAPSULATED_PKI_DATA] 1;
    }
    OTHER_CERT_STATUS_REFS "OtherCertStatusRefsType" from xs::ANY_TYPE () () elements {
        goes [xades::OTHER_REF = xades::ANY] 1;
        ends [xades::OTHER_REF = xades::ANY] 1;
    }
    OTHER_CERT_STATUS_VALUES "OtherCertStatusValuesType" from xs::ANY_TYPE () () elements {
        goes [xades::OTHER_VALUE = xades::ANY] 1;
        ends [xades::OTHER_VALUE = xades::ANY] 1;
    }
    OTHER_TIME_STAMP "OtherTimeStampType" from xades::GENERIC_TIME_STAMP (ID ? Id)
        (xades::OTHER_TIME_STAMP) elements {
        goes [xades::REFERENCE_INFO] 1;
        goes [xades::REFERENCE_INFO] 1 [ds::CANONICALIZATION_METHOD] 2
        [xades::ENCAPSULATED_TIME_STAMP = xades::ENCAPSULATED_PKI_DATA] 3
        [xades::XML_TIME_STAMP = xades::ANY] 3;
        goes [xades::ENCAPSULATED_TIME_STAMP = xades::ENCAPSULATED_PKI_DATA] 3
        [xades::XML_TIME_STAMP = xades::ANY] 3;
        ends;
    }
    QUALIFYING_PROPERTIES "QualifyingPropertiesType" from xs::ANY_TYPE (TARGET ! AnyUri, ID ? Id)
        (xades::QUALIFYING_PROPERTIES) elements {
        ends [xades::SIGNED_PROPERTIES = xades::SIGNED_PROPERTIES] 1
        [xades::UNSIGNED_PROPERTIES = xades::UNSIGNED_PROPERTIES] 2;
        ends [xades::UNSIGNED_PROPERTIES = xades::UNSIGNED_PROPERTIES] 2;
        ends;
    }
    QUALIFYING_PROPERTIES_REFERENCE "QualifyingPropertiesReferenceType" from xs::ANY_TYPE
        (CAPITAL_URI ! AnyUri, ID ? Id) (xades::QUALIFYING_PROPERTIES_REFERENCE) empty {}
    REFERENCE_INFO "ReferenceInfoType" from xs::ANY_TYPE (ID ? Id, CAPITAL_URI ? AnyUri)
        (xades::REFERENCE_INFO) elements {
        goes [ds::DIGEST_METHOD] 1;
        goes [ds::DIGEST_VALUE] 2;
        ends;
    }
    RESPONDER_ID "ResponderIDType" from xs::ANY_TYPE () () elements {
        goes [xades::BY_NAME = xs::STRING] 1 [xades::BY_KEY = xs::BASE64_BINARY] 1;
        ends;
    }
    REVOCATION_VALUES "RevocationValuesType" from xs::ANY_TYPE (ID ? Id) (xades::REVOCATION_VALUES
        xades::ATTRIBUTE_REVOCATION_VALUES) elements {
        ends [xades::CRL_VALUES = xades::CRL_VALUES] 1 [xades::OCSP_VALUES = xades::OCSP_VALUES] 2
        [xades::OTHER_VALUES = xades::OTHER_CERT_STATUS_VALUES] 3;
        ends [xades::OCSP_VALUES = xades::OCSP_VALUES] 2
        [xades::OTHER_VALUES = xades::OTHER_CERT_STATUS_VALUES] 3;
        ends [xades::OTHER_VALUES = xades::OTHER_CERT_STATUS_VALUES] 3;
        ends;
    }
    SIGNATURE_POLICY_ID "SignaturePolicyIdType" from xs::ANY_TYPE () () elements {
        goes [xades::SIG_POLICY_ID = xades::OBJECT_IDENTIFIER] 1;
        goes [ds::TRANSFORMS] 2 [xades::SIG_POLICY_HASH = xades::DIGEST_ALG_AND_VALUE] 3;
        goes [xades::SIG_POLICY_HASH = xades::DIGEST_ALG_AND_VALUE] 3;
        ends [xades::SIG_POLICY_QUALIFIERS = xades::SIG_POLICY_QUALIFIERS_LIST] 4;
        ends;
    }
    SIGNATURE_POLICY_IDENTIFIER "SignaturePolicyIdentifierType" from xs::ANY_TYPE ()
        (xades::SIGNATURE_POLICY_IDENTIFIER) elements {
        goes [xades::SIGNATURE_POLICY_ID = xades::SIGNATURE_POLICY_ID] 1
        [xades::SIGNATURE_POLICY_IMPLIED = xs::ANY_TYPE] 1;
        ends;
    }
    SIGNATURE_PRODUCTION_PLACE "SignatureProductionPlaceType" from xs::ANY_TYPE ()
        (xades::SIGNATURE_PRODUCTION_PLACE) elements {
        ends [xades::CITY = xs::STRING] 1 [xades::STATE_OR_PROVINCE = xs::STRING] 2
        [xades::POSTAL_CODE = xs::STRING] 3 [xades::COUNTRY_NAME = xs::STRING] 4;
        ends [xades::STATE_OR_PROVINCE = xs::STRING] 2 [xades::POSTAL_CODE = xs::STRING] 3
        [xades::COUNTRY_NAME = xs::STRING] 4;
        ends [xades::POSTAL_CODE = xs::STRING] 3 [xades::COUNTRY_NAME = xs::STRING] 4;
        ends [xades::COUNTRY_NAME = xs::STRING] 4;
        ends;
    }
    SIGNED_DATA_OBJECT_PROPERTIES "SignedDataObjectPropertiesType" from xs::ANY_TYPE (ID ? Id)
        (xades::SIGNED_DATA_OBJECT_PROPERTIES) elements {
        ends [xades::DATA_OBJECT_FORMAT = xades::DATA_OBJECT_FORMAT] 0
        [xades::COMMITMENT_TYPE_INDICATION = xades::COMMITMENT_TYPE_INDICATION] 1
        [xades::ALL_DATA_OBJECTS_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 2
        [xades::INDIVIDUAL_DATA_OBJECTS_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 3;
        ends [xades::COMMITMENT_TYPE_INDICATION = xades::COMMITMENT_TYPE_INDICATION] 1
        [xades::ALL_DATA_OBJECTS_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 2
        [xades::INDIVIDUAL_DATA_OBJECTS_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 3;
        ends [xades::ALL_DATA_OBJECTS_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 2
        [xades::INDIVIDUAL_DATA_OBJECTS_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 3;
        ends [xades::INDIVIDUAL_DATA_OBJECTS_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 3;
    }
    SIGNED_PROPERTIES "SignedPropertiesType" from xs::ANY_TYPE (ID ? Id) (xades::SIGNED_PROPERTIES)
        elements {
        ends [xades::SIGNED_SIGNATURE_PROPERTIES = xades::SIGNED_SIGNATURE_PROPERTIES] 1
        [xades::SIGNED_DATA_OBJECT_PROPERTIES = xades::SIGNED_DATA_OBJECT_PROPERTIES] 2;
        ends [xades::SIGNED_DATA_OBJECT_PROPERTIES = xades::SIGNED_DATA_OBJECT_PROPERTIES] 2;
        ends;
    }
    SIGNED_SIGNATURE_PROPERTIES "SignedSignaturePropertiesType" from xs::ANY_TYPE (ID ? Id)
        (xades::SIGNED_SIGNATURE_PROPERTIES) elements {
        ends [xades::SIGNING_TIME = xs::DATE_TIME] 1
        [xades::SIGNING_CERTIFICATE = xades::CERT_ID_LIST] 2
        [xades::SIGNATURE_POLICY_IDENTIFIER = xades::SIGNATURE_POLICY_IDENTIFIER] 3
        [xades::SIGNATURE_PRODUCTION_PLACE = xades::SIGNATURE_PRODUCTION_PLACE] 4
        [xades::SIGNER_ROLE = xades::SIGNER_ROLE] 5;
        ends [xades::SIGNING_CERTIFICATE = xades::CERT_ID_LIST] 2
        [xades::SIGNATURE_POLICY_IDENTIFIER = xades::SIGNATURE_POLICY_IDENTIFIER] 3
        [xades::SIGNATURE_PRODUCTION_PLACE = xades::SIGNATURE_PRODUCTION_PLACE] 4
        [xades::SIGNER_ROLE = xades::SIGNER_ROLE] 5;
        ends [xades::SIGNATURE_POLICY_IDENTIFIER = xades::SIGNATURE_POLICY_IDENTIFIER] 3
        [xades::SIGNATURE_PRODUCTION_PLACE = xades::SIGNATURE_PRODUCTION_PLACE] 4
        [xades::SIGNER_ROLE = xades::SIGNER_ROLE] 5;
        ends [xades::SIGNATURE_PRODUCTION_PLACE = xades::SIGNATURE_PRODUCTION_PLACE] 4
        [xades::SIGNER_ROLE = xades::SIGNER_ROLE] 5;
        ends [xades::SIGNER_ROLE = xades::SIGNER_ROLE] 5;
        ends;
    }
    SIGNER_ROLE "SignerRoleType" from xs::ANY_TYPE () (xades::SIGNER_ROLE) elements {
        ends [xades::CLAIMED_ROLES = xades::CLAIMED_ROLES_LIST] 1
        [xades::CERTIFIED_ROLES = xades::CERTIFIED_ROLES_LIST] 2;
        ends [xades::CERTIFIED_ROLES = xades::CERTIFIED_ROLES_LIST] 2;
        ends;
    }
    SIG_POLICY_QUALIFIERS_LIST "SigPolicyQualifiersListType" from xs::ANY_TYPE () () elements {
        goes [xades::SIG_POLICY_QUALIFIER = xades::ANY] 1;
        ends [xades::SIG_POLICY_QUALIFIER = xades::ANY] 1;
    }
    SP_USER_NOTICE "SPUserNoticeType" from xs::ANY_TYPE () (xades::SP_USER_NOTICE) elements {
        ends [xades::NOTICE_REF = xades::NOTICE_REFERENCE] 1 [xades::EXPLICIT_TEXT = xs::STRING] 2;
        ends [xades::EXPLICIT_TEXT = xs::STRING] 2;
        ends;
    }
    UNSIGNED_DATA_OBJECT_PROPERTIES "UnsignedDataObjectPropertiesType" from xs::ANY_TYPE (ID ? Id)
        (xades::UNSIGNED_DATA_OBJECT_PROPERTIES) elements {
        goes [xades::UNSIGNED_DATA_OBJECT_PROPERTY = xades::ANY] 1;
        ends [xades::UNSIGNED_DATA_OBJECT_PROPERTY = xades::ANY] 1;
    }
    UNSIGNED_PROPERTIES "UnsignedPropertiesType" from xs::ANY_TYPE (ID ? Id)
        (xades::UNSIGNED_PROPERTIES) elements {
        ends [xades::UNSIGNED_SIGNATURE_PROPERTIES = xades::UNSIGNED_SIGNATURE_PROPERTIES] 1
        [xades::UNSIGNED_DATA_OBJECT_PROPERTIES = xades::UNSIGNED_DATA_OBJECT_PROPERTIES] 2;
        ends [xades::UNSIGNED_DATA_OBJECT_PROPERTIES = xades::UNSIGNED_DATA_OBJECT_PROPERTIES] 2;
        ends;
    }
    UNSIGNED_SIGNATURE_PROPERTIES "UnsignedSignaturePropertiesType" from xs::ANY_TYPE (ID ? Id)
        (xades::UNSIGNED_SIGNATURE_PROPERTIES) elements {
        goes [xades::COUNTER_SIGNATURE = xades::COUNTER_SIGNATURE] 1
        [xades::SIGNATURE_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 1
        [xades::COMPLETE_CERTIFICATE_REFS = xades::COMPLETE_CERTIFICATE_REFS] 1
        [xades::COMPLETE_REVOCATION_REFS = xades::COMPLETE_REVOCATION_REFS] 1
        [xades::ATTRIBUTE_CERTIFICATE_REFS = xades::COMPLETE_CERTIFICATE_REFS] 1
        [xades::ATTRIBUTE_REVOCATION_REFS = xades::COMPLETE_REVOCATION_REFS] 1
        [xades::SIG_AND_REFS_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 1
        [xades::REFS_ONLY_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 1
        [xades::CERTIFICATE_VALUES = xades::CERTIFICATE_VALUES] 1
        [xades::REVOCATION_VALUES = xades::REVOCATION_VALUES] 1
        [xades::ATTR_AUTHORITIES_CERT_VALUES = xades::CERTIFICATE_VALUES] 1
        [xades::ATTRIBUTE_REVOCATION_VALUES = xades::REVOCATION_VALUES] 1
        [xades::ARCHIVE_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 1 [other Strict] 1;
        ends [xades::COUNTER_SIGNATURE = xades::COUNTER_SIGNATURE] 1
        [xades::SIGNATURE_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 1
        [xades::COMPLETE_CERTIFICATE_REFS = xades::COMPLETE_CERTIFICATE_REFS] 1
        [xades::COMPLETE_REVOCATION_REFS = xades::COMPLETE_REVOCATION_REFS] 1
        [xades::ATTRIBUTE_CERTIFICATE_REFS = xades::COMPLETE_CERTIFICATE_REFS] 1
        [xades::ATTRIBUTE_REVOCATION_REFS = xades::COMPLETE_REVOCATION_REFS] 1
        [xades::SIG_AND_REFS_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 1
        [xades::REFS_ONLY_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 1
        [xades::CERTIFICATE_VALUES = xades::CERTIFICATE_VALUES] 1
        [xades::REVOCATION_VALUES = xades::REVOCATION_VALUES] 1
        [xades::ATTR_AUTHORITIES_CERT_VALUES = xades::CERTIFICATE_VALUES] 1
        [xades::ATTRIBUTE_REVOCATION_VALUES = xades::REVOCATION_VALUES] 1
        [xades::ARCHIVE_TIME_STAMP = xades::X_AD_ES_TIME_STAMP] 1 [other Strict] 1;
    }
    X_AD_ES_TIME_STAMP "XAdESTimeStampType" from xades::GENERIC_TIME_STAMP (ID ? Id)
        (xades::X_AD_ES_TIME_STAMP xades::ALL_DATA_OBJECTS_TIME_STAMP xades::ARCHIVE_TIME_STAMP
        xades::INDIVIDUAL_DATA_OBJECTS_TIME_STAMP xades::REFS_ONLY_TIME_STAMP
        xades::SIGNATURE_TIME_STAMP xades::SIG_AND_REFS_TIME_STAMP xades141::ARCHIVE_TIME_STAMP_V2)
        elements {
        goes [xades::INCLUDE] 0 [ds::CANONICALIZATION_METHOD] 1
        [xades::ENCAPSULATED_TIME_STAMP = xades::ENCAPSULATED_PKI_DATA] 2
        [xades::XML_TIME_STAMP = xades::ANY] 2;
        goes [xades::ENCAPSULATED_TIME_STAMP = xades::ENCAPSULATED_PKI_DATA] 2
        [xades::XML_TIME_STAMP = xades::ANY] 2;
        ends [xades::ENCAPSULATED_TIME_STAMP = xades::ENCAPSULATED_PKI_DATA] 2
        [xades::XML_TIME_STAMP = xades::ANY] 2;
    }
}

super::values! {
    space "http://uri.etsi.org/01903/v1.3.2#";
    ENCAPSULATED_PKI_DATA "EncapsulatedPKIDataType" from xs::BASE64_BINARY (ID ? Id,
        CAPITAL_ENCODING ? AnyUri) (xades::ENCAPSULATED_PKI_DATA) = Base64Binary;
    IDENTIFIER "IdentifierType" from xs::ANY_URI (QUALIFIER ? Enumeration(&["OIDAsURI",
        "OIDAsURN"])) () = AnyUri;
    QUALIFIER "QualifierType" from xs::STRING () () = Enumeration(&["OIDAsURI", "OIDAsURN"]);
}
