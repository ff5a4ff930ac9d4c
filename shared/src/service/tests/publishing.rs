//! Our SMP over HTTP, read by our own lookup.

use std::sync::Arc;

use axum::http::{Method, Request, StatusCode};
use tokio::net::TcpListener;
use tower::ServiceExt;
use tracing::Level;

use crate::{
    access::{Scope, Taxpayer},
    api::{RawPath, smp},
    log::{RequestId, testing::Log},
    peppol::{
        identifiers::{DocumentType, path_segment},
        pki::testing::PKI,
        smp::{BusinessCard, BusinessEntity, EntityName, ServiceGroup},
    },
    service::{
        business_cards,
        publish::{Publisher, Publishing},
        register::withdraw,
    },
    testing::{OUR_SEAT, TestNetwork, World, invoice, send_queued},
    types::Mode,
};

struct Scene {
    world: World,
    network: TestNetwork,
    publishing: Publishing,
    taxpayer: Taxpayer,
}

const AS4_URL: &str = "http://127.0.0.1:9/as4";

impl Scene {
    /// A taxpayer that is registered, at our SMP, which listens.
    async fn new() -> Scene {
        let (world, network) = World::live().await;
        let taxpayer = world.taxpayer("Falcon", "1001234501").await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let smp_url = format!("http://{}", listener.local_addr().unwrap());
        let publisher = Publisher {
            smp_url: smp_url.clone(),
            signer: Box::new(PKI.publisher().key()),
            as4_url: AS4_URL.to_owned(),
            certificates: vec![PKI.seat(OUR_SEAT).certificate],
        };
        let publishing = Publishing { ctx: world.ctx.clone(), publisher: Arc::new(publisher) };
        let router = smp(Some(publishing.clone()));
        tokio::spawn(async move { axum::serve(listener, router).await });
        network.leads(&taxpayer.participant_id, &smp_url);
        Scene { world, network, publishing, taxpayer }
    }

    async fn ask(&self, method: Method, path: &str) -> (StatusCode, String, Vec<u8>) {
        let request = Request::builder().method(method).uri(path);
        let request = request.body(axum::body::Body::empty()).unwrap();
        self.answer(request).await
    }

    async fn answer(&self, request: Request<axum::body::Body>) -> (StatusCode, String, Vec<u8>) {
        let router = smp(Some(self.publishing.clone()));
        let (head, body) = router.oneshot(request).await.unwrap().into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        let kind = head.headers.get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
        if head.status == StatusCode::OK {
            assert_eq!(head.headers["cache-control"], "public, max-age=300");
        }
        (head.status, kind.unwrap_or_default(), body.to_vec())
    }

    async fn get(&self, path: &str) -> (StatusCode, String, Vec<u8>) {
        self.ask(Method::GET, path).await
    }
}

const FALCON: &str = "iso6523-actorid-upis%3A%3A0235%3A1001234501";

fn services(of: &str, document_type: &DocumentType) -> String {
    format!("/{of}/services/{}", path_segment(&document_type.to_string()))
}

#[tokio::test]
async fn a_document_finds_its_way_by_our_own_smp() {
    let scene = Scene::new().await;
    let sender = scene.world.caller("Oasis", "1009876543").await;
    scene.world.subscribe(&sender.organization_id).await;
    let body = invoice("A-1", "1001234501");
    send_queued(&scene.world.sending, &sender, &body, Some("k")).await.unwrap();
    scene.world.settle().await;
    // Found, proven, and gone to: that nothing answers at our address is another matter.
    let transmission = scene.world.items::<crate::store::TransmissionRecord>("TRANSMISSION").await;
    let attempt = &transmission[0].attempts[0];
    assert_eq!(attempt.endpoint.as_deref(), Some(AS4_URL), "{attempt:?}");
    assert_eq!(attempt.receiver.as_deref(), Some(OUR_SEAT));
    assert_eq!(scene.network.asked(), 0, "no other SMP was asked");
}

