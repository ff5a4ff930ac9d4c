//! Documents that a member writes by hand: an invoice or a credit note of a connected business, or a self-billed one, in
//! which the business is the buyer. The server checks what was entered by the pipeline of the API, and sends it as an
//! import of one document. The script of the page checks while the member types; without it, a button does.
//!
//! - `?kind=credit_note` begins a credit note, `?kind=self_billed_invoice` and `?kind=self_billed_credit_note` begin
//!   self-billed documents, otherwise an invoice.
//! - `?from=doc_…` copies a document, `?credit=doc_…` begins a credit note on one.
//! - `?correct=doc_…` begins a correction of a document that was rejected or never arrived.
//! - `?refused=imp_…` continues a document that was refused after it was sent from the form.
//! - `?sample=yes` begins a sample invoice, in Sandbox.
//! - `?draft=imp_…` continues a draft.

mod begin;
mod drafts;
mod entered;
mod fields;
mod findings;
mod page;
mod paths;
mod sample;
mod sent;

use std::collections::BTreeSet;

use axum::{
    Router,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
    routing::{get, post},
};

use self::{
    entered::{Entered, LINES_SHOWN, MAX_LINES},
    fields::party_tin,
    findings::Checked,
    page::{Buyer, Shown, page, part},
};
use super::{
    super::{
        App, Form, LargeForm, PageError, PageRequest, documents::Correction, in_both_modes,
        security::preview_of, see_other,
    },
    caller, connected, frame, imports,
};
use crate::{
    access::{By, Permission, Reader, ReaderKind, Scope},
    document::Operation,
    error::{Code, Failure},
    service::{
        buyers,
        documents::{self, Filter, Stored},
        drafts::delete as delete_draft,
        imports::{Asking, Written, form_id, form_id_of, send_written, written_before},
        page::PageQuery,
        sessions::SignedInMember,
        submit::{Examination, examine},
        taxpayers::Connected,
    },
    store::{Direction, DocumentRecord, PartySummary, PayloadMethod, Rate},
    types::{ImportId, Mode, ParticipantId, Tin, uae_date},
    ubl,
};

/// Checks of an organization, among them those of the script while somebody types.
const CHECKS: Rate =
    Rate { what: "CHECKS", most: 6_000, window: jiff::SignedDuration::from_hours(1) };
/// Lookups of an organization, so that nobody reads a list of businesses.
const LOOKUPS: Rate =
    Rate { what: "LOOKUPS", most: 300, window: jiff::SignedDuration::from_hours(1) };
/// Documents whose buyers are offered.
const BUYERS: u8 = 50;
/// Maximum bytes of a document that is copied.
const MAX_COPIED: usize = 300_000;
/// The field with the pressed button, and the names of the others.
const ACTION: &str = "do";
const KIND: &str = "kind";
const FORM: &str = "form";
const BUYER_OF: &str = "buyer_of";

/// The parameter that begins a sample.
const SAMPLE: &str = "sample";

pub(super) fn routes(router: Router<App>) -> Router<App> {
    let pages = [
        ("/organization/write", get(begin::show)),
        ("/organization/write/check", post(check)),
        ("/organization/write/drafts/delete", post(drafts::delete)),
        ("/organization/write/send", post(act)),
        ("/organization/taxpayers/{taxpayer_id}/write", get(show)),
        ("/organization/taxpayers/{taxpayer_id}/write/drafts", get(drafts::show)),
        ("/organization/taxpayers/{taxpayer_id}/write/{import_id}", get(sent::show)),
    ];
    pages.into_iter().fold(router, |router, (path, page)| in_both_modes(router, path, page))
}

/// The path of a business's form, below the path of the mode.
pub(super) fn path_of(connected: &Connected) -> String {
    format!("/organization/taxpayers/{}/write", connected.taxpayer.taxpayer_id)
}

/// What a handler works with.
struct Desk<'a> {
    app: &'a App,
    request: &'a PageRequest,
    member: &'a SignedInMember,
    connected: &'a Connected,
}

