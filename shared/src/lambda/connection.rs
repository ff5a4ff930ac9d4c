//! The connection to the network, from the deployment's configuration and secret.

use std::sync::Arc;

use aws_config::SdkConfig;
use serde::Deserialize;

use super::{
    kms::{KeyIds, KmsKey},
    secret::{BoxError, Secret},
};
use crate::{
    config::{ConfigError, NetworkConfig, RegistryConfig, reach},
    egress::{AuthorityClient, Client},
    peppol::{
        identifiers::SeatId,
        pki::{
            self, AnchorError, Anchors, Certificate, Key, LocalKey, OurKeys, Role, Trust, newest,
        },
    },
    service::{Connection, Dns, Network, Parts, publish::Publisher, register::Registries},
    store::Bucket,
};

/// The content of the secret, in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Held {
    /// Our keys. There are two while a certificate is being replaced.
    keys: Vec<HeldKey>,
    /// Authorities in addition to the network's built-in ones.
    authorities: Option<Authorities>,
    /// The key of our SMP. It signs with it and presents it to the registers in TLS, so the key must be in the secret.
    smp: Option<KeyHere>,
}

impl Held {
    fn read(secret: &str) -> Result<Self, BoxError> {
        // The error must not quote the secret.
        let held = serde_json::from_str(secret);
        Ok(held.map_err(|_| "the network's secret is not JSON with keys, authorities and smp")?)
    }

    fn certificates(&self) -> Result<Vec<Certificate>, BoxError> {
        let read = |key: &HeldKey| Ok(Certificate::from_pem(key.certificate())?);
        self.keys.iter().map(read).collect()
    }
}

