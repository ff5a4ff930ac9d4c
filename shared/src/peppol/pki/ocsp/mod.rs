//! OCSP requests about one certificate, and the check of the responses (RFC 6960).

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use der::{
    AnyRef, Choice, Decode, Encode, Enumerated, Sequence,
    asn1::{BitStringRef, GeneralizedTime, Null, ObjectIdentifier, OctetString, OctetStringRef},
};
use jiff::Timestamp;
use webpki::KeyUsage;
use x509_cert::{AlgorithmIdentifier, serial_number::SerialNumber};

use super::{
    Certificate,
    anchors::Anchor,
    chain::verify,
    extensions::SHA256_WITH_RSA,
    revocation_status::{OcspError, Status, Unknown, check_dates, reason_name},
};

pub use super::revocation_status::MAX_ANSWER_BYTES;

/// The media type of a request (RFC 6960, appendix C.1).
pub const REQUEST_TYPE: &str = "application/ocsp-request";
/// Maximum number of responder certificates that are read from a response.
const MAX_RESPONDERS: usize = 4;

/// `id-sha1`: the CertID digest that every responder supports (RFC 5019, section 2.1.1).
const SHA1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.14.3.2.26");
/// `id-pkix-ocsp-basic`.
const BASIC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.48.1.1");
/// `id-kp-OCSPSigning`, the DER value of the identifier.
const OCSP_SIGNING: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x09];

#[derive(Sequence)]
struct OcspRequest {
    tbs: TbsRequest,
}

#[derive(Sequence)]
struct TbsRequest {
    list: Vec<Request>,
}

#[derive(Sequence)]
struct Request {
    id: CertId,
}

#[derive(Sequence, PartialEq, Eq)]
struct CertId {
    hash_algorithm: AlgorithmIdentifier,
    issuer_name_hash: OctetString,
    issuer_key_hash: OctetString,
    serial_number: SerialNumber,
}

#[derive(Enumerated, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum ResponseStatus {
    Successful = 0,
    MalformedRequest = 1,
    InternalError = 2,
    TryLater = 3,
    SigRequired = 5,
    Unauthorized = 6,
}

#[derive(Sequence)]
struct OcspResponse<'a> {
    status: ResponseStatus,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    bytes: Option<ResponseBytes<'a>>,
}

#[derive(Sequence)]
struct ResponseBytes<'a> {
    kind: ObjectIdentifier,
    response: &'a OctetStringRef,
}

#[derive(Sequence)]
struct BasicResponse<'a> {
    tbs: AnyRef<'a>,
    algorithm: AlgorithmIdentifier,
    signature: BitStringRef<'a>,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    certificates: Option<Vec<AnyRef<'a>>>,
}

#[derive(Sequence)]
struct ResponseData<'a> {
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    version: Option<u8>,
    responder: AnyRef<'a>,
    produced_at: GeneralizedTime,
    responses: Vec<SingleResponse<'a>>,
    #[asn1(context_specific = "1", tag_mode = "EXPLICIT", optional = "true")]
    extensions: Option<AnyRef<'a>>,
}

#[derive(Sequence)]
struct SingleResponse<'a> {
    id: CertId,
    status: CertStatus,
    this_update: GeneralizedTime,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    next_update: Option<GeneralizedTime>,
    #[asn1(context_specific = "1", tag_mode = "EXPLICIT", optional = "true")]
    extensions: Option<AnyRef<'a>>,
}

#[derive(Choice)]
enum CertStatus {
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT")]
    Good(Null),
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", constructed = "true")]
    Revoked(RevokedInfo),
    #[asn1(context_specific = "2", tag_mode = "IMPLICIT")]
    Unknown(Null),
}

#[derive(Sequence)]
struct RevokedInfo {
    at: GeneralizedTime,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    reason: Option<Reason>,
}

/// CRLReason (RFC 5280, section 5.3.1).
#[derive(Enumerated, Clone, Copy)]
#[repr(u8)]
enum Reason {
    Unspecified = 0,
    KeyCompromise = 1,
    CaCompromise = 2,
    AffiliationChanged = 3,
    Superseded = 4,
    CessationOfOperation = 5,
    CertificateHold = 6,
    RemoveFromCrl = 8,
    PrivilegeWithdrawn = 9,
    AaCompromise = 10,
}

/// An OCSP request, to post to one of [`Certificate::ocsp_urls`]. It has no nonce, so responders can answer from
/// their caches (RFC 5019, section 4). The dates of the response ensure freshness.
pub fn request(certificate: &Certificate, issuer: &Certificate) -> Option<Vec<u8>> {
    let id = cert_id(certificate, issuer).ok()?;
    OcspRequest { tbs: TbsRequest { list: vec![Request { id }] } }.to_der().ok()
}

