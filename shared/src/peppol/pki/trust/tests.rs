use super::*;
use crate::peppol::pki::{
    Network, RevocationList,
    testing::{AP_CRL, Authority, Flaw, PKI, Pki, SMP_CRL, now},
};

fn check(by: &Authority, flaw: Flaw, role: Role) -> Result<Trusted, TrustError> {
    let leaf = PKI.issue(by, "PAE000001", flaw);
    PKI.trust().check(&leaf.certificate, role, now(), &PKI.revocations())
}

#[test]
fn good_certificates_are_trusted_for_their_role() {
    let seat = check(&PKI.ap, Flaw::None, Role::AccessPoint).unwrap();
    assert_eq!((seat.common_name(), seat.role()), ("PAE000001", Role::AccessPoint));
    let publisher = check(&PKI.smp, Flaw::None, Role::Publisher).unwrap();
    assert_eq!(publisher.role(), Role::Publisher);
    // An SMP does not need key encipherment.
    assert!(check(&PKI.smp, Flaw::NoEncipherment, Role::Publisher).is_ok());
}

#[test]
fn each_flaw_is_named() {
    use Role::{AccessPoint, Publisher};
    for (by, flaw, role, part) in [
        (&PKI.ap, Flaw::Expired, AccessPoint, "expired at 2026-01-01T00:00:00Z"),
        (&PKI.ap, Flaw::NotYetValid, AccessPoint, "is not valid before 2026-09-01T00:00:00Z"),
        (&PKI.ap, Flaw::NoEncipherment, AccessPoint, "lacks the usage keyEncipherment"),
        (&PKI.ap, Flaw::ServerAuth, AccessPoint, "lacks the usage clientAuth"),
        (&PKI.smp, Flaw::None, AccessPoint, "was issued by CN=PEPPOL SERVICE METADATA PUBL"),
        (&PKI.ap, Flaw::None, Publisher, "was issued by CN=PEPPOL ACCESS POINT TEST CA - G3"),
        (&PKI.foreign, Flaw::None, AccessPoint, "whose signature it does not bear"),
        (&PKI.ap, Flaw::Revoked, AccessPoint, "revoked at 2026-05-01T00:00:00Z (keyCompromise)"),
        (&PKI.smp, Flaw::Revoked, Publisher, "revoked at 2026-05-01T00:00:00Z (keyCompromise)"),
    ] {
        let error = check(by, flaw, role).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
        assert!(!error.is_retryable(), "{error}");
    }
    let error = check(&PKI.ap, Flaw::NoCrl, AccessPoint).unwrap_err();
    assert!(error.to_string().contains("there is neither a list"), "{error}");
    assert!(error.is_retryable());
}

#[test]
fn an_access_point_is_a_seat() {
    let named = |name| {
        let leaf = PKI.issue(&PKI.ap, name, Flaw::None);
        PKI.trust().check(&leaf.certificate, Role::AccessPoint, now(), &PKI.revocations())
    };
    assert!(matches!(named("ap.example"), Err(TrustError::Seat(_))));
    assert!(matches!(named("pae000001"), Err(TrustError::Seat(_))));
}

#[test]
fn the_bounds_of_validity_belong_to_it() {
    let seat = PKI.seat("PAE000001").certificate;
    let soft = PKI.trust().with_revocation(RevocationPolicy::SoftFail);
    let at = |now| soft.check(&seat, Role::AccessPoint, now, &Revocations::default());
    let second = jiff::SignedDuration::from_secs(1);
    assert!(at(seat.not_before()).is_ok());
    assert!(at(seat.not_after()).is_ok());
    assert!(matches!(at(seat.not_before() - second), Err(TrustError::NotYetValid { .. })));
    assert!(matches!(at(seat.not_after() + second), Err(TrustError::Expired { .. })));
}