impl Desk<'_> {
    fn page(&self, status: StatusCode, shown: Shown<'_>) -> Result<Response, PageError> {
        let frame = frame(self.request, self.member);
        let path = path_of(self.connected);
        let taxpayer_id = self.connected.taxpayer.taxpayer_id.as_str();
        let of = (self.connected.name(), taxpayer_id, path.as_str());
        page(self.request, frame, of, status, shown)
    }

    fn checked(&self, entered: &Entered, examined: &Examination) -> Checked {
        Checked::of(&frame(self.request, self.member), entered, examined)
    }

    async fn examined(&self, entered: &Entered) -> Result<Examination, PageError> {
        let body = entered.body.to_string();
        let taxpayer = &self.connected.taxpayer;
        Ok(examine(&self.app.ctx, taxpayer, entered.operation, body.as_bytes()).await?)
    }

    /// Counts a check; an error where there were too many.
    async fn count(&self) -> Result<(), PageError> {
        let id = self.member.member.organization_id.as_str();
        self.request.count(self.app, CHECKS, id).await
    }

    fn scopes(&self) -> BTreeSet<Scope> {
        self.connected.grants.iter().flat_map(|grant| &grant.scopes).copied().collect()
    }

    /// Fills in the other party with the TIN that was entered: from the first of the earlier invoices with it, or with
    /// what it has published. The error is the name of a message.
    async fn look_up(
        &self,
        entered: &mut Entered,
        earlier: &[DocumentRecord],
    ) -> Result<Result<(), &'static str>, PageError> {
        let id = self.member.member.organization_id.as_str();
        self.request.count(self.app, LOOKUPS, id).await?;
        let tin = entered.value(party_tin(entered.operation));
        let participant = ParticipantId::new(ParticipantId::TIN_SCHEME, &tin);
        let (Ok(_), Ok(participant)) = (tin.parse::<Tin>(), participant) else {
            return Ok(Err("write-lookup-no-tin"));
        };
        let with_party = earlier.iter().find(|invoice| {
            other_party(invoice).participant_id.as_ref().is_some_and(|id| *id == participant)
        });
        if let Some(invoice) = with_party {
            let content = self.content(invoice.document_id.as_str()).await?.1;
            entered.set_party(&content);
            return Ok(Ok(()));
        }
        let found = buyers::find(&self.app.ctx, self.request.mode, &participant).await?;
        Ok(found.map(|found| entered.name_party(&found)).ok_or("write-lookup-none"))
    }

    /// The latest invoices of this side, self-billed or not, if a grant allows reading those.
    async fn invoices(&self, operation: Operation) -> Result<Vec<DocumentRecord>, PageError> {
        let scopes = self.scopes();
        if !scopes.contains(&Scope::InvoicesRead) {
            return Ok(Vec::new());
        }
        let filter = Filter {
            direction: Some(Direction::Outbound),
            document_type: Some(match operation.is_self_billed() {
                true => Operation::SelfBilledInvoice,
                false => Operation::Invoice,
            }),
            ..Filter::default()
        };
        let asked = PageQuery { cursors: &self.app.cursors, cursor: None, limit: BUYERS };
        let found = documents::list(&self.app.ctx, self.reader(&scopes), &filter, asked).await?;
        Ok(found.items)
    }

    fn reader<'a>(&'a self, scopes: &'a BTreeSet<Scope>) -> Reader<'a> {
        Reader {
            mode: self.request.mode,
            taxpayer_id: &self.connected.taxpayer.taxpayer_id,
            scopes,
            kind: ReaderKind::Person,
        }
    }

    /// A document, and its content in the vocabulary of the send bodies.
    async fn content(
        &self,
        document_id: &str,
    ) -> Result<(DocumentRecord, serde_json::Value), PageError> {
        let (reading, scopes) = (self.app.reading(), self.scopes());
        let reader = self.reader(&scopes);
        let document = documents::get(&self.app.ctx, reader, document_id).await?;
        let sizes = (MAX_COPIED, ubl::MAX_BYTES);
        let render = |_: &_, content: ubl::Content| {
            serde_json::to_vec(&content.body.to_json()).unwrap_or_default()
        };
        let get = PayloadMethod::Get;
        let filed = documents::content(&reading, reader, document_id, sizes, get, render).await?;
        let Stored::Here(bytes) = filed.stored else { return Err(PageError::TooLarge) };
        let content = serde_json::from_slice(&bytes).map_err(|error| {
            Failure::new(Code::InternalError, "A document cannot be copied.").because(error)
        })?;
        Ok((document, content))
    }

    /// The document that a request asks for: a draft, a refused document, a copy, a credit note, a correction, or an
    /// empty one.
    async fn begun(&self) -> Result<(Entered, ImportId), PageError> {
        let new_id = form_id(&self.app.ctx);
        if self.request.mode == Mode::Sandbox && self.request.parameter(SAMPLE)?.is_some() {
            return Ok((Entered::sample(&new_id, uae_date(self.app.ctx.now())), new_id));
        }
        if let Some(draft_id) = self.request.parameter("draft")? {
            return self.draft(&draft_id).await;
        }
        if let Some(import_id) = self.request.parameter("refused")? {
            let owner = imports::owner(self.member, self.connected);
            let reading = self.app.reading();
            let (operation, body) = written_before(&reading, owner, &import_id).await?;
            return Ok((Entered::of_stored(operation, &body)?, new_id));
        }
        if let Some(document_id) = self.request.parameter("correct")? {
            let (document, content) = self.content(&document_id).await?;
            let rejected = match Correction::of(&document) {
                Some(Correction::OfRejected) => Some(&*document_id),
                Some(Correction::OfFailed) => None,
                None => return Err(not_written_here()),
            };
            return Ok((Entered::correction(document.operation, rejected, content), new_id));
        }
        if let Some(document_id) = self.request.parameter("credit")? {
            let (document, content) = self.content(&document_id).await?;
            let operation = match document.operation {
                Operation::Invoice => Operation::CreditNote,
                Operation::SelfBilledInvoice => Operation::SelfBilledCreditNote,
                _ => return Err(not_written_here()),
            };
            return Ok((Entered::credit(operation, &document_id, content), new_id));
        }
        if let Some(document_id) = self.request.parameter("from")? {
            let (document, content) = self.content(&document_id).await?;
            return Ok((Entered::copy(document.operation, content), new_id));
        }
        Ok((Entered::new(kind(self.request.parameter(KIND)?.as_deref())?), new_id))
    }
}

