use der::asn1::BitString;

use super::*;
use crate::peppol::pki::{
    LocalKey, Revocations, Role, Signer, TrustError,
    testing::{Flaw, PKI, now, ready},
};

fn time(text: &str) -> GeneralizedTime {
    let seconds = text.parse::<Timestamp>().unwrap().as_second();
    let duration = std::time::Duration::from_secs(u64::try_from(seconds).unwrap());
    GeneralizedTime::from_unix_duration(duration).unwrap()
}

fn good() -> CertStatus {
    CertStatus::Good(Null)
}

fn revoked() -> CertStatus {
    let reason = Some(Reason::CessationOfOperation);
    CertStatus::Revoked(RevokedInfo { at: time("2026-05-01T00:00:00Z"), reason })
}

/// A response about `certificate`, valid at the time of the tests.
fn answer(certificate: &Certificate, status: CertStatus, by: &LocalKey) -> Vec<u8> {
    let single = SingleResponse {
        id: cert_id(certificate, &PKI.ap.certificate).unwrap(),
        status,
        this_update: time("2026-06-15T00:00:00Z"),
        next_update: Some(time("2026-06-16T00:00:00Z")),
        extensions: None,
    };
    signed(single, by)
}

/// A response of the authority about a certificate.
#[cfg(feature = "service")]
pub(crate) fn answer_of_authority(certificate: &Certificate, is_revoked: bool) -> Vec<u8> {
    let status = if is_revoked { revoked() } else { good() };
    answer(certificate, status, &PKI.ap.local_key())
}

fn signed(single: SingleResponse<'_>, by: &LocalKey) -> Vec<u8> {
    let null = Null.to_der().unwrap();
    let data = ResponseData {
        version: None,
        responder: AnyRef::from_der(&null).unwrap(),
        produced_at: time("2026-06-15T00:00:00Z"),
        responses: vec![single],
        extensions: None,
    };
    let tbs = data.to_der().unwrap();
    let signature = BitString::from_bytes(&ready(by.sign(&tbs)).unwrap()).unwrap();
    let carried = Signer::certificate(by).der().to_vec();
    let basic = BasicResponse {
        tbs: AnyRef::from_der(&tbs).unwrap(),
        algorithm: AlgorithmIdentifier { oid: SHA256_WITH_RSA, parameters: Some(Null.into()) },
        signature: (&signature).into(),
        certificates: Some(vec![AnyRef::from_der(&carried).unwrap()]),
    };
    let basic = basic.to_der().unwrap();
    let bytes = ResponseBytes { kind: BASIC, response: OctetStringRef::new(&basic).unwrap() };
    OcspResponse { status: ResponseStatus::Successful, bytes: Some(bytes) }.to_der().unwrap()
}

fn check(certificate: &Certificate, answer: Vec<u8>) -> Result<(), TrustError> {
    let revocations = Revocations::default().with_answer(answer);
    let trust = PKI.trust();
    trust.check(certificate, Role::AccessPoint, now(), &revocations).map(|_| ())
}

#[test]
fn the_question_is_about_one_certificate() {
    let seat = PKI.seat("PAE000001").certificate;
    let question = request(&seat, &PKI.ap.certificate).unwrap();
    let read = OcspRequest::from_der(&question).unwrap();
    assert_eq!(read.tbs.list.len(), 1);
    assert_eq!(read.tbs.list[0].id.serial_number, *seat.tbs().serial_number());
}

#[test]
fn the_question_is_the_one_that_openssl_asks() {
    // openssl ocsp -issuer production-publisher -cert publisher-production -no_nonce -reqout
    let read = |der: &[u8]| Certificate::from_der(der.to_vec()).unwrap();
    let publisher = read(include_bytes!("../samples/publisher-production.der"));
    let issuer = read(include_bytes!("../anchors/production-publisher.der"));
    let expected = include_bytes!("../samples/ocsp-request.der");
    assert_eq!(request(&publisher, &issuer).unwrap(), expected);
}

#[test]
fn an_answer_of_the_authority_or_its_responder_serves_where_there_is_no_list() {
    let seat = PKI.issue(&PKI.ap, "PAE000001", Flaw::NoCrl).certificate;
    let responder = PKI.issue(&PKI.ap, "Responder", Flaw::Responder).key();
    for by in [&PKI.ap.local_key(), &responder] {
        assert_eq!(check(&seat, answer(&seat, good(), by)), Ok(()));
        let error = check(&seat, answer(&seat, revoked(), by)).unwrap_err();
        assert!(error.to_string().contains("(cessationOfOperation)"), "{error}");
    }
}

#[test]
fn an_answer_of_anybody_else_says_nothing() {
    let seat = PKI.issue(&PKI.ap, "PAE000001", Flaw::NoCrl).certificate;
    let no_responder = PKI.seat("PAE000002").key();
    let of_another = PKI.issue(&PKI.smp, "Responder", Flaw::Responder).key();
    for by in [&no_responder, &of_another, &PKI.foreign.local_key()] {
        let error = check(&seat, answer(&seat, good(), by)).unwrap_err();
        assert!(error.to_string().contains("no authorized responder signed it"), "{error}");
        assert!(error.is_retryable());
    }
}

#[test]
fn an_answer_about_another_certificate_says_nothing() {
    let seat = PKI.issue(&PKI.ap, "PAE000001", Flaw::NoCrl).certificate;
    let other = PKI.seat("PAE000002").certificate;
    let error = check(&seat, answer(&other, good(), &PKI.ap.local_key())).unwrap_err();
    assert!(error.to_string().contains("there is neither a list"), "{error}");
}

#[test]
fn an_answer_holds_between_its_dates_and_says_until_when() {
    let seat = PKI.issue(&PKI.ap, "PAE000001", Flaw::NoCrl).certificate;
    for (this, next, part) in [
        ("2026-06-14T00:00:00Z", Some("2026-06-15T12:00:00Z"), "held until"),
        ("2026-06-15T12:06:00Z", Some("2026-06-16T12:00:00Z"), "holds only from"),
        ("2026-06-15T00:00:00Z", None, "does not say until when"),
    ] {
        let single = SingleResponse {
            id: cert_id(&seat, &PKI.ap.certificate).unwrap(),
            status: good(),
            this_update: time(this),
            next_update: next.map(time),
            extensions: None,
        };
        let error = check(&seat, signed(single, &PKI.ap.local_key())).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn what_is_no_answer_is_named() {
    let seat = PKI.issue(&PKI.ap, "PAE000001", Flaw::NoCrl).certificate;
    let later = OcspResponse { status: ResponseStatus::TryLater, bytes: None };
    let unknown = answer(&seat, CertStatus::Unknown(Null), &PKI.ap.local_key());
    for (bytes, part) in [
        (later.to_der().unwrap(), "tryLater"),
        (unknown, "does not know the certificate"),
        (b"<html>".to_vec(), "it is not one"),
        (vec![0x30; MAX_ANSWER_BYTES + 1], "more than 65536"),
    ] {
        let error = check(&seat, bytes).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
}
