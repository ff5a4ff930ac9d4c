//! The rules of received messages: each with its ebMS error code and its demand.

use super::code::Code;

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident $id:literal $code:ident $demand:literal,)*) => {
        /// A rule of received messages; each is one reason for a refusal.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Rule { $(#[doc = $demand] $name,)* }

        impl Rule {
            /// Every rule, for tables.
            pub const ALL: &'static [Rule] = &[$(Rule::$name),*];

            /// The rule's id in logs and responses.
            pub fn id(self) -> &'static str {
                match self { $(Rule::$name => $id,)* }
            }

            /// The ebMS error code for a breach.
            pub fn code(self) -> Code {
                match self { $(Rule::$name => Code::$code,)* }
            }

            /// The expected value.
            pub fn demand(self) -> &'static str {
                match self { $(Rule::$name => $demand,)* }
            }
        }
    };
}

rules! {
    // RFC 2045, 2046, 2387, 2392.
    ContentType "mime-content-type" MimeInconsistency "a Content-Type of multipart/related with one boundary, or of application/soap+xml",
    Boundary "mime-boundary" MimeInconsistency "parts between boundary lines that end with CRLF, and a closing boundary",
    PartHeaders "mime-part-headers" MimeInconsistency "part headers of the form `Name: value`, ended by CRLF and an empty line, none of those that count twice",
    TransferEncoding "mime-transfer-encoding" MimeInconsistency "Content-Transfer-Encoding binary, 8bit, 7bit or base64",
    RootPart "mime-root-part" MimeInconsistency "the SOAP envelope in the first part, labelled application/soap+xml",
    PartCount "mime-part-count" ExternalPayload "one attachment with a document, at most one with a ping, none with a signal",
    AttachmentId "mime-content-id" ValueInconsistent "a Content-ID on the attachment that the href of eb:PartInfo names",
    // XML 1.0, SOAP 1.2.
    SoapSize "soap-size" InvalidHeader "a SOAP part within the limit of bytes",
    WellFormed "soap-xml" InvalidHeader "well-formed XML in UTF-8 without DOCTYPE and within the limits of depth, elements and attributes",
    ProcessingInstruction "soap-processing-instruction" InvalidHeader "a SOAP envelope without processing instructions (SOAP 1.2, 5)",
    Envelope "soap-envelope" InvalidHeader "a SOAP 1.2 Envelope of one Header and one Body",
    EmptyBody "soap-body" InvalidHeader "an empty SOAP Body: the payload travels as attachment",
    MustUnderstand "soap-must-understand" FeatureNotSupported "no other header block with mustUnderstand",
    OnlyOnce "soap-only-once" InvalidHeader "one Security, one Signature, one Messaging and one UserMessage or SignalMessage, in their places and nowhere else",
    UniqueIds "soap-unique-ids" InvalidHeader "ids that no other element has",
    // ebMS 3.0 core, AS4 profile 1.0, Peppol AS4 profile 2.0.3.
    UserMessage "ebms-user-message" InvalidHeader "an eb:UserMessage",
    MessageId "ebms-message-id" InvalidHeader "one eb:MessageId of 1 to 255 characters without white space",
    Timestamp "ebms-timestamp" InvalidHeader "one eb:Timestamp, an xs:dateTime",
    Party "ebms-party" ValueInconsistent "exactly one eb:PartyId, a seat id, in each of From and To",
    PartyType "ebms-party-type" ProcessingModeMismatch "an eb:PartyId of type urn:fdc:peppol.eu:2017:identifiers:ap",
    Agreement "ebms-agreement" ProcessingModeMismatch "eb:AgreementRef urn:fdc:peppol.eu:2017:agreements:tia:ap_provider without type",
    Service "ebms-service" InvalidHeader "one eb:Service and one eb:Action, not empty",
    Conversation "ebms-conversation" InvalidHeader "one eb:ConversationId",
    Participants "ebms-participants" ProcessingModeMismatch "one property originalSender and one finalRecipient, each a participant of type iso6523-actorid-upis",
    PartInfo "ebms-part-info" ExternalPayload "one eb:PartInfo, with an href that begins with cid:",
    PartProperties "ebms-part-properties" ValueInconsistent "the part properties MimeType, and CompressionType application/gzip",
    SignalMessage "ebms-signal-message" InvalidHeader "an eb:SignalMessage with eb:Error, or with a Receipt of NonRepudiationInformation",
    // WS-Security 1.1, SwA profile 1.1, XML Signature, XML Encryption.
    Unsigned "security-unsigned" FailedAuthentication "a wsse:Security header with a ds:Signature",
    SecurityContent "security-content" PolicyNoncompliance "in wsse:Security nothing but tokens, one EncryptedKey, one EncryptedData and one Signature",
    KeyReference "security-key-reference" PolicyNoncompliance "a direct reference to a BinarySecurityToken #X509v3 in wsse:Security",
    Token "security-token" FailedAuthentication "an X.509 certificate in DER and base64",
    Algorithm "security-algorithm" PolicyNoncompliance "the algorithms of the Peppol AS4 profile: exclusive C14N, rsa-sha256, sha256, aes128-gcm, rsa-oaep with sha256 and mgf1sha256",
    SignatureForm "security-signature-form" PolicyNoncompliance "a ds:Signature of only SignedInfo, SignatureValue and KeyInfo",
    Transforms "security-transforms" PolicyNoncompliance "one transform for each reference: exclusive C14N, or the attachment content transform",
    ReferenceTarget "security-reference-target" PolicyNoncompliance "exactly one reference to each of eb:Messaging of this header, the SOAP Body and the attachment",
    Coverage "security-coverage" PolicyNoncompliance "a signature over eb:Messaging, the SOAP Body and the attachment",
    Unencrypted "security-unencrypted" PolicyNoncompliance "an attachment that is encrypted, by one EncryptedKey and one EncryptedData",
    EncryptedForm "security-encrypted-form" PolicyNoncompliance "an EncryptedData of type Attachment-Content-Only whose CipherReference is the attachment",
    Digest "security-digest" FailedAuthentication "a digest that is that of what it refers to",
    Signature "security-signature" FailedAuthentication "a signature that the certificate verifies",
    SignerParty "security-signer-party" FailedAuthentication "a From/PartyId that is the common name of the signer's certificate",
    ReceiverParty "security-receiver-party" ValueInconsistent "a To/PartyId that is the common name of this access point's certificate",
    EncryptedForAnother "security-encrypted-for-another" FailedDecryption "encryption for a certificate of this access point, as its SMP publishes it",
    Decryption "security-decryption" FailedDecryption "a content key and a ciphertext that open with the certificate named",
    KeyUnavailable "key-unavailable" DeliveryFailure "a key that can be used just now: a fault on this side, try again",
    Decompression "payload-gzip" DecompressionFailure "one gzip member and nothing after it",
    PayloadSize "payload-size" DecompressionFailure "a payload within the limit of bytes",
    // Peppol AS4 profile 2.0.3, "SBDH": the header agrees with the envelope.
    SenderDiffers "sbdh-sender" Other "an originalSender that is the Sender of the SBDH",
    RecipientDiffers "sbdh-recipient" Other "a finalRecipient that is the Receiver of the SBDH",
    DocumentTypeDiffers "sbdh-document-type" Other "an eb:Action that is the document type of the SBDH",
    ProcessDiffers "sbdh-process" Other "an eb:Service that is the process of the SBDH",
    Sbdh "sbdh-invalid" Other "a payload that is one valid Standard Business Document",
    // Rules that the caller checks.
    UntrustedSigner "signer-untrusted" FailedAuthentication "a signer certificate of the Peppol access point CA that is valid and not revoked",
    MessageIdUsed "message-id-used" Other "an eb:MessageId that this sender gave to no other envelope before",
    InstanceIdUsed "instance-id-used" Other "an SBDH InstanceIdentifier that no other document has, nor an envelope of another access point",
    NotServiced "not-serviced" Other "a receiver, document type and process that this access point serves",
    NotDelivered "not-delivered" DeliveryFailure "a message that could be stored: a fault on this side, try again",
}
