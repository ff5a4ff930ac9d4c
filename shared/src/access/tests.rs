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
        beginning: Some(key.beginning().to_owned()),
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
        email: None,
        suspended_by: None,
        confirmed: None,
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
        application: None,
        tokens_ended_at: None,
        created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
        revoked_at: None,
        revoked_by: None,
    }
}

fn none<'a>() -> Credentials<'a> {
    Credentials::default()
}

/// The decision for a request with a grant header and some grants.
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
    // Even a grant on a deleted taxpayer gives the same error.
    assert_eq!(unknown, refusal(None, vec![grant("tgr_1", &[InvoicesRead])]));
    assert_eq!(unknown.0, Code::GrantRequired);
}

#[test]
fn a_taxpayer_that_is_not_active_is_refused_to_those_who_hold_a_grant() {
    for status in TaxpayerStatus::ALL.into_iter().filter(|status| *status != TaxpayerStatus::Active)
    {
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
        let header = format!("api-key  {}", key.reveal());
        let credentials = Credentials { authorization: Some(&header), ..none() };
        let Credential::ApiKey(read) = Credential::presented(credentials).unwrap() else {
            panic!("not read as a key")
        };
        assert_eq!(read.mode(), mode);
        assert!(key.hash().matches(&read));
    }
}

#[test]
fn the_beginning_of_a_key_is_its_prefix_and_five_characters() {
    for (mode, prefix) in [(Mode::Live, "pk_live_"), (Mode::Sandbox, "pk_test_")] {
        let key = PresentedKey::generate(mode, &SeededRandom::new(7));
        let shown = key.beginning().strip_prefix(prefix).unwrap();
        assert_eq!(shown.len(), 5);
        assert!(key.reveal().starts_with(key.beginning()));
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
        let credentials = Credentials { authorization: Some(&header), ..none() };
        assert!(Credential::presented(credentials).is_err(), "{header}");
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
    let caller = Principal::by_api_key(&key, &record).unwrap().organization().unwrap();
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
    for (header, code) in [
        ("Basic dXNlcjpwYXNz", Code::Unauthorized),
        ("Digest username=x", Code::Unauthorized),
        ("Bearer mF_9.B5f-4.1JqM", Code::InvalidToken),
        (&format!("Bearer {}", key.reveal()), Code::InvalidToken),
    ] {
        let credentials = Credentials { authorization: Some(header), ..none() };
        assert_eq!(Credential::presented(credentials).unwrap_err().code, code, "{header}");
    }
}

/// An access token and its family, and the active grants.
fn by_token(
    change: impl FnOnce(&mut oauth::AccessToken, &mut oauth::TokenFamily),
    credentials: Credentials<'_>,
    grants: Vec<Grant>,
    any_of: &[Scope],
) -> Result<Caller, Code> {
    let presented = PresentedAccessToken::generate(Mode::Sandbox, &SeededRandom::new(8));
    let now: jiff::Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    let mut family = oauth::TokenFamily {
        family_id: "fam_1".parse().unwrap(),
        mode: Mode::Sandbox,
        client_id: "client_1".parse().unwrap(),
        organization_id: "org_1".parse().unwrap(),
        taxpayer_id: "txpay_1".parse().unwrap(),
        grant_id: "tgr_1".parse().unwrap(),
        scopes: [InvoicesRead, InvoicesWrite].into(),
        status: FamilyStatus::Active,
        revoked_for: None,
        generation: 0,
        rotated_at: now,
        created_at: now,
        expires_at: now,
    };
    let mut token = oauth::AccessToken {
        hash: presented.hash(),
        mode: Mode::Sandbox,
        family_id: family.family_id.clone(),
        client_id: family.client_id.clone(),
        organization_id: family.organization_id.clone(),
        taxpayer_id: family.taxpayer_id.clone(),
        scopes: family.scopes.clone(),
        expires_at: "2026-01-01T00:00:01Z".parse().unwrap(),
    };
    change(&mut token, &mut family);
    let known = Known { taxpayer: Some(case().taxpayer), grants };
    Principal::by_access_token(&presented, token, family, now)
        .and_then(|principal| principal.claim(credentials))
        .and_then(|claim| decide(claim, known, any_of))
        .map_err(|failure| failure.code)
}

/// "Acts for the one taxpayer named by the token; x-ae-taxpayer-id is then optional" (specification 5.2).
#[test]
fn a_token_acts_for_its_one_taxpayer_through_its_one_grant() {
    let grants =
        || vec![grant("tgr_1", &[InvoicesRead, InvoicesWrite]), grant("tgr_2", &[InboundRead])];
    let caller = by_token(|_, _| {}, none(), grants(), &[InvoicesRead]).unwrap();
    assert_eq!(caller.grant_ids, ["tgr_1".parse().unwrap()].into());
    assert_eq!(caller.scopes, [InvoicesRead, InvoicesWrite].into());
    assert_eq!(caller.credential.to_string(), "client_1");
    for (taxpayer_id, grant_id, expected) in [
        (Some("txpay_1"), None, Ok(())),
        (None, Some("tgr_1"), Ok(())),
        (Some("txpay_2"), None, Err(Code::GrantRequired)),
        (None, Some("tgr_2"), Err(Code::GrantRequired)),
        (Some("1001234501"), None, Err(Code::InvalidRequest)),
        (None, Some("x"), Err(Code::InvalidRequest)),
    ] {
        let credentials = Credentials { taxpayer_id, grant_id, ..none() };
        let decided = by_token(|_, _| {}, credentials, grants(), &[InvoicesRead]);
        assert_eq!(decided.map(drop), expected, "{taxpayer_id:?} {grant_id:?}");
    }
    let decided = by_token(|_, _| {}, none(), grants(), &[InboundRead]);
    assert_eq!(decided.unwrap_err(), Code::InsufficientScope, "another grant's scope");
}

#[test]
fn a_token_is_never_more_than_its_grant_and_ends_with_it() {
    let granted = || vec![grant("tgr_1", &[InvoicesRead])];
    let decide_with = |change: fn(&mut oauth::AccessToken, &mut oauth::TokenFamily), grants| {
        by_token(change, none(), grants, &[InvoicesWrite, InvoicesRead]).map(|it| it.scopes)
    };
    assert_eq!(decide_with(|_, _| {}, granted()), Ok([InvoicesRead].into()));
    assert_eq!(decide_with(|_, _| {}, vec![]), Err(Code::GrantRequired));
    let another = vec![Grant { grant_id: "tgr_2".parse().unwrap(), ..granted().remove(0) }];
    assert_eq!(decide_with(|_, _| {}, another), Err(Code::GrantRequired));
    let fewer = |token: &mut oauth::AccessToken, _: &mut oauth::TokenFamily| {
        token.scopes = [InvoicesWrite].into();
    };
    assert_eq!(decide_with(fewer, granted()), Err(Code::InsufficientScope));
    type Change = fn(&mut oauth::AccessToken, &mut oauth::TokenFamily);
    let changes: [Change; 7] = [
        |token, _| {
            token.expires_at = "2026-01-01T00:00:00Z".parse().unwrap();
        },
        |token, _| token.mode = Mode::Live,
        |token, _| token.family_id = "fam_2".parse().unwrap(),
        |token, _| token.taxpayer_id = "txpay_2".parse().unwrap(),
        |_, family| family.mode = Mode::Live,
        |_, family| family.status = FamilyStatus::Revoked,
        |_, family| family.status = FamilyStatus::Unknown,
    ];
    for wrong in changes {
        assert_eq!(decide_with(wrong, granted()), Err(Code::InvalidToken));
    }
}

/// "List the taxpayers [...] organization credentials" (specification 4.4).
#[test]
fn a_token_has_no_say_in_its_organizations_own_affairs() {
    let Case { key, record, .. } = case();
    let key = Principal::by_api_key(&key, &record).unwrap();
    assert!(key.organization().is_ok());
    let holder = Principal::TokenHolder(TokenHolder {
        organization: OrganizationCaller {
            mode: Mode::Sandbox,
            organization_id: "org_1".parse().unwrap(),
            credential: CredentialId::AccessToken("client_1".parse().unwrap()),
        },
        taxpayer_id: "txpay_1".parse().unwrap(),
        grant_id: "tgr_1".parse().unwrap(),
        scopes: Scope::ALL.into(),
    });
    assert_eq!(holder.organization().unwrap_err().code, Code::ApiKeyRequired);
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