/// The kind of document.
fn kind(name: Option<&str>) -> Result<Operation, PageError> {
    match name.map(Operation::from_name) {
        None => Ok(Operation::Invoice),
        Some(Some(operation)) => Ok(operation),
        Some(None) => Err(PageError::Unreadable("the kind of document is invalid".to_owned())),
    }
}

/// The party of a document of the business that a person enters: the seller in self-billing, otherwise the buyer.
fn other_party(document: &DocumentRecord) -> &PartySummary {
    if document.operation.is_self_billed() { &document.supplier } else { &document.customer }
}

/// The error for a document that the form cannot begin with.
fn not_written_here() -> PageError {
    PageError::Explained {
        status: StatusCode::BAD_REQUEST,
        title: "write-other-title",
        text: "write-other-text",
        cause: "the document cannot be copied or credited in the form".to_owned(),
    }
}

fn form_expired() -> PageError {
    PageError::Explained {
        status: StatusCode::GONE,
        title: "write-expired-title",
        text: "write-expired-text",
        cause: "the form was shown too long ago".to_owned(),
    }
}

async fn show(
    State(app): State<App>,
    request: PageRequest,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Develop).await?;
    let connected = connected(&app, &member, &taxpayer_id, imports::are_taken).await?;
    let desk = Desk { app: &app, request: &request, member: &member, connected: &connected };
    let (entered, form_id) = desk.begun().await?;
    if entered.lines() > MAX_LINES {
        return Err(PageError::TooLarge);
    }
    let buyers = Buyer::of_all(desk.invoices(entered.operation).await?);
    // What a copy lacks is shown at once; an empty form has no errors yet.
    let examined = match entered.lines() {
        0 => None,
        _ => Some(desk.examined(&entered).await?),
    };
    let shown = Shown {
        checked: examined.map(|it| desk.checked(&entered, &it)),
        entered: &entered,
        form_id,
        all_rows: false,
        buyers: &buyers,
        notice: None,
        problem: None,
    };
    desk.page(StatusCode::OK, shown)
}

/// The buttons of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Check,
    Preview,
    Send,
    Save,
    Buyer,
    /// Looks the buyer up by its TIN.
    Lookup,
    /// Shows all rows of this part of the lines.
    Grow,
    /// Shows the lines from this one on.
    Lines(usize),
}

impl Action {
    fn of(form: &Form) -> Self {
        match form.field(ACTION) {
            "preview" => Action::Preview,
            "send" => Action::Send,
            "save" => Action::Save,
            "buyer" => Action::Buyer,
            "lookup" => Action::Lookup,
            "grow" => Action::Grow,
            // The browser's default button, and anything else, sends nothing.
            other => match other.strip_prefix("lines-").map(str::parse) {
                Some(Ok(first)) => Action::Lines(first),
                _ => Action::Check,
            },
        }
    }
}

/// The content of a form, and its identifier.
fn entered(app: &App, form: &Form) -> Result<(Entered, ImportId), PageError> {
    let operation = kind(Some(form.field(KIND)))?;
    let form_id = form_id_of(&app.ctx, form.field(FORM)).ok_or_else(form_expired)?;
    Ok((Entered::of_form(form, operation)?, form_id))
}

