//! XML signatures.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::models! {
    space "http://www.w3.org/2000/09/xmldsig#";
    CANONICALIZATION_METHOD "CanonicalizationMethodType" from xs::ANY_TYPE (ALGORITHM ! AnyUri)
        (ds::CANONICALIZATION_METHOD) mixed {
        ends [any Strict] 0;
    }
    DIGEST_METHOD "DigestMethodType" from xs::ANY_TYPE (ALGORITHM ! AnyUri) (ds::DIGEST_METHOD)
        mixed {
        ends [other Lax] 0;
    }
    DSA_KEY_VALUE "DSAKeyValueType" from xs::ANY_TYPE () (ds::DSA_KEY_VALUE) elements {
        goes [ds::P = ds::CRYPTO_BINARY] 1 [ds::G = ds::CRYPTO_BINARY] 3
        [ds::Y = ds::CRYPTO_BINARY] 4;
        goes [ds::Q = ds::CRYPTO_BINARY] 2;
        goes [ds::G = ds::CRYPTO_BINARY] 3 [ds::Y = ds::CRYPTO_BINARY] 4;
        goes [ds::Y = ds::CRYPTO_BINARY] 4;
        ends [ds::J = ds::CRYPTO_BINARY] 5 [ds::SEED = ds::CRYPTO_BINARY] 6;
        ends [ds::SEED = ds::CRYPTO_BINARY] 6;
        goes [ds::PGEN_COUNTER = ds::CRYPTO_BINARY] 7;
        ends;
    }
    KEY_INFO "KeyInfoType" from xs::ANY_TYPE (ID ? Id) (ds::KEY_INFO) mixed {
        goes [ds::KEY_NAME] 1 [ds::KEY_VALUE] 1 [ds::RETRIEVAL_METHOD] 1 [ds::X509_DATA] 1
        [ds::PGP_DATA] 1 [ds::SPKI_DATA] 1 [ds::MGMT_DATA] 1 [other Lax] 1;
        ends [ds::KEY_NAME] 1 [ds::KEY_VALUE] 1 [ds::RETRIEVAL_METHOD] 1 [ds::X509_DATA] 1
        [ds::PGP_DATA] 1 [ds::SPKI_DATA] 1 [ds::MGMT_DATA] 1 [other Lax] 1;
    }
    KEY_VALUE "KeyValueType" from xs::ANY_TYPE () (ds::KEY_VALUE) mixed {
        goes [ds::DSA_KEY_VALUE] 1 [ds::RSA_KEY_VALUE] 1 [other Lax] 1;
        ends;
    }
    MANIFEST "ManifestType" from xs::ANY_TYPE (ID ? Id) (ds::MANIFEST) elements {
        goes [ds::REFERENCE] 1;
        ends [ds::REFERENCE] 1;
    }
    OBJECT "ObjectType" from xs::ANY_TYPE (ID ? Id, CAPITAL_MIME_TYPE ? String,
        CAPITAL_ENCODING ? AnyUri) (ds::OBJECT) mixed {
        ends [any Lax] 0;
    }
    PGP_DATA "PGPDataType" from xs::ANY_TYPE () (ds::PGP_DATA) elements {
        goes [ds::PGP_KEY_ID = xs::BASE64_BINARY] 1 [ds::PGP_KEY_PACKET = xs::BASE64_BINARY] 3;
        ends [ds::PGP_KEY_PACKET = xs::BASE64_BINARY] 2 [other Lax] 2;
        ends [other Lax] 2;
        ends [other Lax] 3;
    }
    REFERENCE "ReferenceType" from xs::ANY_TYPE (ID ? Id, CAPITAL_URI ? AnyUri,
        CAPITAL_TYPE ? AnyUri) (ds::REFERENCE) elements {
        goes [ds::TRANSFORMS] 1 [ds::DIGEST_METHOD] 2;
        goes [ds::DIGEST_METHOD] 2;
        goes [ds::DIGEST_VALUE] 3;
        ends;
    }
    RETRIEVAL_METHOD "RetrievalMethodType" from xs::ANY_TYPE (CAPITAL_URI ? AnyUri,
        CAPITAL_TYPE ? AnyUri) (ds::RETRIEVAL_METHOD) elements {
        ends [ds::TRANSFORMS] 1;
        ends;
    }
    RSA_KEY_VALUE "RSAKeyValueType" from xs::ANY_TYPE () (ds::RSA_KEY_VALUE) elements {
        goes [ds::MODULUS = ds::CRYPTO_BINARY] 1;
        goes [ds::EXPONENT = ds::CRYPTO_BINARY] 2;
        ends;
    }
    SIGNATURE "SignatureType" from xs::ANY_TYPE (ID ? Id) (ds::SIGNATURE) elements {
        goes [ds::SIGNED_INFO] 1;
        goes [ds::SIGNATURE_VALUE] 2;
        ends [ds::KEY_INFO] 3 [ds::OBJECT] 3;
        ends [ds::OBJECT] 3;
    }
    SIGNATURE_METHOD "SignatureMethodType" from xs::ANY_TYPE (ALGORITHM ! AnyUri)
        (ds::SIGNATURE_METHOD) mixed {
        ends [ds::HMAC_OUTPUT_LENGTH = ds::HMAC_OUTPUT_LENGTH] 1 [other Strict] 1;
        ends [other Strict] 1;
    }
    SIGNATURE_PROPERTIES "SignaturePropertiesType" from xs::ANY_TYPE (ID ? Id)
        (ds::SIGNATURE_PROPERTIES) elements {
        goes [ds::SIGNATURE_PROPERTY] 1;
        ends [ds::SIGNATURE_PROPERTY] 1;
    }
    SIGNATURE_PROPERTY "SignaturePropertyType" from xs::ANY_TYPE (TARGET ! AnyUri, ID ? Id)
        (ds::SIGNATURE_PROPERTY) mixed {
        goes [other Lax] 1;
        ends [other Lax] 1;
    }
    SIGNED_INFO "SignedInfoType" from xs::ANY_TYPE (ID ? Id) (ds::SIGNED_INFO) elements {
        goes [ds::CANONICALIZATION_METHOD] 1;
        goes [ds::SIGNATURE_METHOD] 2;
        goes [ds::REFERENCE] 3;
        ends [ds::REFERENCE] 3;
    }
    SPKI_DATA "SPKIDataType" from xs::ANY_TYPE () (ds::SPKI_DATA) elements {
        goes [ds::SPKI_SEXP = xs::BASE64_BINARY] 1;
        ends [other Lax] 2 [ds::SPKI_SEXP = xs::BASE64_BINARY] 1;
        ends [ds::SPKI_SEXP = xs::BASE64_BINARY] 1;
    }
    TRANSFORM "TransformType" from xs::ANY_TYPE (ALGORITHM ! AnyUri) (ds::TRANSFORM) mixed {
        ends [other Lax] 0 [ds::X_PATH = xs::STRING] 0;
    }
    TRANSFORMS "TransformsType" from xs::ANY_TYPE () (ds::TRANSFORMS) elements {
        goes [ds::TRANSFORM] 1;
        ends [ds::TRANSFORM] 1;
    }
    X509_DATA "X509DataType" from xs::ANY_TYPE () (ds::X509_DATA) elements {
        goes [ds::X509_ISSUER_SERIAL = ds::X509_ISSUER_SERIAL] 1
        [ds::X509_SKI = xs::BASE64_BINARY] 1 [ds::X509_SUBJECT_NAME = xs::STRING] 1
        [ds::X509_CERTIFICATE = xs::BASE64_BINARY] 1 [ds::X509_CRL = xs::BASE64_BINARY] 1
        [other Lax] 1;
        ends [ds::X509_ISSUER_SERIAL = ds::X509_ISSUER_SERIAL] 1
        [ds::X509_SKI = xs::BASE64_BINARY] 1 [ds::X509_SUBJECT_NAME = xs::STRING] 1
        [ds::X509_CERTIFICATE = xs::BASE64_BINARY] 1 [ds::X509_CRL = xs::BASE64_BINARY] 1
        [other Lax] 1;
    }
    X509_ISSUER_SERIAL "X509IssuerSerialType" from xs::ANY_TYPE () () elements {
        goes [ds::X509_ISSUER_NAME = xs::STRING] 1;
        goes [ds::X509_SERIAL_NUMBER = xs::INTEGER] 2;
        ends;
    }
}

super::values! {
    space "http://www.w3.org/2000/09/xmldsig#";
    CRYPTO_BINARY "CryptoBinary" from xs::BASE64_BINARY () () = Base64Binary;
    DIGEST_VALUE "DigestValueType" from xs::BASE64_BINARY () (ds::DIGEST_VALUE) = Base64Binary;
    HMAC_OUTPUT_LENGTH "HMACOutputLengthType" from xs::INTEGER () () = Integer;
    SIGNATURE_VALUE "SignatureValueType" from xs::BASE64_BINARY (ID ? Id) (ds::SIGNATURE_VALUE) =
        Base64Binary;
}
