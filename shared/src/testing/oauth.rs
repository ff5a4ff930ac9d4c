//! Gets tokens like an application: through the use cases, from the request to the exchange.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use super::{FRESHNESS, World};
use crate::{
    access::{By, Origin, PresentedClientSecret, Scope, Taxpayer, oauth::OAuthClient},
    service::oauth::{
        TokenResponse,
        authorize::{Authorized, Query, authorize},
        clients::{ClientCredentials, NewClient, authenticate, create, list, rotate_secret},
        consent::{self, Decided},
        exchange::{Exchange, exchange},
    },
    types::{Mode, OrganizationId},
};

const ISSUER: &str = "https://portal.example";
const CALLBACK: &str = "https://app.example/callback";
const VERIFIER: &str = "a-verifier-of-forty-three-characters-or-more";

impl World {
    /// An OAuth client of an organization, with a new secret.
    pub(crate) async fn client(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
    ) -> (OAuthClient, PresentedClientSecret) {
        let (ctx, by) = (&self.ctx, By::operator());
        if let Some(client) = list(ctx, mode, organization_id).await.unwrap().pop() {
            let secret = rotate_secret(ctx, mode, &client.client_id, true, &by).await.unwrap();
            return (client, secret);
        }
        let new = NewClient {
            mode,
            organization_id: organization_id.clone(),
            name: "Books".to_owned(),
            redirect_uris: vec![CALLBACK.to_owned()],
            scopes: Scope::ALL.into(),
        };
        create(ctx, new, &by).await.unwrap()
    }

    /// Tokens of an organization's client after a taxpayer's approval.
    pub(crate) async fn tokens(
        &self,
        organization_id: &OrganizationId,
        taxpayer: &Taxpayer,
        scopes: &[Scope],
    ) -> TokenResponse {
        let made = self.client(taxpayer.mode, organization_id).await;
        self.tokens_of(&made, taxpayer, scopes).await
    }

    /// Tokens of a client after a taxpayer's approval.
    pub(crate) async fn tokens_of(
        &self,
        (client, secret): &(OAuthClient, PresentedClientSecret),
        taxpayer: &Taxpayer,
        scopes: &[Scope],
    ) -> TokenResponse {
        let (ctx, mode) = (&self.ctx, taxpayer.mode);
        let scope: Vec<_> = scopes.iter().map(|scope| scope.as_str()).collect();
        let pairs = [
            ("response_type", "code"),
            ("client_id", client.client_id.as_str()),
            ("redirect_uri", CALLBACK),
            ("scope", &scope.join(" ")),
            ("code_challenge", &URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER))),
            ("code_challenge_method", "S256"),
        ];
        let query = Query::of(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let Authorized::Waits(handle) =
            authorize(ctx, ISSUER, mode, &query, "browser").await.unwrap()
        else {
            panic!("the request is refused")
        };
        let pending = consent::pending(ctx, &handle, "browser").await.unwrap().unwrap();
        let origin = Origin::default();
        let decided = consent::approve(ctx, FRESHNESS, ISSUER, &pending, taxpayer, &origin).await;
        let Decided::Back(to) = decided.unwrap() else { panic!("the approval is refused") };
        let to: url::Url = to.parse().unwrap();
        let (_, code) = to.query_pairs().find(|(name, _)| name == "code").unwrap();
        let credentials = ClientCredentials {
            client_id: client.client_id.to_string(),
            client_secret: secret.reveal().to_owned(),
        };
        let client = authenticate(ctx, &credentials).await.unwrap();
        let sent = Exchange { code: &code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
        exchange(ctx, &client, sent).await.unwrap()
    }
}
