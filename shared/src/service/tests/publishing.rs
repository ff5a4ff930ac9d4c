//! Our SMP over HTTP, read by our own lookup.

use std::sync::Arc;

use axum::http::{Method, Request, StatusCode};
use jiff::SignedDuration;
use tokio::net::TcpListener;
use tower::ServiceExt;
use tracing::Level;

use crate::{
    access::{Caller, Scope, Taxpayer},
    api::{RawPath, smp},
    document::Operation,
    error::{Code, Failure},
    log::{RequestId, testing::Log},
    peppol::{
        identifiers::{DocumentType, path_segment},
        pki::testing::PKI,
        smp::{BusinessCard, BusinessEntity, EntityName, Reach, ServiceGroup},
    },
    service::{
        business_cards,
        publish::{Publisher, Publishing},
        register::{OtherSmp, redirect, withdraw},
    },
    store::{RegistrationRecord, TransmissionRecord},
    testing::{OUR_SEAT, THEIR_SEAT, TestNetwork, World, invoice, send_queued},
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
    /// A registered taxpayer, with our SMP as a running server.
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

    /// A sender to the taxpayer.
    async fn sender(&self) -> Caller {
        let sender = self.world.caller("Oasis", "1009876543").await;
        self.world.subscribe(&sender.organization_id).await;
        sender
    }

    /// The address and the owner of the access point that an invoice to the taxpayer would go to.
    async fn destination(&self, sender: &Caller, number: &str) -> (String, String) {
        let body = invoice(number, "1001234501");
        send_queued(&self.world.sending, sender, &body, Some(number)).await.unwrap();
        self.world.settle().await;
        let transmissions = self.world.items::<TransmissionRecord>("TRANSMISSION").await;
        let attempts = transmissions.iter().flat_map(|one| &one.attempts);
        let latest = attempts.max_by_key(|attempt| attempt.started_at).unwrap();
        (latest.endpoint.clone().unwrap(), latest.receiver.clone().unwrap())
    }

    /// The SMP of the network beside ours.
    fn other(&self) -> OtherSmp {
        let certificate_uid = PKI.publisher().certificate.subject();
        OtherSmp { url: format!("{}/", self.network.smp_url()), certificate_uid }
    }

    async fn redirect(
        &self,
        kinds: &[Operation],
        other: Option<&OtherSmp>,
    ) -> Result<RegistrationRecord, Failure> {
        let whose = (Mode::Live, &self.taxpayer.taxpayer_id);
        redirect(&self.world.ctx, whose, kinds, other, Reach::Loopback).await
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
    let sender = scene.sender().await;
    // The lookup succeeds. There is no server at our access point's address.
    let ours = (AS4_URL.to_owned(), OUR_SEAT.to_owned());
    assert_eq!(scene.destination(&sender, "A-1").await, ours);
    assert_eq!(scene.network.asked(), 0, "no other SMP was asked");
}

#[tokio::test]
async fn a_document_finds_its_way_by_the_smp_that_ours_leads_to() {
    let scene = Scene::new().await;
    let sender = scene.sender().await;
    scene.network.register(&scene.taxpayer.participant_id.to_string());
    scene.redirect(&Operation::ALL, Some(&scene.other())).await.unwrap();
    let (address, seat) = scene.destination(&sender, "A-1").await;
    assert_eq!(seat, THEIR_SEAT, "as the other SMP says");
    assert_ne!(address, AS4_URL);
    assert_eq!(scene.network.asked(), 1, "ours has the group; theirs was asked where it goes");
    // A repeated request writes nothing new.
    let again = scene.redirect(&Operation::ALL, Some(&scene.other())).await.unwrap();
    assert_eq!(again, scene.redirect(&Operation::ALL, Some(&scene.other())).await.unwrap());

    scene.redirect(&Operation::ALL, None).await.unwrap();
    // Senders cache the earlier answer for 15 minutes.
    scene.world.clock.advance(SignedDuration::from_mins(16));
    assert_eq!(scene.destination(&sender, "A-2").await, (AS4_URL.to_owned(), OUR_SEAT.to_owned()));
}

#[tokio::test]
async fn our_smp_leads_elsewhere_for_the_kinds_that_were_named_alone() {
    let scene = Scene::new().await;
    scene.redirect(&[Operation::Invoice], Some(&scene.other())).await.unwrap();
    let text = async |document_type: DocumentType| {
        let path = services(FALCON, &document_type.registration());
        let (status, kind, body) = scene.get(&path).await;
        assert_eq!((status, kind.as_str()), (StatusCode::OK, "text/xml; charset=UTF-8"));
        String::from_utf8(body).unwrap()
    };
    let invoices = text(DocumentType::INVOICE).await;
    let there = format!(
        "<Redirect href=\"{}{}\"><CertificateUID>{}</CertificateUID></Redirect>",
        scene.network.smp_url(),
        services(FALCON, &DocumentType::INVOICE.registration()),
        PKI.publisher().certificate.subject(),
    );
    assert!(invoices.contains(&there), "{invoices}");
    assert!(!invoices.contains("ServiceInformation"));
    let credit_notes = text(DocumentType::CREDIT_NOTE).await;
    assert!(credit_notes.contains("<ServiceInformation>") && !credit_notes.contains("Redirect"));
    // The group lists every registration, including redirected ones.
    let group = ServiceGroup::read(&scene.get(&format!("/{FALCON}")).await.2).unwrap();
    assert_eq!(group.document_types.len(), 4);
}

#[tokio::test]
async fn a_redirect_that_leads_nowhere_is_refused() {
    let scene = Scene::new().await;
    let other = scene.other();
    let refused = async |other: OtherSmp| {
        let failure = scene.redirect(&Operation::ALL, Some(&other)).await.unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest);
        failure.message
    };
    let nowhere = OtherSmp { url: "http://smp.example".to_owned(), ..other.clone() };
    assert!(refused(nowhere).await.contains("is not one of https"));
    let nobody = OtherSmp { certificate_uid: "PAE000901".to_owned(), ..other.clone() };
    assert!(refused(nobody).await.contains("certificate by its subject"));
    withdraw(&scene.world.ctx, Mode::Live, &scene.taxpayer.taxpayer_id).await.unwrap();
    assert!(refused(other).await.contains("is not registered"), "the SML is being notified");
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
        // The same business, but with another identifier than the registered one.
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
    // A gateway that decodes paths would end the path at the first number sign.
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
async fn each_request_is_logged_with_its_operation_and_why_it_got_nothing() {
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
        let logged = line.get("error.cause").and_then(|it| it.as_str());
        assert_eq!(logged.is_some(), cause.is_some(), "{line}");
        assert!(cause.is_none_or(|cause| logged.unwrap().contains(cause)), "{line}");
    }
}