async fn act(State(app): State<App>, LargeForm(form): LargeForm) -> Result<Response, PageError> {
    let (member, by) = form.request.acting(&app, Permission::Develop).await?;
    let connected = imports::named(&app, &member, &form).await?;
    let (mut entered, form_id) = entered(&app, &form)?;
    let here = format!("{}?{KIND}={}", path_of(&connected), entered.operation);
    let request = &form.request_to(&here);
    let desk = Desk { app: &app, request, member: &member, connected: &connected };
    desk.count().await?;
    let action = Action::of(&form);
    let (mut status, mut notice, mut problem, mut all_rows) = (StatusCode::OK, None, None, false);
    let mut earlier = None;
    match action {
        Action::Save => match desk.save(&entered, &form_id).await? {
            None => notice = Some("write-saved"),
            refused => (status, problem) = (StatusCode::BAD_REQUEST, refused),
        },
        Action::Buyer => match form.field(BUYER_OF) {
            "" => problem = Some("write-buyer-none"),
            id => entered.set_party(&desk.content(id).await?.1),
        },
        Action::Lookup => {
            let earlier = earlier.insert(desk.invoices(entered.operation).await?);
            match desk.look_up(&mut entered, earlier).await? {
                Ok(()) => notice = Some("write-lookup-done"),
                Err(why) => problem = Some(why),
            }
        }
        Action::Grow => all_rows = true,
        Action::Lines(first) => {
            let last = (entered.lines() / LINES_SHOWN * LINES_SHOWN).min(MAX_LINES - LINES_SHOWN);
            entered.first = (first / LINES_SHOWN * LINES_SHOWN).min(last);
        }
        Action::Check | Action::Preview | Action::Send => {}
    }
    let examined = desk.examined(&entered).await?;
    let checked = desk.checked(&entered, &examined);
    match action {
        Action::Preview => match examined.preview(request.language)? {
            Some(page) => return Ok(preview_of(page)),
            None => problem = Some("write-no-preview"),
        },
        Action::Send if checked.is_sendable() => match desk.send(by, &entered, &form_id).await {
            Ok(import_id) => {
                let path = request.path(&path_of(&connected));
                return Ok(see_other(&format!("{path}/{import_id}")));
            }
            Err(failure) => {
                (status, problem) = (StatusCode::BAD_REQUEST, Some(refused_by(failure)?));
            }
        },
        Action::Send => (status, problem) = (StatusCode::BAD_REQUEST, Some("write-has-errors")),
        _ => {}
    }
    let earlier = match earlier {
        Some(earlier) => earlier,
        None => desk.invoices(entered.operation).await?,
    };
    let buyers = Buyer::of_all(earlier);
    let is_shown =
        !matches!(action, Action::Grow | Action::Lines(_) | Action::Buyer | Action::Lookup);
    let shown = Shown {
        entered: &entered,
        form_id,
        checked: is_shown.then_some(checked),
        all_rows,
        buyers: &buyers,
        notice,
        problem,
    };
    desk.page(status, shown)
}

/// The message for a refusal that the member can do something about.
fn refused_by(failure: Failure) -> Result<&'static str, PageError> {
    match failure.code {
        Code::SubscriptionRequired => Ok("refused-subscription"),
        Code::BillingStatusUnavailable => Ok("refused-billing-unknown"),
        Code::QueuedDeliveryDisabled => Ok("refused-queued-delivery"),
        _ => Err(failure.into()),
    }
}

impl Desk<'_> {
    /// Sends the document as an import. Its draft has served its purpose.
    async fn send(
        &self,
        by: By,
        entered: &Entered,
        form_id: &ImportId,
    ) -> Result<ImportId, Failure> {
        let (credential, grant_ids) =
            (caller(self.member).credential, imports::sending(self.connected));
        let asking = Asking { asked_by: credential, grant_ids, by };
        let written = Written {
            import_id: form_id.as_str(),
            operation: entered.operation,
            name: Some(entered.number()),
            body: &entered.body,
        };
        let owner = imports::owner(self.member, self.connected);
        let import_id = send_written(self.app, owner, asking, written).await?;
        delete_draft(&self.app.ctx, owner, form_id).await?;
        Ok(import_id)
    }
}

/// The findings and totals of what was entered so far, for the script of the page.
async fn check(State(app): State<App>, LargeForm(form): LargeForm) -> Result<Response, PageError> {
    let request = &form.request;
    let (member, _) = request.acting(&app, Permission::Develop).await?;
    let connected = imports::named(&app, &member, &form).await?;
    let (entered, _) = entered(&app, &form)?;
    let desk = Desk { app: &app, request, member: &member, connected: &connected };
    desk.count().await?;
    let examined = desk.examined(&entered).await?;
    let checked = desk.checked(&entered, &examined);
    part(request, frame(request, &member), checked)
}
