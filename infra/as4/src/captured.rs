//! A message between two others, as far as it can be judged without their keys.

use access_point::{
    peppol::{
        as4::{Opened, Rule, open},
        pki::{Anchors, RevocationPolicy, Revocations, Role, Trust},
    },
    types::{Clock, SystemClock},
};
use serde_json::{Value, json};

use crate::Result;

/// What is to be said of a message of Peppol's test network, with its headers in front: who signed it, and that it is
/// refused for nothing but that it is not for us, which is found out behind its signature.
pub(crate) async fn judge(message: &[u8]) -> Result<Value> {
    let end = message.windows(4).position(|four| four == b"\r\n\r\n").ok_or("no headers")?;
    let (head, body) = message.split_at(end + 4);
    let head = str::from_utf8(head)?;
    let mut fields = head.lines().filter_map(|line| line.split_once(": "));
    let content_type = fields.find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let opened: Opened = open(content_type.ok_or("no Content-Type")?.1, body.to_vec())?;
    let trust = Trust::new(Anchors::test()?).with_revocation(RevocationPolicy::SoftFail);
    let nothing = Revocations::default();
    let signer = trust.check(opened.signer(), Role::AccessPoint, SystemClock.now(), &nothing)?;
    let message_id = opened.message_id().clone();
    let refusal = opened.verify(&signer, &[], 0).await.err().ok_or("a message for nobody")?;
    Ok(json!({
        "message_id": message_id,
        "signer": signer.common_name(),
        "signature_holds": refusal.rule() == Rule::ReceiverParty,
        "why": refusal.to_string(),
    }))
}
