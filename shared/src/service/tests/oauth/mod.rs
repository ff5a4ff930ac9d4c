//! OAuth as the norms and the specification require it. Each test quotes the sentence that it checks.

mod codes;
mod crashes;
mod deciding;
mod races;
mod refreshing;
mod requests;
mod seats;

pub(super) use crashes::tallies;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::SignedDuration;
use sha2::{Digest, Sha256};

use crate::{
    access::{
        By, Caller, Credentials, Origin, PresentedRequest, Scope, Taxpayer, oauth::OAuthClient,
    },
    error::Code,
    service::{
        Context, authorize as decide,
        oauth::{
            Authenticated, ErrorCode, OAuthError, TokenResponse,
            authorize::{Authorized, Problem, Query, authorize},
            clients::{ClientCredentials, NewClient, authenticate, create},
            consent::{self, Decided, Pending},
            exchange::{Exchange, exchange},
            refresh::refresh,
        },
    },
    testing::{FRESHNESS, World, counting},
    types::{Mode, OrganizationId},
};

const ISSUER: &str = "https://portal.example/sandbox";
const CALLBACK: &str = "https://app.example/callback?of=erp";
const VERIFIER: &str = "a-verifier-of-forty-three-characters-or-more";
const BROWSER: &str = "the hash of a browser's secret";

/// An application, and a taxpayer that is not connected to it yet.
struct Flow {
    world: World,
    organization_id: OrganizationId,
    taxpayer: Taxpayer,
    client: OAuthClient,
    secret: String,
}

impl Flow {
    async fn new() -> Self {
        Self::on(World::new().await).await
    }

    /// A flow in Live, where the organization has no subscription yet.
    async fn live() -> Self {
        Self::on(World::unconnected().await).await
    }

    async fn on(world: World) -> Self {
        let organization_id = world.organization("Integrator").await;
        let taxpayer = world.taxpayer("Falcon", "1001234501").await;
        let (client, secret) = client_of(&world.ctx, world.mode, &organization_id).await;
        Flow { world, organization_id, taxpayer, client, secret }
    }

    fn ctx(&self) -> &Context {
        &self.world.ctx
    }

    /// The query of a valid request.
    fn query(&self) -> Vec<(&'static str, String)> {
        vec![
            ("response_type", "code".to_owned()),
            ("client_id", self.client.client_id.to_string()),
            ("redirect_uri", CALLBACK.to_owned()),
            ("scope", "invoices:write invoices:read".to_owned()),
            ("state", "xyz &=".to_owned()),
            ("code_challenge", challenge(VERIFIER)),
            ("code_challenge_method", "S256".to_owned()),
            ("grant_label", "Head office".to_owned()),
        ]
    }

    async fn ask(&self, query: Vec<(&'static str, String)>) -> Authorized {
        let query = Query::of(query.into_iter().map(|(name, value)| (name.to_owned(), value)));
        authorize(self.ctx(), ISSUER, self.world.mode, &query, BROWSER).await.unwrap()
    }

    /// A request that waits for the taxpayer's decision.
    async fn waiting(&self) -> PresentedRequest {
        match self.ask(self.query()).await {
            Authorized::Waits(handle) => handle,
            other => panic!("{other:?}"),
        }
    }

    async fn pending(&self) -> Pending {
        let handle = self.waiting().await;
        consent::pending(self.ctx(), &handle, BROWSER).await.unwrap().unwrap()
    }

    async fn approve(&self, pending: &Pending) -> Decided {
        self.approve_as(&self.taxpayer, pending).await
    }

    async fn approve_as(&self, taxpayer: &Taxpayer, pending: &Pending) -> Decided {
        let (ctx, origin) = (self.ctx(), Origin::default());
        consent::approve(ctx, FRESHNESS, ISSUER, pending, taxpayer, &origin).await.unwrap()
    }

    /// The code of an approved request.
    async fn code(&self) -> String {
        let pending = self.pending().await;
        code_of(self.approve(&pending).await)
    }

    async fn authenticated(&self) -> Authenticated {
        authenticated(self.ctx(), &self.client, &self.secret).await.unwrap()
    }

    async fn exchange(&self, code: &str) -> Result<TokenResponse, OAuthError> {
        let sent = Exchange { code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
        exchange(self.ctx(), &self.authenticated().await, sent).await
    }

    async fn tokens(&self) -> TokenResponse {
        self.exchange(&self.code().await).await.unwrap()
    }

    async fn refresh(&self, tokens: &TokenResponse) -> Result<TokenResponse, OAuthError> {
        let token = tokens.refresh_token.reveal();
        refresh(self.ctx(), &self.authenticated().await, token, None).await
    }

    /// The caller that the access token authorizes.
    async fn use_token(&self, tokens: &TokenResponse) -> Result<Caller, Code> {
        let header = format!("Bearer {}", tokens.access_token.reveal());
        let credentials = Credentials { authorization: Some(&header), ..Credentials::default() };
        let caller = decide(self.ctx(), &counting(), credentials, &[Scope::InvoicesRead]).await;
        caller.map_err(|failure| failure.code)
    }

    fn wait(&self, seconds: i64) {
        self.world.clock.advance(SignedDuration::from_secs(seconds));
    }
}

async fn client_of(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
) -> (OAuthClient, String) {
    let new = new_client(mode, organization_id);
    let (client, secret) = create(ctx, new, &By::operator()).await.unwrap();
    (client, secret.reveal().to_owned())
}

fn new_client(mode: Mode, organization_id: &OrganizationId) -> NewClient {
    NewClient {
        mode,
        organization_id: organization_id.clone(),
        name: "Books".to_owned(),
        redirect_uris: vec![CALLBACK.to_owned()],
        scopes: Scope::ALL.into(),
    }
}

async fn authenticated(
    ctx: &Context,
    client: &OAuthClient,
    secret: &str,
) -> Result<Authenticated, OAuthError> {
    let credentials = ClientCredentials {
        client_id: client.client_id.to_string(),
        client_secret: secret.to_owned(),
    };
    authenticate(ctx, &credentials).await
}

/// The address that a decision redirects to.
fn back(decided: Decided) -> String {
    match decided {
        Decided::Back(to) => to,
        other => panic!("{other:?}"),
    }
}

fn code_of(decided: Decided) -> String {
    parameter(&back(decided), "code").unwrap()
}

fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// A parameter of an address's query.
fn parameter(url: &str, name: &str) -> Option<String> {
    let url: url::Url = url.parse().unwrap();
    let mut found = url.query_pairs().filter(|(key, _)| key == name);
    let value = found.next().map(|(_, value)| value.into_owned());
    assert!(found.next().is_none(), "{name} is there twice");
    value
}

fn refused<T>(result: Result<T, OAuthError>) -> ErrorCode {
    match result {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error.code,
    }
}
