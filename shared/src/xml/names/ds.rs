//! Names in `http://www.w3.org/2000/09/xmldsig#`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    12, "ds" = "http://www.w3.org/2000/09/xmldsig#";
    CANONICALIZATION_METHOD "CanonicalizationMethod", DIGEST_METHOD "DigestMethod",
    DIGEST_VALUE "DigestValue", DSA_KEY_VALUE "DSAKeyValue", EXPONENT "Exponent", G "G",
    HMAC_OUTPUT_LENGTH "HMACOutputLength", J "J", KEY_INFO "KeyInfo", KEY_NAME "KeyName",
    KEY_VALUE "KeyValue", MANIFEST "Manifest", MGMT_DATA "MgmtData", MODULUS "Modulus",
    OBJECT "Object", P "P", PGEN_COUNTER "PgenCounter", PGP_DATA "PGPData", PGP_KEY_ID "PGPKeyID",
    PGP_KEY_PACKET "PGPKeyPacket", Q "Q", REFERENCE "Reference", RETRIEVAL_METHOD "RetrievalMethod",
    RSA_KEY_VALUE "RSAKeyValue", SEED "Seed", SIGNATURE "Signature",
    SIGNATURE_METHOD "SignatureMethod", SIGNATURE_PROPERTIES "SignatureProperties",
    SIGNATURE_PROPERTY "SignatureProperty", SIGNATURE_VALUE "SignatureValue",
    SIGNED_INFO "SignedInfo", SPKI_DATA "SPKIData", SPKI_SEXP "SPKISexp", TRANSFORM "Transform",
    TRANSFORMS "Transforms", X509_CERTIFICATE "X509Certificate", X509_CRL "X509CRL",
    X509_DATA "X509Data", X509_ISSUER_NAME "X509IssuerName", X509_ISSUER_SERIAL "X509IssuerSerial",
    X509_SERIAL_NUMBER "X509SerialNumber", X509_SKI "X509SKI", X509_SUBJECT_NAME "X509SubjectName",
    X_PATH "XPath", Y "Y",
}
