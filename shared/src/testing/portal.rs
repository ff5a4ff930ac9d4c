//! The national tax portal on loopback: businesses, appointments, and faults.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, OnceLock},
};

use axum::{
    Json, Router,
    extract::{Path, RawQuery, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, put},
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{Faults, StoredSecret, TlsFront};
use crate::{
    egress::{Client, Egress, testing::Internet},
    service::{
        onboarding::{HttpPortal, NationalPortal},
        page::SecretText,
    },
    tasks::Boxed,
    webhook::receiver::Fate,
};

/// The token of this service.
const SECRET: &str = "portal-secret-1";

#[derive(Default)]
struct Books {
    /// The answer about each business.
    businesses: BTreeMap<String, Value>,
    /// The taxpayers that each business was registered with.
    registered: BTreeMap<String, Vec<String>>,
    /// The TINs of all changes, in order.
    changes: Vec<String>,
    /// The answer to every request during a fault.
    day: Option<(u16, Value)>,
    /// The reason for refusing registrations.
    refusal: Option<String>,
    /// The received requests, one word for each.
    came: Vec<String>,
    guard: Option<Arc<dyn Fn() -> Fate + Send + Sync>>,
}

/// The portal: its address and its data.
#[derive(Clone)]
pub(crate) struct TaxPortal {
    http: SocketAddr,
    books: Arc<Mutex<Books>>,
}

/// The portal's data of a business without defects.
pub(crate) fn business(name: &str, tin: &str, email: &str) -> Value {
    json!({
        "appointed": true, "status": "active", "email": email,
        "details": {
            "name": name,
            "vat_identifier": format!("{tin}00003"),
            "tax_registration_identifier": tin,
            "legal_registration": {"id": "CN-1", "type": "TL", "authority_name": "ADDED"},
            "address": {"line_1": "Corniche 1", "city": "Abu Dhabi", "country_subdivision": "AUH"},
        },
    })
}

/// Created once, since reading the trusted roots takes longer than a request.
fn client() -> Client {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    CLIENT.get_or_init(|| Client::new(Egress::Any).unwrap()).clone()
}

/// Successive values of a secret; the last one of the list is the first.
struct Changing(Mutex<Vec<&'static str>>);

impl SecretText for Changing {
    fn fetch(&self) -> Boxed<'_, Result<String, Box<dyn std::error::Error + Send + Sync>>> {
        let next = self.0.lock().unwrap().pop().unwrap().to_owned();
        Box::pin(async { Ok(next) })
    }
}

impl TaxPortal {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let http = listener.local_addr().unwrap();
        let portal = TaxPortal { http, books: Arc::default() };
        let router = Router::new()
            .route("/api/businesses/{tin}", get(show))
            .route("/api/businesses/{tin}/registration", put(register))
            .route("/api/changes", get(changes))
            .with_state(portal.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        portal
    }

    /// A client of this portal.
    pub(crate) fn way(&self) -> Arc<dyn NationalPortal> {
        self.way_with(SECRET)
    }

    pub(crate) fn way_with(&self, secret: &'static str) -> Arc<dyn NationalPortal> {
        self.way_by(StoredSecret(secret))
    }

    /// A client whose secret changes when it is fetched again.
    pub(crate) fn way_that_changes(&self) -> Arc<dyn NationalPortal> {
        self.way_by(Changing(Mutex::new(vec![SECRET, "the one before"])))
    }

    /// A client with the settings of production: a public name, only https.
    pub(crate) async fn deployed(&self, internet: &Internet) -> Arc<dyn NationalPortal> {
        let front = TlsFront::public(internet, "tax.example", self.http, None).await;
        let client = internet.client(Egress::Public).unwrap();
        Arc::new(HttpPortal::new(client, &format!("{}/api/", front.url), StoredSecret(SECRET)))
    }

    fn way_by(&self, secret: impl SecretText + 'static) -> Arc<dyn NationalPortal> {
        let url = format!("http://{}/api/", self.http);
        Arc::new(HttpPortal::new(client(), &url, secret))
    }

    /// A client for an address without a server.
    pub(crate) fn nowhere() -> Arc<dyn NationalPortal> {
        Arc::new(HttpPortal::new(client(), "http://127.0.0.1:9", StoredSecret(SECRET)))
    }

    /// Sets the answer about a business, and adds a change.
    pub(crate) fn has(&self, tin: &str, business: Value) {
        let mut books = self.books.lock().unwrap();
        books.businesses.insert(tin.to_owned(), business);
        books.changes.push(tin.to_owned());
    }

    /// Changes the answer about a business.
    pub(crate) fn change(&self, tin: &str, change: impl Fn(&mut Value)) {
        let mut business = self.books.lock().unwrap().businesses[tin].clone();
        change(&mut business);
        self.has(tin, business);
    }

    /// Adds a change again.
    pub(crate) fn repeat(&self, tin: &str) {
        self.books.lock().unwrap().changes.push(tin.to_owned());
    }

    /// Sets the answer to every request until the fault ends.
    pub(crate) fn has_a_bad_day(&self, status: u16, body: Value) {
        self.books.lock().unwrap().day = Some((status, body));
    }

    /// Refuses registrations from now on.
    pub(crate) fn refuses_registrations(&self, why: &str) {
        self.books.lock().unwrap().refusal = Some(why.to_owned());
    }

    pub(crate) fn is_well(&self) {
        self.books.lock().unwrap().day = None;
    }

    /// The distinct taxpayers that a business was registered with.
    pub(crate) fn registered(&self, tin: &str) -> Vec<String> {
        let mut ids = self.books.lock().unwrap().registered.get(tin).cloned().unwrap_or_default();
        ids.dedup();
        ids
    }

    pub(crate) fn came(&self) -> Vec<String> {
        self.books.lock().unwrap().came.clone()
    }

    /// Applies the mishaps of a process to its requests.
    pub(crate) fn guard(&self, faults: &Arc<Faults>) {
        let faults = faults.clone();
        let guard = move || faults.crash.as_ref().map_or(Fate::Taken, |one| one.befalls_request());
        self.books.lock().unwrap().guard = Some(Arc::new(guard));
    }

    pub(crate) fn unguard(&self) {
        self.books.lock().unwrap().guard = None;
    }

    /// The mishap of a request; an answer if the request has no effect.
    fn begin(&self, what: &str, headers: &HeaderMap) -> Result<Fate, Box<Response>> {
        let (day, guard) = {
            let mut books = self.books.lock().unwrap();
            books.came.push(what.to_owned());
            (books.day.clone(), books.guard.clone())
        };
        let authorization = headers.get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
        if authorization != Some(format!("Bearer {SECRET}").as_str()) {
            return Err(Box::new(answer(401, &json!({"error": "invalid_token"}))));
        }
        if let Some((status, body)) = day {
            return Err(Box::new(answer(status, &body)));
        }
        match guard.map_or(Fate::Taken, |guard| guard()) {
            Fate::Refused => Err(Box::new(answer(503, &Value::Null))),
            fate => Ok(fate),
        }
    }
}

fn answer(status: u16, body: &Value) -> Response {
    (StatusCode::from_u16(status).unwrap(), Json(body.clone())).into_response()
}

/// Ends a successful request.
fn end(fate: &Fate, status: u16, body: &Value) -> Response {
    if matches!(fate, Fate::Unanswered) {
        // A panic ends the connection's task, and so the connection.
        std::panic::resume_unwind(Box::new("hangs up"))
    }
    answer(status, body)
}

async fn show(
    State(portal): State<TaxPortal>,
    Path(tin): Path<String>,
    headers: HeaderMap,
) -> Response {
    let fate = match portal.begin("business", &headers) {
        Ok(fate) => fate,
        Err(answer) => return *answer,
    };
    let found = portal.books.lock().unwrap().businesses.get(&tin).cloned();
    match found {
        Some(business) => end(&fate, 200, &business),
        None => end(&fate, 404, &json!({"error": "unknown_tin"})),
    }
}

async fn register(
    State(portal): State<TaxPortal>,
    Path(tin): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let fate = match portal.begin("register", &headers) {
        Ok(fate) => fate,
        Err(answer) => return *answer,
    };
    if let Some(why) = portal.books.lock().unwrap().refusal.clone() {
        return answer(422, &json!({"message": why}));
    }
    assert_eq!(body["participant_id"], format!("0235:{tin}"));
    let id = body["taxpayer_id"].as_str().unwrap().to_owned();
    portal.books.lock().unwrap().registered.entry(tin).or_default().push(id);
    end(&fate, 201, &json!({}))
}

/// A cursor is the number of changes so far.
async fn changes(
    State(portal): State<TaxPortal>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let fate = match portal.begin("changes", &headers) {
        Ok(fate) => fate,
        Err(answer) => return *answer,
    };
    let query = query.unwrap_or_default();
    let value = |name: &str| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
    };
    let after: usize = value("after").map_or(0, |after| after.parse().unwrap());
    let limit: usize = value("limit").unwrap().parse().unwrap();
    let all = portal.books.lock().unwrap().changes.clone();
    let until = all.len().min(after + limit);
    let page =
        json!({"tins": all[after..until], "cursor": until.to_string(), "more": until < all.len()});
    end(&fate, 200, &page)
}
