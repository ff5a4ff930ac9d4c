//! The crate oauth2: the flow, refresh, revocation, by what the metadata say. Prints where the browser is to go, reads
//! where it came back to.

use std::{env, error::Error, io::stdin};

use oauth2::{
    AuthUrl, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, ExtraTokenFields,
    HttpRequest, HttpResponse, PkceCodeChallenge, RedirectUrl, RevocationUrl, Scope,
    StandardRevocableToken, StandardTokenResponse, TokenResponse, TokenUrl,
    basic::{
        BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse,
        BasicTokenType,
    },
    http::Response,
    url::Url,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

type BoxError = Box<dyn Error>;

/// What this service's token response has beyond the RFC's fields.
#[derive(Debug, Serialize, Deserialize)]
struct Identity {
    taxpayer_id: String,
    grant_id: String,
}

impl ExtraTokenFields for Identity {}

type Tokens = StandardTokenResponse<Identity, BasicTokenType>;

fn main() -> Result<(), BoxError> {
    let set = |name: &str| env::var(name).map_err(|_| format!("{name} is not set"));
    let metadata = minreq::get(set("METADATA")?).send()?;
    let metadata: Value = serde_json::from_slice(metadata.as_bytes())?;
    let endpoint = |name: &str| {
        metadata[name].as_str().map(str::to_owned).ok_or(format!("the metadata have no {name}"))
    };
    let client: Client<
        BasicErrorResponse,
        Tokens,
        BasicTokenIntrospectionResponse,
        StandardRevocableToken,
        BasicRevocationErrorResponse,
    > = Client::new(ClientId::new(set("CLIENT_ID")?));
    // The crate refuses to revoke but over TLS: `send` takes the place of what ends that before a service.
    let client = client
        .set_client_secret(ClientSecret::new(set("CLIENT_SECRET")?))
        .set_redirect_uri(RedirectUrl::new(set("REDIRECT_URI")?)?)
        .set_auth_uri(AuthUrl::new(endpoint("authorization_endpoint")?)?)
        .set_token_uri(TokenUrl::new(endpoint("token_endpoint")?)?)
        .set_revocation_url(RevocationUrl::new(
            endpoint("revocation_endpoint")?.replacen("http://", "https://", 1),
        )?);

    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (url, state) = client
        .authorize_url(CsrfToken::new_random)
        .add_scopes(set("SCOPE")?.split(' ').map(|scope| Scope::new(scope.to_owned())))
        .set_pkce_challenge(challenge)
        .url();
    println!("{url}");
    let callback: Url = read()?.parse()?;
    let parameter = |name: &str| {
        let found = callback.query_pairs().find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned()).ok_or(format!("the callback has no {name}"))
    };
    if parameter("state")? != *state.secret() || parameter("iss")? != endpoint("issuer")? {
        return Err("the callback is an answer to somebody else".into());
    }

    let code = AuthorizationCode::new(parameter("code")?);
    let tokens = client.exchange_code(code).set_pkce_verifier(verifier).request(&send)?;
    let first = tokens.refresh_token().ok_or("no refresh token")?;
    let refreshed = client.exchange_refresh_token(first).request(&send)?;
    println!("{}", json!({"tokens": tokens, "refreshed": refreshed}));
    read()?;
    let last = refreshed.refresh_token().ok_or("no refresh token")?.clone();
    client.revoke_token(last.into())?.request(&send)?;
    println!("revoked");
    Ok(())
}

fn read() -> Result<String, BoxError> {
    let mut line = String::new();
    stdin().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

/// Sends what the crate asks for over plain HTTP.
fn send(request: HttpRequest) -> Result<HttpResponse, minreq::Error> {
    let url = request.uri().to_string().replacen("https://", "http://", 1);
    let mut sent = minreq::post(url).with_body(request.body().clone());
    for (name, value) in request.headers() {
        sent = sent.with_header(name.as_str(), value.to_str().unwrap_or_default());
    }
    let answer = sent.send()?;
    let mut response = Response::builder().status(u16::try_from(answer.status_code).unwrap_or(0));
    for (name, value) in &answer.headers {
        response = response.header(name, value);
    }
    response.body(answer.into_bytes()).map_err(|_| minreq::Error::Other("no HTTP response"))
}
