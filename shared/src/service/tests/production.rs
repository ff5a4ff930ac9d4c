//! Live with production settings: the template's default parameters, hard-fail, names with public addresses, our key in
//! KMS, and only https, except for the authorities' lists. Names are mapped to servers on loopback. Nothing else
//! differs.

use std::net::SocketAddr;

use url::Url;

use super::live::{RECIPIENT, Scene};
use crate::{
    access::By,
    document::Operation::Invoice,
    egress::{Egress, testing::Internet},
    error::Code,
    peppol::pki::testing::Flaw,
    service::{
        Delivering, Notifying,
        billing::provider::{HttpProvider, Provider, ProviderError},
        deliver,
        onboarding::Known,
        webhooks::{self, EndpointSettings},
    },
    store::{DeliverMessage, Status},
    testing::{
        Arrival, Parcel, Publishes, TaxPortal, TlsFront, World, business, invoice, sealing_key,
        send,
    },
    webhook::receiver::{Behaviour, Receiver},
};

async fn deployed() -> Scene {
    let (world, network) = World::deployed().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    network.register(&format!("0235:{RECIPIENT}"));
    Scene { world, network, sender }
}

/// The certificates of SMP, access point and receipt are checked against lists from `http:` addresses.
#[tokio::test]
async fn a_document_is_sent_with_the_settings_of_production() {
    let scene = deployed().await;
    let sent = scene.send("A-1", None).await.unwrap();
    assert_eq!(sent.reply.status, 201, "{sent:?}");
    assert_eq!(scene.document().await.status, Status::Sent);
    assert!(scene.transmission(&scene.document().await.document_id).await.receipt.is_some());
}

#[tokio::test]
async fn a_queued_document_is_sent_with_the_settings_of_production() {
    let scene = deployed().await;
    scene.queue(1).await;
    scene.world.settle().await;
    assert_eq!(scene.document().await.status, Status::Sent);
}

#[tokio::test]
async fn a_revoked_certificate_is_refused_with_the_settings_of_production() {
    let scene = deployed().await;
    scene.network.publishes(Publishes::Flawed(Flaw::Revoked));
    let failure = scene.send("A-1", None).await.unwrap_err();
    assert_eq!(failure.code, Code::RecipientRegistrationDefective, "{failure:?}");
    assert!(scene.world.documents().await.is_empty());
}

/// "Hard-fail": a certificate that cannot be checked is not trusted.
#[tokio::test]
async fn without_the_lists_of_the_authorities_nothing_is_sent_with_the_settings_of_production() {
    let scene = deployed().await;
    // A public address without a server.
    scene.network.internet.leads("crl.one.nl.digicert.com", "93.184.215.250");
    let failure = scene.send("A-1", None).await.unwrap_err();
    assert_eq!(failure.code, Code::RecipientLookupFailed, "{failure:?}");
    assert!(scene.world.documents().await.is_empty());
}

/// The signer's certificate is checked against a fetched list, and the decryption key is in KMS.
#[tokio::test]
async fn a_document_of_others_is_received_with_the_settings_of_production() {
    let scene = deployed().await;
    scene.world.caller("Oasis", RECIPIENT).await;
    let parcel = Parcel::invoice("A-1");
    assert_eq!(parcel.pack().arrive(&scene.world.receiving()).await, Arrival::Receipt);
    let revoked = Parcel { flaw: Flaw::Revoked, ..Parcel::invoice("A-2") };
    let refused = revoked.pack().arrive(&scene.world.receiving()).await;
    assert!(matches!(refused, Arrival::Error(..)), "{refused:?}");
}

/// TLS to a name with a public address. `http:` and internal addresses are refused when an endpoint is created.
#[tokio::test]
async fn a_webhook_is_delivered_with_the_settings_of_production() {
    let (world, internet) = (World::new().await, Internet::default());
    let receiver = Receiver::start(Behaviour::status("204 No Content", "", "")).await;
    let front = TlsFront::public(&internet, "hooks.example", address(&receiver), None).await;
    internet.leads("inside.example", "10.0.0.7");
    let client = internet.client(Egress::Public).unwrap();
    let caller = world.caller("Falcon", "1001234501").await;
    let notifying = Notifying { client: client.clone(), ..world.notifying() };
    let make = async |url: String| {
        let wanted = EndpointSettings { url, ..EndpointSettings::default() };
        let (id, by) = (&caller.organization_id, By::operator());
        webhooks::create(&notifying, world.mode, id, wanted, &by).await
    };
    for url in ["http://hooks.example/hook", "https://inside.example/hook", "https://10.0.0.7/hook"]
    {
        let refused = make(url.to_owned()).await.unwrap_err();
        assert_eq!(refused.findings[0].rule, "AP-WEBHOOK-url", "{url}");
    }
    make(format!("{}/hook", front.url)).await.unwrap();
    send(&world.sending, &caller, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    world.stream().await;
    let delivering = Delivering {
        ctx: world.ctx.clone(),
        queue: world.relaying.deliver.clone(),
        client,
        sealing_key: sealing_key().into(),
        open_breakers: deliver::OpenBreakers::default(),
    };
    let messages: Vec<DeliverMessage> =
        world.cloud.receive("deliver").iter().map(|message| message.read()).collect();
    for message in &messages {
        deliver::deliver(&delivering, message).await.unwrap();
    }
    let [came] = receiver.received().try_into().unwrap();
    assert!(came.head.starts_with("POST /hook "), "{}", came.head);
    assert_eq!(came.header("host"), Some("hooks.example"));
}

/// The national tax portal has a public name and needs https.
#[tokio::test]
async fn a_business_is_looked_up_with_the_settings_of_production() {
    let (portal, internet) = (TaxPortal::start().await, Internet::default());
    portal.has(RECIPIENT, business("Oasis Supplies FZE", RECIPIENT, "accounts@oasis.example"));
    let way = portal.deployed(&internet).await;
    let known = way.business(&RECIPIENT.parse().unwrap()).await.unwrap();
    assert!(matches!(known, Known::Appointed(_)), "{known:?}");
}

/// The billing provider has a public name. An address without `https:` is not called.
#[tokio::test]
async fn subscriptions_are_compared_with_the_settings_of_production() {
    let internet = Internet::default();
    let page = r#"{"subscriptions": [], "next_cursor": "2"}"#;
    let behaviour = Behaviour::status("200 OK", "content-type: application/json\r\n", page);
    let receiver = Receiver::start(behaviour).await;
    let front = TlsFront::public(&internet, "billing.example", address(&receiver), None).await;
    let provider = |url: &str| {
        HttpProvider::new(internet.client(Egress::Public).unwrap(), url, "secret-token").unwrap()
    };
    let found = provider(&front.url).page(None).await.unwrap();
    assert_eq!(found.next.as_deref(), Some("2"));
    let refused = provider("http://billing.example").page(None).await.unwrap_err();
    assert!(matches!(refused, ProviderError::Unreachable(_)), "{refused:?}");
    assert_eq!(receiver.received().len(), 1);
}

/// The address of a test server.
fn address(receiver: &Receiver) -> SocketAddr {
    receiver.url.parse::<Url>().unwrap().socket_addrs(|| None).unwrap()[0]
}
