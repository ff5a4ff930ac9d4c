use super::*;
use crate::peppol::pki::{
    Revocations, Role, TrustError,
    revocation::RevocationList,
    testing::{AP_CRL, Flaw, PKI, now},
};

#[test]
fn what_is_full_forgets_the_oldest_and_grows_no_more() {
    let memory = Remembered::new(3);
    for one in 0..10_u32 {
        memory.keep(&one);
        memory.keep(&one);
        let kept = memory.kept();
        assert!(kept.all.len() <= 3 && kept.order.len() == kept.all.len(), "{kept:?}");
    }
    assert_eq!(memory.kept().order, [7, 8, 9]);
    assert_eq!((memory.get(&9), memory.get(&6)), (Some(9), None));
}

#[test]
fn only_a_trusted_certificate_is_remembered() {
    let check = |leaf: &Certificate| {
        PKI.trust().check(leaf, Role::AccessPoint, now(), &PKI.revocations()).map(drop)
    };
    let [good, revoked, expired] = [Flaw::None, Flaw::Revoked, Flaw::Expired]
        .map(|flaw| PKI.issue(&PKI.ap, "PAE000071", flaw).certificate);
    let foreign = PKI.issue(&PKI.foreign, "PAE000071", Flaw::None).certificate;
    for stranger in [&revoked, &expired, &foreign] {
        assert!(check(stranger).is_err());
        assert!(certificate(stranger.der()).is_none(), "{stranger:?}");
    }
    assert!(certificate(good.der()).is_none());
    check(&good).unwrap();
    assert_eq!(certificate(good.der()), Some(good.clone()));
    // One changed byte makes another certificate.
    let mut other = good.der().to_vec();
    *other.last_mut().unwrap() ^= 1;
    assert!(certificate(&other).is_none());
    let other = Certificate::from_der(other).unwrap();
    assert!(matches!(check(&other), Err(TrustError::Forged { .. })));
}

#[test]
fn a_certificate_that_was_trusted_a_moment_ago_is_validated_by_the_clock_and_the_present_lists() {
    let trust = PKI.trust();
    let leaf = PKI.issue(&PKI.ap, "PAE000073", Flaw::None).certificate;
    let check = |at, revocations: &Revocations| {
        let again = Certificate::from_der(leaf.der().to_vec()).unwrap();
        trust.check(&again, Role::AccessPoint, at, revocations).map(drop)
    };
    let listing = |serials: &[u64]| {
        let list = RevocationList::from_der(&PKI.ap.list(serials)).unwrap();
        Revocations::default().with_list(AP_CRL, list)
    };
    let (good, revoking) =
        (listing(&[]), listing(&[crate::peppol::pki::testing::serial(Flaw::None)]));
    assert_eq!(check(now(), &good), Ok(()));
    assert!(matches!(check(now(), &revoking), Err(TrustError::Revoked { .. })));
    assert_eq!(check(now(), &good), Ok(()));
    let nothing = check(now(), &Revocations::default());
    assert!(matches!(nothing, Err(TrustError::RevocationUnknown { .. })));
    let outdated = "2026-07-02T00:00:00Z".parse().unwrap();
    assert!(matches!(check(outdated, &good), Err(TrustError::RevocationUnknown { .. })));
    let late = "2028-01-02T00:00:00Z".parse().unwrap();
    assert!(matches!(check(late, &good), Err(TrustError::Expired { .. })));
    let other_role = trust.check(&leaf, Role::Publisher, now(), &good);
    assert!(matches!(other_role, Err(TrustError::ForeignIssuer { .. })));
}

#[test]
fn only_a_signature_that_held_is_remembered() {
    let signatures = Signatures::default();
    let by = signatures.before(webpki::aws_lc_rs::RSA_PKCS1_2048_8192_SHA256);
    let key = PKI.ap.certificate.rsa_public_key();
    let signed = PKI.ap.local_key();
    let signature =
        crate::peppol::pki::testing::ready(crate::peppol::pki::Signer::sign(&signed, b"list"))
            .unwrap();
    let kept = || signatures.0.kept().order.len();
    for _ in 0..2 {
        assert!(by.verify_signature(key, b"lost", &signature).is_err());
        assert!(by.verify_signature(key, b"list", b"").is_err());
        assert_eq!(kept(), 0);
    }
    for _ in 0..2 {
        assert!(by.verify_signature(key, b"list", &signature).is_ok());
        assert_eq!(kept(), 1);
    }
    let other = PKI.smp.certificate.rsa_public_key();
    for (key, message) in [(key, b"lost".as_slice()), (key, b"lis"), (other, b"list")] {
        assert!(by.verify_signature(key, message, &signature).is_err());
    }
    // The same bytes, split at another position.
    let (most, last) = signature.split_at(signature.len() - 1);
    assert!(by.verify_signature(key, &[b"list", most].concat(), last).is_err());
    let longer = signatures.before(webpki::aws_lc_rs::RSA_PKCS1_2048_8192_SHA512);
    assert!(longer.verify_signature(key, b"list", &signature).is_err());
    assert_eq!(kept(), 1);
}