#[tokio::test]
async fn what_is_registered_is_answered_and_nothing_else() {
    let scene = Scene::new().await;
    let (status, kind, body) = scene.get(&format!("/{FALCON}")).await;
    assert_eq!((status, kind.as_str()), (StatusCode::OK, "text/xml; charset=UTF-8"));
    let group = ServiceGroup::read(&body).unwrap();
    let registered = [
        DocumentType::INVOICE,
        DocumentType::CREDIT_NOTE,
        DocumentType::SELF_BILLED_INVOICE,
        DocumentType::SELF_BILLED_CREDIT_NOTE,
    ]
    .map(|one| one.registration());
    assert_eq!(group.participant, scene.taxpayer.participant_id);
    assert_eq!(group.document_types, registered);
    let invoices = services(FALCON, &registered[0]);
    for path in [
        format!("/{}", FALCON.replace("iso6523", "ISO6523")),
        format!("/{}", FALCON.replace("%3A", ":")),
        invoices.clone(),
        services(FALCON, &registered[3]),
    ] {
        assert_eq!(scene.get(&path).await.0, StatusCode::OK, "{path}");
    }
    for path in [
        "/".to_owned(),
        "/iso6523-actorid-upis%3A%3A0235%3A1009999999".to_owned(),
        // The same business, but not by the identifier that it is registered by.
        "/iso6523-actorid-upis%3A%3A0235%3A100123450100003".to_owned(),
        format!("/{}", FALCON.replace("%3A", "%253A")),
        format!("/{}", FALCON.replace("iso6523", "iso6524")),
        services(FALCON, &DocumentType::INVOICE),
        services(FALCON, &DocumentType::MESSAGE_LEVEL_STATUS),
        invoices.replace("Invoice", "INVOICE"),
        format!("/businesscard/{FALCON}"),
        format!("/businesscard/{FALCON}/x"),
    ] {
        let (status, _, body) = scene.get(&path).await;
        assert_eq!((status, body.as_slice()), (StatusCode::NOT_FOUND, &[][..]), "{path}");
    }
    assert_eq!(scene.ask(Method::POST, &format!("/{FALCON}")).await.0.as_u16(), 405);
    assert_eq!(scene.ask(Method::HEAD, &format!("/{FALCON}")).await.0, StatusCode::OK);
    // A gateway that decodes paths would end them at the first number sign.
    let decoded = RawPath(invoices.replace("%3A", ":").replace("%23", "#").replace("%40", "@"));
    let request = Request::builder().uri("/x").extension(decoded);
    let request = request.body(axum::body::Body::empty()).unwrap();
    assert_eq!(scene.answer(request).await.0, StatusCode::OK);
    let nobody = smp(None).oneshot(Request::new(axum::body::Body::empty())).await.unwrap();
    assert_eq!(nobody.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn we_are_registered_for_status_messages_ourselves() {
    let scene = Scene::new().await;
    let us = "iso6523-actorid-upis%3A%3A0242%3A000001";
    let (status, _, body) = scene.get(&format!("/{us}")).await;
    assert_eq!(status, StatusCode::OK);
    let group = ServiceGroup::read(&body).unwrap();
    assert_eq!(group.document_types, [DocumentType::MESSAGE_LEVEL_STATUS]);
    let status = services(us, &DocumentType::MESSAGE_LEVEL_STATUS);
    assert_eq!(scene.get(&status).await.0, StatusCode::OK);
    let other = us.replace("000001", "000002");
    assert_eq!(scene.get(&format!("/{other}")).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_card_is_shown_while_it_is_listed_and_the_taxpayer_registered() {
    let scene = Scene::new().await;
    let ctx = &scene.world.ctx;
    let organization = scene.world.organization("Falcon").await;
    scene.world.grant(&organization, &scene.taxpayer, &Scope::ALL).await;
    let key = scene.world.api_key(&organization).await;
    let any = [Scope::InvoicesWrite];
    let caller = scene.world.authorize(&key, &scene.taxpayer, None, &any).await.unwrap();
    let entities = vec![BusinessEntity {
        names: vec![EntityName { text: "Falcon & Sons".to_owned(), language: None }],
        country: "AE".to_owned(),
        ..BusinessEntity::default()
    }];
    business_cards::put_card(ctx, &caller.taxpayer, entities.clone()).await.unwrap();
    let path = format!("/businesscard/{FALCON}");
    assert_eq!(scene.get(&path).await.0, StatusCode::NOT_FOUND, "nobody wants it shown yet");
    business_cards::list(ctx, &caller.taxpayer).await.unwrap();
    let (status, kind, body) = scene.get(&path).await;
    assert_eq!((status, kind.as_str()), (StatusCode::OK, "text/xml; charset=UTF-8"));
    let participant = scene.taxpayer.participant_id.clone();
    assert_eq!(BusinessCard::read(&body).unwrap(), BusinessCard { participant, entities });

    withdraw(ctx, Mode::Live, &scene.taxpayer.taxpayer_id).await.unwrap();
    assert_eq!(scene.get(&format!("/{FALCON}")).await.0, StatusCode::OK, "until the SML knows");
}

#[tokio::test]
async fn each_request_is_told_with_its_operation_and_why_it_got_nothing() {
    let scene = Scene::new().await;
    let log = Log::start(Level::INFO);
    let group = format!("/{FALCON}");
    let other_type = services(FALCON, &DocumentType::MESSAGE_LEVEL_STATUS);
    let nobody = "/iso6523-actorid-upis%3A%3A0235%3A1009999999".to_owned();
    let card = format!("/businesscard/{FALCON}");
    for path in [&group, &other_type, &nobody, &card, &"/".to_owned()] {
        let request = Request::builder().uri(path).extension(RequestId(path.clone()));
        scene.answer(request.body(axum::body::Body::empty()).unwrap()).await;
    }
    for (path, status, operation, cause) in [
        (&group, 200, Some("smp_service_group"), None),
        (&other_type, 404, Some("smp_service_metadata"), Some("for the document type")),
        (&nobody, 404, Some("smp_service_group"), Some("no such participant")),
        (&card, 404, Some("smp_business_card"), Some("card")),
        (&"/".to_owned(), 404, None, Some("path")),
    ] {
        let mut lines = log.lines();
        lines.retain(|line| line["request.id"] == **path && line.get("http.status").is_some());
        let [line] = lines.as_slice() else { panic!("{path}: {lines:?}") };
        assert_eq!(line["http.status"], status, "{line}");
        assert_eq!(line.get("operation").and_then(|it| it.as_str()), operation, "{line}");
        let told = line.get("error.cause").and_then(|it| it.as_str());
        assert_eq!(told.is_some(), cause.is_some(), "{line}");
        assert!(cause.is_none_or(|cause| told.unwrap().contains(cause)), "{line}");
    }
}