fn cert_id(certificate: &Certificate, issuer: &Certificate) -> der::Result<CertId> {
    let sha1 = |bytes: &[u8]| OctetString::new(digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes).as_ref());
    Ok(CertId {
        hash_algorithm: AlgorithmIdentifier { oid: SHA1, parameters: Some(Null.into()) },
        issuer_name_hash: sha1(&certificate.tbs().issuer().to_der()?)?,
        issuer_key_hash: sha1(issuer.rsa_public_key())?,
        serial_number: certificate.tbs().serial_number().clone(),
    })
}

/// The status of a certificate in a response; `None` when the response is about other certificates.
pub(super) fn status(
    answer: &[u8],
    certificate: &Certificate,
    anchor: &Anchor,
    now: Timestamp,
) -> Result<Option<Status>, Unknown> {
    let der_error = |error: der::Error| Unknown::Ocsp(OcspError::Der(error.to_string()));
    if answer.len() > MAX_ANSWER_BYTES {
        return Err(Unknown::Ocsp(OcspError::TooLong(answer.len())));
    }
    let signed = signed_bytes(answer).map_err(Unknown::Ocsp)?;
    let basic = BasicResponse::from_der(signed).map_err(der_error)?;
    let data: ResponseData<'_> = basic.tbs.decode_as().map_err(der_error)?;
    let wanted = cert_id(certificate, &anchor.certificate).map_err(der_error)?;
    let Some(single) = data.responses.iter().find(|single| same(&single.id, &wanted)) else {
        return Ok(None);
    };
    check_signature(&basic, anchor, now).map_err(Unknown::Ocsp)?;
    read(single, now).map(Some)
}

/// Compares CertIDs. The parameters of the algorithm are ignored: they may be NULL or absent.
fn same(id: &CertId, wanted: &CertId) -> bool {
    id.hash_algorithm.oid == wanted.hash_algorithm.oid
        && id.issuer_name_hash == wanted.issuer_name_hash
        && id.issuer_key_hash == wanted.issuer_key_hash
        && id.serial_number == wanted.serial_number
}

/// The bytes of the basic response (RFC 6960, section 4.2.1).
fn signed_bytes(answer: &[u8]) -> Result<&[u8], OcspError> {
    let response =
        OcspResponse::from_der(answer).map_err(|error| OcspError::Der(error.to_string()))?;
    match response.status {
        ResponseStatus::Successful => {}
        ResponseStatus::MalformedRequest => return Err(OcspError::Refused("malformedRequest")),
        ResponseStatus::InternalError => return Err(OcspError::Refused("internalError")),
        ResponseStatus::TryLater => return Err(OcspError::Refused("tryLater")),
        ResponseStatus::SigRequired => return Err(OcspError::Refused("sigRequired")),
        ResponseStatus::Unauthorized => return Err(OcspError::Refused("unauthorized")),
    }
    let bytes = response.bytes.filter(|bytes| bytes.kind == BASIC);
    let bytes = bytes.ok_or_else(|| OcspError::Der("no basic response".to_owned()))?;
    Ok(bytes.response.as_bytes())
}

/// RFC 6960, section 4.2.2.2: the issuing authority or a responder that it delegated must have signed.
fn check_signature(
    basic: &BasicResponse<'_>,
    anchor: &Anchor,
    now: Timestamp,
) -> Result<(), OcspError> {
    if basic.algorithm.oid != SHA256_WITH_RSA {
        return Err(OcspError::Algorithm(basic.algorithm.oid.to_string()));
    }
    let tbs = basic.tbs.to_der().map_err(|error| OcspError::Der(error.to_string()))?;
    let signature = basic.signature.raw_bytes();
    let by = |signer: &Certificate| signer.verify(&tbs, signature).is_ok();
    let carried = basic.certificates.iter().flatten().take(MAX_RESPONDERS);
    let mut responders = carried.filter_map(|der| Certificate::from_der(der.to_der().ok()?).ok());
    let usage = KeyUsage::required(OCSP_SIGNING);
    let appointed = |one: &Certificate| verify(one, anchor, now, usage, None).is_ok();
    if by(&anchor.certificate) || responders.any(|one| by(&one) && appointed(&one)) {
        return Ok(());
    }
    Err(OcspError::Signature)
}

fn read(single: &SingleResponse<'_>, now: Timestamp) -> Result<Status, Unknown> {
    let status = match &single.status {
        CertStatus::Revoked(info) => {
            let reason = info.reason.map_or(0, |reason| reason as u32);
            return Ok(Status::Revoked { at: instant(info.at), reason: reason_name(reason) });
        }
        CertStatus::Good(_) => Status::Good,
        CertStatus::Unknown(_) => return Err(Unknown::Ocsp(OcspError::UnknownCertificate)),
    };
    let next_update = single.next_update.ok_or(Unknown::Ocsp(OcspError::NoNextUpdate))?;
    check_dates(instant(single.this_update), instant(next_update), now)?;
    Ok(status)
}

fn instant(time: GeneralizedTime) -> Timestamp {
    let seconds = i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
pub(crate) mod tests;