/// A certificate, and the location of its key.
#[derive(Deserialize)]
#[serde(untagged)]
enum HeldKey {
    Here(KeyHere),
    InKms(KeyInKms),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyHere {
    /// The certificate, in PEM.
    certificate: String,
    /// The private key, PKCS #8 in PEM.
    private_key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyInKms {
    /// The certificate, in PEM.
    certificate: String,
    /// The keys of AWS KMS.
    kms: KeyIds,
}

impl KeyHere {
    fn open(&self) -> Result<LocalKey, BoxError> {
        let certificate = Certificate::from_pem(&self.certificate)?;
        Ok(LocalKey::from_pem(&self.private_key, certificate)?)
    }
}

impl HeldKey {
    fn certificate(&self) -> &str {
        match self {
            HeldKey::Here(KeyHere { certificate, .. })
            | HeldKey::InKms(KeyInKms { certificate, .. }) => certificate,
        }
    }

    async fn open(self, kms: &aws_sdk_kms::Client) -> Result<Arc<dyn Key>, BoxError> {
        match self {
            HeldKey::Here(key) => Ok(Arc::new(key.open()?)),
            HeldKey::InKms(KeyInKms { certificate, kms: ids }) => {
                let certificate = Certificate::from_pem(&certificate)?;
                Ok(Arc::new(KmsKey::find(kms.clone(), ids, certificate).await?))
            }
        }
    }
}

/// The authorities that issue the certificates of each role.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Authorities {
    access_point: Chains,
    publisher: Chains,
}

/// An issuing authority and those above it, in PEM.
#[derive(Deserialize)]
#[serde(untagged)]
enum Chains {
    One(String),
    Several(Vec<String>),
}

impl Default for Chains {
    fn default() -> Self {
        Chains::Several(Vec::new())
    }
}

impl Chains {
    /// Each chain with the role.
    fn of(&self, role: Role) -> impl Iterator<Item = (Role, &[u8])> {
        let texts = match self {
            Chains::One(text) => std::slice::from_ref(text),
            Chains::Several(texts) => texts,
        };
        texts.iter().map(move |text| (role, text.as_bytes()))
    }
}

impl Authorities {
    fn anchors(&self, network: pki::Network) -> Result<Anchors, AnchorError> {
        let Authorities { access_point, publisher } = self;
        Anchors::new(
            network,
            access_point.of(Role::AccessPoint).chain(publisher.of(Role::Publisher)),
        )
    }
}

/// The secret is empty after the first deployment.
const NO_KEYS: &str = "the network's secret has no value yet: put the certificate and the private key of this access \
                       point into NetworkKeys (infra/OPERATE.md, \"Connect to the network\")";

/// The connection. Its secret is fetched when it is first used.
pub(super) fn connection(
    aws: &SdkConfig,
    config: NetworkConfig,
    bucket: Bucket,
) -> Arc<Connection> {
    let client = aws_sdk_secretsmanager::Client::new(aws);
    let secret = Secret { client, arn: config.secret_arn.clone() };
    let kms = aws_sdk_kms::Client::new(aws);
    Connection::new(move || {
        let (secret, kms) = (secret.clone(), kms.clone());
        let (config, bucket) = (config.clone(), bucket.clone());
        Box::pin(async move {
            // An error is not cached, so the next use reads a value that was set meanwhile.
            let text = secret.value().await?.ok_or(NO_KEYS)?;
            let ways_out = (Client::new(config.egress)?, AuthorityClient::new(config.egress)?);
            network(&text, &kms, config, ways_out, bucket).await
        })
    })
}

/// The network, with clients whose egress follows `config`.
pub(crate) async fn network(
    secret: &str,
    kms: &aws_sdk_kms::Client,
    config: NetworkConfig,
    (client, authority_client): (Client, AuthorityClient),
    bucket: Bucket,
) -> Result<Network, BoxError> {
    let held = Held::read(secret)?;
    let mut keys: Vec<Arc<dyn Key>> = Vec::new();
    for key in held.keys {
        keys.push(key.open(kms).await?);
    }
    let authorities = held.authorities.unwrap_or_default().anchors(config.network);
    let anchors =
        authorities.map_err(|error| format!("the network's secret, authorities: {error}"))?;
    let smp = held.smp.map(|smp| Certificate::from_pem(&smp.certificate)).transpose()?;
    Ok(Network::new(Parts {
        trust: Trust::new(anchors).with_revocation(config.revocation),
        keys: OurKeys::new(keys),
        smp,
        zone: config.zone,
        dns: Dns::new(config.dns_server)?,
        client,
        authority_client,
        egress: config.egress,
        bucket,
    }))
}

/// The registers of the network, from the text of the secret. Without a value there is no client, so nothing is
/// registered yet.
pub(super) fn registries(
    secret: Option<&str>,
    config: &NetworkConfig,
    registry: RegistryConfig,
) -> Result<Registries, BoxError> {
    let RegistryConfig { smp_url, smp_id, sml_url, directory_url, as4_url: _ } = registry;
    let identity = secret.map(Held::read).transpose()?.and_then(|held| held.smp);
    let client = identity.map(|KeyHere { certificate, private_key }| {
        Client::with_identity(config.egress, &certificate, &private_key)
    });
    Ok(Registries {
        client: client.transpose()?,
        smp_id,
        smp_url,
        sml_url,
        directory_url,
        dns: Dns::new(config.dns_server)?,
        zone: config.zone.clone(),
        reach: reach(config.egress),
    })
}

/// Our SMP, from the text of the secret. The error names what the secret lacks.
pub(super) fn publisher(
    secret: Option<&str>,
    registry: RegistryConfig,
) -> Result<Publisher, BoxError> {
    let held = Held::read(secret.ok_or(NO_KEYS)?)?;
    let smp = held.smp.as_ref();
    let smp = smp.ok_or("the network's secret has no certificate and key of an SMP (smp)")?;
    Ok(Publisher {
        smp_url: registry.smp_url.ok_or(ConfigError::Missing("SMP_URL"))?,
        signer: Box::new(smp.open()?),
        as4_url: registry.as4_url.ok_or(ConfigError::Missing("AS4_URL"))?,
        certificates: held.certificates()?,
    })
}

/// Our own seat, from the text of the secret: the subject of our access point's newest certificate.
pub(super) fn own_seat(secret: &str) -> Result<SeatId, BoxError> {
    let certificates = Held::read(secret)?.certificates()?;
    let newest = newest(&certificates);
    let newest = newest.ok_or("the network's secret has no certificate of an access point")?;
    Ok(newest.common_name().parse()?)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::peppol::pki::{
        RevocationPolicy, Revocations,
        testing::{Flaw, PKI, now},
    };

    /// The trust of a deployment whose secret has these authorities.
    fn trust(network: pki::Network, authorities: Value) -> Result<Trust, String> {
        let secret = json!({"keys": [], "authorities": authorities}).to_string();
        let held = Held::read(&secret).map_err(|error| error.to_string())?;
        let anchors = held.authorities.unwrap_or_default().anchors(network);
        let anchors = anchors.map_err(|error| error.to_string())?;
        Ok(Trust::new(anchors).with_revocation(RevocationPolicy::SoftFail))
    }

    #[test]
    fn authorities_of_the_secret_are_trusted_beside_those_of_any_network() {
        let [ap, smp] = [&PKI.ap.certificate, &PKI.smp.certificate].map(Certificate::to_pem);
        let seat = PKI.seat("PAE000001").certificate;
        let publisher = PKI.issue(&PKI.smp, "PAE000901", Flaw::None).certificate;
        let real = include_bytes!("../peppol/pki/samples/access-point-test.der");
        let real = Certificate::from_der(real.to_vec()).unwrap();
        for (network, is_real) in [
            (pki::Network::Production, false),
            (pki::Network::Test, true),
            (pki::Network::Local, false),
        ] {
            for authorities in [
                json!({"access_point": ap, "publisher": smp}),
                json!({"access_point": [ap], "publisher": [smp, PKI.root.to_pem()]}),
            ] {
                let trust = trust(network, authorities).unwrap();
                let check = |certificate, role| {
                    trust.check(certificate, role, now(), &Revocations::default()).is_ok()
                };
                assert!(check(&seat, Role::AccessPoint) && !check(&seat, Role::Publisher));
                assert!(check(&publisher, Role::Publisher));
                assert!(!check(&publisher, Role::AccessPoint));
                assert_eq!(check(&real, Role::AccessPoint), is_real, "as before");
            }
        }
    }

    #[test]
    fn without_a_value_of_the_secret_our_smp_says_what_is_missing_and_the_registers_wait() {
        let registry = || RegistryConfig {
            smp_url: Some("https://smp.example.com".to_owned()),
            smp_id: Some("PAE000901".to_owned()),
            as4_url: Some("https://api.example.com/as4".to_owned()),
            sml_url: None,
            directory_url: None,
        };
        let config = NetworkConfig {
            network: pki::Network::Test,
            secret_arn: "arn".to_owned(),
            zone: "participant.test".to_owned(),
            dns_server: Some("127.0.0.1:53".parse().unwrap()),
            revocation: RevocationPolicy::HardFail,
            egress: crate::egress::Egress::Public,
        };
        let why = publisher(None, registry()).err().unwrap().to_string();
        assert!(why.contains("no value yet") && why.contains("NetworkKeys"), "{why}");
        let why = publisher(Some(r#"{"keys":[]}"#), registry()).err().unwrap().to_string();
        assert!(why.contains("(smp)"), "as before: {why}");
        for secret in [None, Some(r#"{"keys":[]}"#)] {
            assert!(registries(secret, &config, registry()).unwrap().client.is_none());
        }
        assert!(registries(Some("unset"), &config, registry()).is_err());
    }

    #[test]
    fn a_network_of_our_own_needs_an_authority_of_each_role_and_a_published_one_none() {
        let ap = PKI.ap.certificate.to_pem();
        for authorities in [json!({}), json!({"access_point": ap})] {
            assert!(trust(pki::Network::Production, authorities.clone()).is_ok());
            let error = trust(pki::Network::Local, authorities).unwrap_err();
            assert!(error.ends_with("has no certificate"), "{error}");
        }
        assert!(trust(pki::Network::Test, Value::Null).is_ok());
        for authorities in [json!({"access_points": ap}), json!({"publisher": 4}), json!("x")] {
            assert!(trust(pki::Network::Test, authorities).is_err());
        }
    }
}
