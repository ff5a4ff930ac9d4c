//! AWS KMS after its API reference, with one key under two ids.

use std::{net::SocketAddr, sync::Arc};

use aws_lc_rs::{
    digest::{Digest, SHA256},
    signature::{RSA_PKCS1_SHA256, RsaKeyPair},
};
use aws_sdk_kms::{
    Client,
    config::{BehaviorVersion, Credentials, Region, retry::RetryConfig},
};
use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use der::SecretDocument;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::peppol::pki::{Decrypter as _, LocalKey, testing::Leaf};

/// The key that signs.
pub(crate) const SIGN: &str = "alias/sign";
/// The key that decrypts.
pub(crate) const DECRYPT: &str = "alias/decrypt";

/// KMS, with one key under the two ids.
struct Service {
    signing: RsaKeyPair,
    decrypting: LocalKey,
    public: Vec<u8>,
}

impl Service {
    fn sign(&self, digest: &[u8]) -> Vec<u8> {
        let digest = Digest::import_less_safe(digest, &SHA256).unwrap();
        let mut signature = vec![0; self.signing.public_modulus_len()];
        self.signing.sign_digest(&RSA_PKCS1_SHA256, &digest, &mut signature).unwrap();
        signature
    }
}

/// Serves KMS with the key of a seat; returns its address.
pub(crate) async fn serve(seat: &Leaf) -> SocketAddr {
    let (label, pkcs8) = SecretDocument::from_pem(seat.pem()).unwrap();
    assert_eq!(label, "PRIVATE KEY");
    let service = Service {
        signing: RsaKeyPair::from_pkcs8(pkcs8.as_bytes()).unwrap(),
        decrypting: seat.key(),
        public: seat.certificate.public_key_info(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/", post(answer)).with_state(Arc::new(service));
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn answer(State(service): State<Arc<Service>>, headers: HeaderMap, body: String) -> Response {
    let asked: Value = serde_json::from_str(&body).unwrap();
    let bytes = |name: &str| STANDARD.decode(asked[name].as_str().unwrap()).unwrap();
    let refused =
        |code: &str| (StatusCode::BAD_REQUEST, Json(json!({ "__type": code }))).into_response();
    let said = match (headers["x-amz-target"].to_str().unwrap(), asked["KeyId"].as_str()) {
        ("TrentService.GetPublicKey", Some(SIGN | DECRYPT)) => {
            json!({ "PublicKey": STANDARD.encode(&service.public) })
        }
        ("TrentService.Sign", Some(SIGN)) => {
            assert_eq!(asked["SigningAlgorithm"], "RSASSA_PKCS1_V1_5_SHA_256");
            assert_eq!(asked["MessageType"], "DIGEST");
            let signature = service.sign(&bytes("Message"));
            json!({ "Signature": STANDARD.encode(signature) })
        }
        ("TrentService.Decrypt", Some(DECRYPT)) => {
            assert_eq!(asked["EncryptionAlgorithm"], "RSAES_OAEP_SHA_256");
            match service.decrypting.decrypt(&bytes("CiphertextBlob")).await {
                Ok(opened) => json!({ "Plaintext": STANDARD.encode(opened) }),
                Err(_) => return refused("InvalidCiphertextException"),
            }
        }
        _ => return refused("NotFoundException"),
    };
    Json(said).into_response()
}

/// A client of this KMS.
pub(crate) fn client(address: SocketAddr) -> Client {
    let config = aws_sdk_kms::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("me-central-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .endpoint_url(format!("http://{address}"))
        .retry_config(RetryConfig::disabled())
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    Client::from_conf(config)
}
