//! The errors of ebMS 3.0 core, 6.7, and AS4 profile 1.0, 3.2.

macro_rules! codes {
    ($($name:ident $number:literal $short:literal $category:literal,)*) => {
        /// An ebMS error code that this access point sends.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $(#[doc = concat!($number, " ", $short)] $name,)* }

        impl Code {
            /// The error code, such as `EBMS:0004`.
            pub fn number(self) -> &'static str {
                match self { $(Code::$name => $number,)* }
            }

            /// The short description from the specification.
            pub fn short_description(self) -> &'static str {
                match self { $(Code::$name => $short,)* }
            }

            /// The category from the specification.
            pub fn category(self) -> &'static str {
                match self { $(Code::$name => $category,)* }
            }
        }
    };
}

codes! {
    ValueInconsistent "EBMS:0003" "ValueInconsistent" "Content",
    Other "EBMS:0004" "Other" "Content",
    MimeInconsistency "EBMS:0007" "MimeInconsistency" "Unpackaging",
    FeatureNotSupported "EBMS:0008" "FeatureNotSupported" "Unpackaging",
    InvalidHeader "EBMS:0009" "InvalidHeader" "Unpackaging",
    ProcessingModeMismatch "EBMS:0010" "ProcessingModeMismatch" "Processing",
    ExternalPayload "EBMS:0011" "ExternalPayloadError" "Content",
    FailedAuthentication "EBMS:0101" "FailedAuthentication" "Processing",
    FailedDecryption "EBMS:0102" "FailedDecryption" "Processing",
    PolicyNoncompliance "EBMS:0103" "PolicyNoncompliance" "Processing",
    DeliveryFailure "EBMS:0202" "DeliveryFailure" "Communication",
    DecompressionFailure "EBMS:0303" "DecompressionFailure" "Communication",
}
