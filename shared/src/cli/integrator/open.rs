//! `access-point open`: a page of the portal in the browser.

use std::{
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use super::{CREDENTIALS, Error, api::Api, credentials::credentials, print};
use crate::{cli::block_on, environment::Environment, types::DocumentId};

/// Path of the authorization endpoint, below the portal's address in a mode (RFC 8414, section 2).
const AUTHORIZE: &str = "/oauth/authorize";

/// Open the portal
///
/// Opens the page of a document, or the start page. Prints its address.
#[derive(clap::Args)]
#[command(after_help = CREDENTIALS)]
pub(in crate::cli) struct Args {
    /// Only print the address
    #[arg(long)]
    print: bool,
    /// The document, doc_…
    #[arg(value_name = "DOCUMENT_ID")]
    document: Option<String>,
}

/// Finds the address and opens it.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    let environment = Environment::of_process();
    let address = block_on(address(&environment, args.document.as_deref()))?;
    print(format!("{address}\n").as_bytes())?;
    if !args.print {
        open(&address)?;
    }
    Ok(())
}

/// The address of the page.
pub(super) async fn address(
    environment: &Environment,
    document: Option<&str>,
) -> Result<String, Error> {
    let credentials = credentials(environment)?;
    let api = Api::new(&credentials)?;
    let me = api.get("/me", &[]).await?;
    let metadata = match me["environment"].as_str() {
        Some("sandbox") => "/.well-known/oauth-authorization-server/sandbox",
        _ => "/.well-known/oauth-authorization-server",
    };
    let metadata = api.beside(metadata).await?;
    let authorize = metadata["authorization_endpoint"].as_str();
    let portal = authorize.and_then(|endpoint| endpoint.strip_suffix(AUTHORIZE));
    let Some(portal) = portal else {
        return Err(Error::Failed("the service has no portal".to_owned()));
    };
    let Some(document) = document else { return Ok(format!("{portal}/organization")) };
    let document: DocumentId = document.parse().map_err(|_| {
        Error::Usage("a document's id begins with doc_: see `access-point documents`".to_owned())
    })?;
    let Some(taxpayer) = &credentials.taxpayer_id else {
        let why = "ACCESS_POINT_TAXPAYER is not set: set it to the taxpayer of the document";
        return Err(Error::Unreadable(why.to_owned()));
    };
    // The service refuses a document of another taxpayer, before a browser shows that.
    api.get(&format!("/invoices/{document}"), &[]).await?;
    Ok(format!("{portal}/organization/taxpayers/{taxpayer}/documents/{document}"))
}

/// How often, and after which pauses, the desktop is asked whether it took the address. A desktop program that is the
/// browser itself runs on.
const LOOKS: u32 = 40;
const PAUSE: Duration = Duration::from_millis(50);

/// Hands an address to the desktop.
fn open(address: &str) -> Result<(), Error> {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let failed = |why| Error::failed(program, why);
    let mut child = command.spawn().map_err(failed)?;
    for _ in 0..LOOKS {
        match child.try_wait().map_err(failed)? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(Error::failed(program, status)),
            None => thread::sleep(PAUSE),
        }
    }
    Ok(())
}
