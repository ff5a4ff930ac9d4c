use std::collections::BTreeSet;

use super::*;
use crate::types::SeededRandom;

struct Case {
    key: PresentedKey,
    record: ApiKey,
    taxpayer: Taxpayer,
}

fn case() -> Case {
    let key = PresentedKey::generate(Mode::Sandbox, &SeededRandom::new(1));
    let record = ApiKey {
        hash: key.hash(),
        mode: Mode::Sandbox,
        organization_id: "org_1".parse().unwrap(),
        status: KeyStatus::Active,
        created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let taxpayer = Taxpayer {
        taxpayer_id: "txpay_1".parse().unwrap(),
        mode: Mode::Sandbox,
        participant_id: "0235:1001234501".parse().unwrap(),
        name: "Falcon".to_owned(),
        status: TaxpayerStatus::Active,
        profile: "{}".to_owned(),
        metadata: Default::default(),
        created_at: record.created_at,
    };
    Case { key, record, taxpayer }
}

fn grant(id: &str, scopes: &[Scope]) -> Grant {
    Grant {
        grant_id: id.parse().unwrap(),
        mode: Mode::Sandbox,
        taxpayer_id: "txpay_1".parse().unwrap(),
        organization_id: "org_1".parse().unwrap(),
        scopes: scopes.iter().copied().collect(),
        status: GrantStatus::Active,
        grant_label: None,
        external_id: None,
        created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
    }
}

/// Decides for a request with a grant header and some grants.
fn decided(
    named: Option<&str>,
    grants: Vec<Grant>,
    change: impl FnOnce(&mut Case),
    any_of: &[Scope],
) -> Result<BTreeSet<Scope>, Code> {
    let mut case = case();
    change(&mut case);
    let claim = Claim {
        key: case.key,
        taxpayer_id: "txpay_1".parse().unwrap(),
        grant_id: named.map(|id| id.parse().unwrap()),
    };
    let known = Known { key: case.record, taxpayer: Some(case.taxpayer), grants };
    decide(&claim, known, any_of).map(|caller| caller.scopes).map_err(|failure| failure.code)
}

use Scope::{InboundRead, InvoicesRead, InvoicesWrite};

#[test]
fn without_a_grant_header_the_scopes_of_all_active_grants_unite() {
    let grants = vec![grant("tgr_1", &[InvoicesRead]), grant("tgr_2", &[InvoicesWrite])];
    assert_eq!(
        decided(None, grants, |_| {}, &[InvoicesWrite]),
        Ok([InvoicesRead, InvoicesWrite].into())
    );
}

#[test]
fn with_a_grant_header_the_key_has_exactly_that_grants_scopes() {
    let grants = || vec![grant("tgr_1", &[InvoicesRead]), grant("tgr_2", &[InvoicesWrite])];
    assert_eq!(
        decided(Some("tgr_2"), grants(), |_| {}, &[InvoicesWrite]),
        Ok([InvoicesWrite].into())
    );
    assert_eq!(
        decided(Some("tgr_1"), grants(), |_| {}, &[InvoicesWrite]),
        Err(Code::InsufficientScope)
    );
    assert_eq!(
        decided(Some("tgr_3"), grants(), |_| {}, &[InvoicesWrite]),
        Err(Code::GrantRequired)
    );
}

#[test]
fn a_revoked_grant_and_one_of_another_organization_or_taxpayer_count_for_nothing() {
    let revoked = Grant { status: GrantStatus::Revoked, ..grant("tgr_1", &[InvoicesWrite]) };
    let foreign =
        Grant { organization_id: "org_2".parse().unwrap(), ..grant("tgr_1", &[InvoicesWrite]) };
    let elsewhere =
        Grant { taxpayer_id: "txpay_2".parse().unwrap(), ..grant("tgr_1", &[InvoicesWrite]) };
    for grants in [vec![], vec![revoked], vec![foreign], vec![elsewhere]] {
        assert_eq!(decided(None, grants, |_| {}, &[InvoicesWrite]), Err(Code::GrantRequired));
    }
}

#[test]
fn an_unknown_taxpayer_and_one_without_a_grant_give_the_same_refusal() {
    let refusal = |taxpayer, grants| {
        let Case { key, record, .. } = case();
        let claim = Claim { key, taxpayer_id: "txpay_1".parse().unwrap(), grant_id: None };
        let known = Known { key: record, taxpayer, grants };
        let failure = decide(&claim, known, &[InvoicesRead]).unwrap_err();
        (failure.code, failure.message)
    };
    let unknown = refusal(None, vec![]);
    assert_eq!(unknown, refusal(Some(case().taxpayer), vec![]));
    // Not even a grant on a taxpayer that is gone tells them apart.
    assert_eq!(unknown, refusal(None, vec![grant("tgr_1", &[InvoicesRead])]));
    assert_eq!(unknown.0, Code::GrantRequired);
}

#[test]
fn a_taxpayer_that_is_not_active_is_refused_to_those_who_hold_a_grant() {
    for status in [TaxpayerStatus::Onboarding, TaxpayerStatus::Inactive] {
        let change = |case: &mut Case| case.taxpayer.status = status;
        assert_eq!(
            decided(None, vec![grant("tgr_1", &Scope::ALL)], change, &[InvoicesRead]),
            Err(Code::TaxpayerInactive)
        );
        assert_eq!(decided(None, vec![], change, &[InvoicesRead]), Err(Code::GrantRequired));
    }
}

#[test]
fn a_key_that_is_revoked_or_of_another_mode_or_not_the_one_stored_is_refused() {
    let other = PresentedKey::generate(Mode::Sandbox, &SeededRandom::new(2)).hash();
    let grants = || vec![grant("tgr_1", &Scope::ALL)];
    for result in [
        decided(None, grants(), |case| case.record.status = KeyStatus::Revoked, &[InvoicesRead]),
        decided(None, grants(), |case| case.record.mode = Mode::Live, &[InvoicesRead]),
        decided(None, grants(), |case| case.record.hash = other, &[InvoicesRead]),
    ] {
        assert_eq!(result, Err(Code::Unauthorized));
    }
}

#[test]
fn any_one_of_the_wanted_scopes_is_enough() {
    let wanted = [InvoicesRead, InboundRead];
    for (scopes, enough) in [
        (&[InvoicesRead][..], true),
        (&[InboundRead], true),
        (&[InvoicesWrite], false),
        (&[Scope::TaxpayerRead], false),
    ] {
        let result = decided(None, vec![grant("tgr_1", scopes)], |_| {}, &wanted);
        assert_eq!(result.is_ok(), enough, "{scopes:?}");
    }
}

#[test]
fn a_generated_key_has_its_modes_prefix_and_43_characters_and_is_read_back() {
    let random = SeededRandom::new(3);
    for (mode, prefix) in [(Mode::Live, "pk_live_"), (Mode::Sandbox, "pk_test_")] {
        let key = PresentedKey::generate(mode, &random);
        let secret = key.reveal().strip_prefix(prefix).unwrap();
        assert_eq!(secret.len(), 43);
        let read = PresentedKey::from_authorization(&format!("api-key  {}", key.reveal())).unwrap();
        assert_eq!(read.mode(), mode);
        assert!(key.hash().matches(&read));
    }
}

#[test]
fn an_authorization_header_of_another_shape_is_no_credential() {
    let key = PresentedKey::generate(Mode::Sandbox, &SeededRandom::new(4));
    let text = key.reveal();
    let mut wrong = vec![
        String::new(),
        "Api-Key".to_owned(),
        "Api-Key ".to_owned(),
        text.to_owned(),
        format!("Bearer {text}"),
        format!("Api-Key {text}x"),
        format!("Api-Key {}", &text[..text.len() - 1]),
        format!("Api-Key {}", text.replace("pk_test_", "pk_prod_")),
        format!("Api-Key {text} {text}"),
        format!("Api-Key\t{text}"),
    ];
    wrong.push(format!("Api-Key pk_test_{}", "é".repeat(22)));
    for header in wrong {
        assert!(PresentedKey::from_authorization(&header).is_none(), "{header}");
    }
}

#[test]
fn neither_a_key_nor_its_hash_shows_when_it_is_debugged() {
    let key = PresentedKey::generate(Mode::Sandbox, &SeededRandom::new(5));
    let shown = format!("{key:?} {:?}", key.hash());
    assert!(!shown.contains(&key.reveal()[8..]));
    assert!(!shown.contains(key.hash().as_str()));
}

#[test]
fn a_missing_or_misread_header_is_named_only_to_one_who_has_a_key() {
    let Case { key, record, .. } = case();
    let text = format!("Api-Key {}", key.reveal());
    let refused = |taxpayer_id, grant_id| {
        let credentials = Credentials { authorization: Some(&text), taxpayer_id, grant_id };
        let key = presented_key(credentials).unwrap();
        let failure = claim(key, credentials, &record).unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest);
        failure.message
    };
    assert!(refused(None, None).contains(TAXPAYER_HEADER));
    assert!(refused(Some("1001234501"), None).contains("not the TIN"));
    assert!(refused(Some("txpay_1"), Some("x")).contains(GRANT_HEADER));
    let none = Credentials { authorization: None, taxpayer_id: Some("x"), grant_id: None };
    assert_eq!(presented_key(none).unwrap_err().code, Code::Unauthorized);
}
