//! The responses to a received message: a receipt or an error, both signed and not encrypted.

use jiff::Timestamp;

use super::{
    code::Code,
    ids::MessageId,
    incoming::Received,
    names::ns,
    refusal::Refusal,
    rule::Rule,
    write::{self, attribute, text},
};
use crate::peppol::pki::{KeyError, Signer};

/// The only error detail that the Peppol AS4 profile prescribes.
const NOT_SERVICED: &str = "PEPPOL:NOT_SERVICED";

/// A receipt: non-repudiation of receipt, AS4 profile 1.0, 5.1.8. The message must be stored before it is sent.
///
/// # Errors
/// When the key cannot sign.
pub async fn receipt(
    received: &Received,
    signer: &dyn Signer,
    message_id: &MessageId,
    timestamp: Timestamp,
) -> Result<Vec<u8>, KeyError> {
    let (ds, ebbp) = (ns::DS, ns::EBBP);
    let info = message_info(message_id, timestamp, Some(&received.header.message_id));
    let mut message = format!(
        r#"<eb:SignalMessage>{info}<eb:Receipt><ebbp:NonRepudiationInformation xmlns:ebbp="{ebbp}">"#
    );
    for signed in &received.references {
        message.push_str("<ebbp:MessagePartNRInformation>");
        write::reference(&mut message, &format!(r#"<ds:Reference xmlns:ds="{ds}""#), signed);
        message.push_str("</ebbp:MessagePartNRInformation>");
    }
    message.push_str("</ebbp:NonRepudiationInformation></eb:Receipt></eb:SignalMessage>");
    signed(&message, signer).await
}

/// An error: ebMS 3.0 core, 6.2. It is signed if there is a key: some access points read only signed errors.
///
/// # Errors
/// When the key cannot sign.
pub async fn error(
    refusal: &Refusal,
    signer: Option<&dyn Signer>,
    message_id: &MessageId,
    timestamp: Timestamp,
) -> Result<Vec<u8>, KeyError> {
    let info = message_info(message_id, timestamp, refusal.message_id());
    let error = error_element(refusal);
    let message = format!("<eb:SignalMessage>{info}{error}</eb:SignalMessage>");
    match signer {
        Some(signer) => signed(&message, signer).await,
        None => Ok(write::envelope(None, &write::messaging(&message)).into_bytes()),
    }
}

async fn signed(message: &str, signer: &dyn Signer) -> Result<Vec<u8>, KeyError> {
    let messaging = write::messaging(message);
    let (signature, _) = write::sign(&messaging, None, signer).await?;
    Ok(write::envelope(Some(&signature), &messaging).into_bytes())
}

fn message_info(id: &MessageId, timestamp: Timestamp, ref_to: Option<&MessageId>) -> String {
    let (id, timestamp) = (text(id.as_str()), write::date_time(timestamp));
    let ref_to = ref_to.map_or(String::new(), |id| {
        format!("<eb:RefToMessageId>{}</eb:RefToMessageId>", text(id.as_str()))
    });
    format!(
        "<eb:MessageInfo><eb:Timestamp>{timestamp}</eb:Timestamp><eb:MessageId>{id}</eb:MessageId>{ref_to}</eb:MessageInfo>"
    )
}

fn error_element(refusal: &Refusal) -> String {
    let code: Code = refusal.rule().code();
    let (number, short, category) = (code.number(), code.short_description(), code.category());
    let ref_to = refusal.message_id().map_or(String::new(), |id| {
        format!(r#" refToMessageInError="{}""#, attribute(id.as_str()))
    });
    let sentence = refusal.to_string();
    // Peppol AS4 profile 2.0.3 allows only this detail. The description has the reason.
    let detail = if refusal.rule() == Rule::NotServiced { NOT_SERVICED } else { &sentence };
    let (sentence, detail) = (text(&sentence), text(detail));
    format!(
        r#"<eb:Error category="{category}" errorCode="{number}" origin="ebMS"{ref_to} severity="failure" shortDescription="{short}"><eb:Description xml:lang="en">{sentence}</eb:Description><eb:ErrorDetail>{detail}</eb:ErrorDetail></eb:Error>"#
    )
}
