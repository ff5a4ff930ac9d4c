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
        key_id: "key_1".parse().unwrap(),
        hash: key.hash(),
        mode: Mode::Sandbox,
        organization_id: "org_1".parse().unwrap(),
        label: "Test".to_owned(),
        status: KeyStatus::Active,
        created_by: Actor::Operator,
        created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
        last_used_at: None,
    };
    let taxpayer = Taxpayer {
        taxpayer_id: "txpay_1".parse().unwrap(),
        mode: Mode::Sandbox,
        participant_id: "0235:1001234501".parse().unwrap(),
        name: "Falcon".to_owned(),
        status: TaxpayerStatus::Active,
        profile: "{}".to_owned(),
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
        revoked_at: None,
        revoked_by: None,
    }
}

fn none<'a>() -> Credentials<'a> {
    Credentials::default()
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
    let known = Known { taxpayer: Some(case.taxpayer.clone()), grants };
    let credentials = Credentials { taxpayer_id: Some("txpay_1"), grant_id: named, ..none() };
    Principal::by_api_key(&case.key, &case.record)
        .and_then(|principal| principal.claim(credentials))
        .and_then(|claim| decide(claim, known, any_of))
        .map(|caller| caller.scopes)
        .map_err(|failure| failure.code)
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
        let credentials = Credentials { taxpayer_id: Some("txpay_1"), ..none() };
        let claim = Principal::by_api_key(&key, &record).unwrap().claim(credentials).unwrap();
        let failure = decide(claim, Known { taxpayer, grants }, &[InvoicesRead]).unwrap_err();
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
    let refused = |taxpayer_id, grant_id| {
        let credentials = Credentials { taxpayer_id, grant_id, ..none() };
        let principal = Principal::by_api_key(&key, &record).unwrap();
        let failure = principal.claim(credentials).unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest);
        failure.message
    };
    assert!(refused(None, None).contains(TAXPAYER_HEADER));
    assert!(refused(Some("1001234501"), None).contains("not the TIN"));
    assert!(refused(Some("txpay_1"), Some("x")).contains(GRANT_HEADER));
    let stranger = Credentials { taxpayer_id: Some("x"), ..none() };
    assert_eq!(Credential::presented(stranger).unwrap_err().code, Code::Unauthorized);
}

#[test]
fn an_organization_needs_no_taxpayer_for_its_own_affairs_and_is_named_by_its_keys_identifier() {
    let Case { key, record, .. } = case();
    let caller = Principal::by_api_key(&key, &record).unwrap().organization();
    assert_eq!(caller.organization_id, record.organization_id);
    assert_eq!(caller.credential.to_string(), "key_1");
}

#[test]
fn a_caller_knows_the_grants_through_which_it_acts() {
    let Case { key, record, taxpayer } = case();
    let through = |named: Option<&str>| {
        let credentials = Credentials { taxpayer_id: Some("txpay_1"), grant_id: named, ..none() };
        let claim = Principal::by_api_key(&key, &record).unwrap().claim(credentials).unwrap();
        let revoked = Grant { status: GrantStatus::Revoked, ..grant("tgr_3", &[InvoicesRead]) };
        let grants =
            vec![grant("tgr_1", &[InvoicesRead]), grant("tgr_2", &[InvoicesRead]), revoked];
        let known = Known { taxpayer: Some(taxpayer.clone()), grants };
        let caller = decide(claim, known, &[InvoicesRead]).unwrap();
        caller.grant_ids.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(through(None), ["tgr_1", "tgr_2"]);
    assert_eq!(through(Some("tgr_2")), ["tgr_2"]);
}

#[test]
fn schemes_that_are_not_known_are_refused_like_a_key_that_nobody_holds() {
    let key = PresentedKey::generate(Mode::Sandbox, &SeededRandom::new(6));
    for header in
        ["Bearer mF_9.B5f-4.1JqM", "Basic dXNlcjpwYXNz", &format!("Bearer {}", key.reveal())]
    {
        let credentials = Credentials { authorization: Some(header), ..none() };
        let failure = Credential::presented(credentials).unwrap_err();
        assert_eq!(failure.code, Code::Unauthorized);
        assert_eq!(failure.message, unauthorized().message);
    }
}

#[test]
fn who_made_a_record_is_read_back_whatever_kind_it_is() {
    for (text, actor) in [
        ("operator", Actor::Operator),
        ("key_1", Actor::ApiKey("key_1".parse().unwrap())),
        ("client_1", Actor::Client("client_1".parse().unwrap())),
        ("txpay_1", Actor::Taxpayer("txpay_1".parse().unwrap())),
        ("usr_1", Actor::Unknown("usr_1".to_owned())),
    ] {
        assert_eq!(Actor::from(text.to_owned()), actor);
        assert_eq!(String::from(actor), text);
    }
}

#[test]
fn what_a_newer_version_wrote_allows_nothing_here() {
    let with = |change: fn(&mut Case)| {
        decided(None, vec![grant("tgr_1", &Scope::ALL)], change, &Scope::ALL)
    };
    assert_eq!(with(|case| case.record.status = KeyStatus::Unknown), Err(Code::Unauthorized));
    assert_eq!(
        with(|case| case.taxpayer.status = TaxpayerStatus::Unknown),
        Err(Code::TaxpayerInactive)
    );
    let unknown = Grant { status: GrantStatus::Unknown, ..grant("tgr_1", &Scope::ALL) };
    assert_eq!(decided(None, vec![unknown], |_| {}, &Scope::ALL), Err(Code::GrantRequired));
    let strange = vec![grant("tgr_1", &[Scope::Unknown])];
    assert_eq!(decided(None, strange, |_| {}, &Scope::ALL), Err(Code::InsufficientScope));
}
