//! Concurrent requests.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::task::JoinSet;

use super::*;
use crate::{
    document::Operation::Invoice,
    environment::Environment,
    service::grants,
    testing::{invoice, send},
};

pub(super) const AT_ONCE: usize = 32;
/// How often each race is repeated; `RACES=50` for more (tests/README.md).
pub(super) fn rounds() -> usize {
    Environment::of_process().get("RACES").map_or(6, |rounds| rounds.parse().unwrap())
}

pub(super) async fn all<T: Send + 'static>(
    work: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    let mut set = JoinSet::new();
    for one in work {
        set.spawn(one);
    }
    set.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_32_exchanges_of_one_code_one_gives_tokens() {
    let flow = Flow::new().await;
    let client = flow.authenticated().await;
    for _ in 0..rounds() {
        let code = flow.code().await;
        let exchanges = (0..AT_ONCE).map(|_| {
            let (ctx, client, code) = (flow.ctx().clone(), client.clone(), code.clone());
            async move {
                let sent =
                    Exchange { code: &code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
                exchange(&ctx, &client, sent).await
            }
        });
        let results = all(exchanges).await;
        let given: Vec<_> = results.iter().filter_map(|result| result.as_ref().ok()).collect();
        let [tokens] = given.as_slice() else { panic!("{} successes", given.len()) };
        let lost = results.iter().filter_map(|result| result.as_ref().err());
        assert!(lost.clone().all(|error| error.code == ErrorCode::InvalidGrant));
        assert_eq!(lost.count(), AT_ONCE - 1);
        // The second use of the code ended its tokens.
        assert_eq!(flow.use_token(tokens).await.unwrap_err(), Code::InvalidToken);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_32_refreshes_with_one_token_each_gives_tokens_of_one_live_family() {
    let flow = Flow::new().await;
    let client = flow.authenticated().await;
    let mut tokens = flow.tokens().await;
    for _ in 0..rounds() {
        let refreshes = (0..AT_ONCE).map(|_| {
            let (ctx, client) = (flow.ctx().clone(), client.clone());
            let token = tokens.refresh_token.reveal().to_owned();
            async move { refresh(&ctx, &client, &token, None).await.unwrap() }
        });
        let results = all(refreshes).await;
        for given in &results {
            assert!(flow.use_token(given).await.is_ok());
        }
        // The client may continue with any of the tokens.
        tokens = results.into_iter().last().unwrap();
    }
}

/// "Tokens of a revoked grant stop working immediately" (specification 5.2): a send that begins after the answer to the
/// revocation is refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stdout, reason = "a figure of tests/README.md")]
async fn no_send_that_begins_after_a_revocation_is_taken() {
    let flow = Flow::new().await;
    let (mut taken, mut refused_sends) = (0, 0);
    for round in 0..rounds() {
        let tokens = flow.tokens().await;
        let revoked = Arc::new(AtomicBool::new(false));
        let sends = (0..6).map(|number| {
            let (sending, revoked) = (flow.world.sending.clone(), revoked.clone());
            let header = format!("Bearer {}", tokens.access_token.reveal());
            async move {
                let late = revoked.load(Ordering::SeqCst);
                let credentials =
                    Credentials { authorization: Some(&header), ..Credentials::default() };
                let caller =
                    decide(&sending.ctx, &counting(), credentials, &[Scope::InvoicesWrite]).await;
                let caller = match caller {
                    Ok(caller) => caller,
                    Err(failure) => return (late, Err(failure.code)),
                };
                let body = invoice(&format!("R-{round}-{number}"), "1009876501");
                let sent = Box::pin(send(&sending, &caller, Invoice, &body, None)).await;
                (late, sent.map(drop).map_err(|failure| failure.code))
            }
        });
        let revocation = {
            let (ctx, organization_id) = (flow.ctx().clone(), flow.organization_id.clone());
            let (grant_id, revoked) = (tokens.grant_id.clone(), revoked.clone());
            async move {
                let (mode, by) = (Mode::Sandbox, By::operator());
                grants::revoke(&ctx, mode, &organization_id, &grant_id, &by).await.unwrap();
                revoked.store(true, Ordering::SeqCst);
            }
        };
        let (results, ()) = tokio::join!(all(sends), revocation);
        for (late, result) in results {
            match result {
                Ok(()) => {
                    assert!(!late, "a send that began after the revocation was taken");
                    taken += 1;
                }
                Err(code) => {
                    assert_eq!(code, Code::GrantRequired);
                    refused_sends += 1;
                }
            }
        }
        assert_eq!(flow.use_token(&tokens).await.unwrap_err(), Code::GrantRequired);
    }
    println!("{taken} sends before the revocation, {refused_sends} refused after it");
}