#[test]
fn two_generations_are_trusted_at_once_and_each_for_its_role() {
    use Role::{AccessPoint, Publisher};
    let [ap, smp] = Pki::next_generation();
    let authorities = [
        (AccessPoint, &PKI.ap),
        (AccessPoint, &ap),
        (Publisher, &PKI.smp),
        (Publisher, &smp),
        // The same name with another key.
        (AccessPoint, &PKI.foreign),
    ];
    let each = authorities.map(|(role, by)| (role, by.certificate.der()));
    let trust = Trust::new(Anchors::new(Network::Local, each).unwrap());
    for (role, by) in authorities {
        let url = if role == AccessPoint { AP_CRL } else { SMP_CRL };
        let list = |by: &Authority| RevocationList::from_der(&by.crl()).unwrap();
        let its_own = Revocations::default().with_list(url, list(by));
        let leaf = |flaw| PKI.issue(by, "PAE000001", flaw).certificate;
        let check = |role, flaw| trust.check(&leaf(flaw), role, now(), &its_own);
        assert!(check(role, Flaw::None).is_ok(), "{}", by.certificate.subject());
        assert!(matches!(check(role, Flaw::Revoked), Err(TrustError::Revoked { .. })));
        // Only the issuer's list has the revocation status.
        let another = if by.certificate == PKI.smp.certificate { &PKI.ap } else { &PKI.smp };
        let of_another = Revocations::default().with_list(url, list(another));
        let error = trust.check(&leaf(Flaw::None), role, now(), &of_another).unwrap_err();
        assert!(error.is_retryable(), "{error}");
        let other = if role == AccessPoint { Publisher } else { AccessPoint };
        let error = check(other, Flaw::None).unwrap_err();
        assert!(matches!(error, TrustError::ForeignIssuer { .. }), "{error}");
        assert_eq!(trust.check_issued(&leaf(Flaw::None), role, now()), Ok(&by.certificate));
    }
    // Trust in the earlier generation alone does not include the next one.
    let seat = PKI.issue(&ap, "PAE000001", Flaw::None).certificate;
    let error = PKI.trust().check_issued(&seat, AccessPoint, now()).unwrap_err();
    assert!(matches!(error, TrustError::ForeignIssuer { .. }), "{error}");
}

#[test]
fn an_authority_itself_is_no_seat() {
    let authority = &PKI.ap.certificate;
    let error = PKI.trust().check(authority, Role::AccessPoint, now(), &PKI.revocations());
    assert!(error.is_err());
}

#[test]
fn soft_fail_takes_what_is_unknown_and_never_what_is_revoked() {
    let soft = PKI.trust().with_revocation(RevocationPolicy::SoftFail);
    let check = |flaw, revocations: &Revocations| {
        let leaf = PKI.issue(&PKI.ap, "PAE000001", flaw);
        soft.check(&leaf.certificate, Role::AccessPoint, now(), revocations)
    };
    assert!(check(Flaw::None, &Revocations::default()).is_ok());
    let revoked = check(Flaw::Revoked, &PKI.revocations());
    assert!(matches!(revoked, Err(TrustError::Revoked { .. })));
    assert!(matches!(check(Flaw::Expired, &PKI.revocations()), Err(TrustError::Expired { .. })));
    let foreign = RevocationList::from_der(&PKI.foreign.crl()).unwrap();
    let foreign = Revocations::default().with_list(AP_CRL, foreign);
    assert!(check(Flaw::None, &foreign).is_ok());
}

#[test]
fn real_seats_and_publishers_are_of_their_own_network_alone() {
    let [test, production] = [Anchors::test(), Anchors::production()].map(Result::unwrap);
    let [test, production] = [test, production]
        .map(|anchors| Trust::new(anchors).with_revocation(RevocationPolicy::SoftFail));
    let read = |der: &[u8]| Certificate::from_der(der.to_vec()).unwrap();
    let seat = read(include_bytes!("../samples/access-point-test.der"));
    let publisher = read(include_bytes!("../samples/publisher-production.der"));
    let check = |trust: &Trust, certificate, role| {
        trust.check(certificate, role, now(), &Revocations::default())
    };
    assert!(check(&test, &seat, Role::AccessPoint).is_ok());
    assert!(check(&production, &publisher, Role::Publisher).is_ok());
    for (trust, certificate, role) in [
        (&production, &seat, Role::AccessPoint),
        (&test, &seat, Role::Publisher),
        (&test, &publisher, Role::Publisher),
        (&production, &publisher, Role::AccessPoint),
    ] {
        let error = check(trust, certificate, role).unwrap_err();
        assert!(matches!(error, TrustError::ForeignIssuer { .. }), "{error}");
    }
}
