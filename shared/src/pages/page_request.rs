//! The request of a page: language, mode and browser.

use std::{convert::Infallible, net::IpAddr, sync::Arc};

use axum::{
    extract::{FromRequestParts, Request},
    http::{HeaderMap, Method, StatusCode, header, request::Parts},
    response::{Html, IntoResponse, Response},
};

use super::{
    App, Frame, Nav, PageError,
    assets::{ASSETS, Look},
    cookies, security,
    theme::{THEME, Theme},
};
use crate::{
    access::{By, Holder, Origin, Permission, Role},
    error::{Code, Failure},
    i18n::Language,
    log::{ClientAddress, RequestId},
    service::{
        members,
        sessions::{self, CurrentSession, SignedIn, SignedInMember},
    },
    store::Rate,
    types::{Mode, OpaqueToken},
};

/// The beginning of all Sandbox paths.
pub const SANDBOX: &str = "/sandbox";
/// The parameter that chooses a language.
const LANG: &str = "lang";
/// The parameter with the name of a completed action.
pub(super) const DONE: &str = "done";

/// A request for a page. It is parsed before any handler and never refused: a missing or invalid cookie counts as
/// absent.
// No `Debug`: the query can contain a link's token.
#[derive(Clone)]
pub struct PageRequest {
    /// Live or Sandbox, from the path only.
    pub mode: Mode,
    /// The language of the answer: from the parameter `lang`, the cookie, or the browser's preference.
    pub language: Language,
    /// The theme of the answer: from the parameter `theme`, or the cookie.
    pub theme: Theme,
    /// How the service looks.
    pub(crate) look: Arc<Look>,
    /// The browser's token.
    pub browser: OpaqueToken,
    /// The session token in the cookie of this mode; the store decides whether it is valid.
    pub session: Option<OpaqueToken>,
    /// The address of the client, if the runtime knows it.
    pub address: Option<IpAddr>,
    /// The id of the request.
    pub request_id: String,
    user_agent: Option<String>,
    path: String,
    query: String,
    is_new_browser: bool,
    is_language_chosen: bool,
    is_theme_chosen: bool,
    /// Whether a form was sent; its answer cannot be reloaded.
    is_form: bool,
}

impl PageRequest {
    /// Parses a request.
    pub(super) fn of(app: &App, look: &Arc<Look>, http_request: &Request) -> Self {
        let (uri, headers) = (http_request.uri(), http_request.headers());
        let mode = mode(uri.path());
        let known = cookies::token(headers, cookies::BROWSER);
        let is_new_browser = known.is_none();
        let query = uri.query().unwrap_or_default().to_owned();
        let chosen = chosen_language(&query);
        let chosen_theme = parameter(&query, THEME).and_then(|word| Theme::of_word(&word));
        let request_id = match http_request.extensions().get::<RequestId>() {
            Some(RequestId(id)) if !id.is_empty() => id.clone(),
            _ => app.ctx.new_uuid().to_string(),
        };
        PageRequest {
            mode,
            language: chosen.unwrap_or_else(|| usual_language(headers)),
            theme: chosen_theme.or_else(|| Theme::kept(headers)).unwrap_or_default(),
            look: look.clone(),
            browser: known.unwrap_or_else(|| OpaqueToken::generate(&*app.ctx.random)),
            session: cookies::token(headers, cookies::session(mode)),
            address: http_request.extensions().get::<ClientAddress>().map(|address| address.0),
            request_id,
            user_agent: headers
                .get(header::USER_AGENT)
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned),
            path: uri.path().to_owned(),
            query,
            is_new_browser,
            is_language_chosen: chosen.is_some(),
            is_theme_chosen: chosen_theme.is_some(),
            is_form: http_request.method() == Method::POST,
        }
    }

    /// The origin of the request, for the audit trail.
    pub fn origin(&self) -> Origin {
        let address = self.address.map(|address| address.to_string());
        Origin::new(address, self.user_agent.as_deref(), Some(self.request_id.clone()))
    }

    /// Counts a request against a limit in this mode. Beyond the limit it is an error that says when to come again.
    pub(super) async fn count(&self, app: &App, rate: Rate, key: &str) -> Result<(), PageError> {
        let taken = app.ctx.store.take_one(self.mode, rate, key, app.ctx.now()).await;
        let taken = taken.map_err(Failure::from)?;
        if taken.is_given { Ok(()) } else { Err(PageError::TooOften(taken)) }
    }

    /// The owner of the browser's session, if it is valid.
    pub async fn current(&self, app: &App) -> Result<Option<CurrentSession>, PageError> {
        let Some(session) = &self.session else { return Ok(None) };
        Ok(sessions::current(&app.ctx, self.mode, session).await?)
    }

    /// The signed-in taxpayer, if there is one. A member of an organization does not count.
    pub async fn who(&self, app: &App) -> Result<Option<SignedIn>, PageError> {
        Ok(self.current(app).await?.and_then(CurrentSession::taxpayer))
    }

    /// The signed-in taxpayer. Without one, redirects to the sign-in page and back.
    pub async fn signed_in(&self, app: &App) -> Result<SignedIn, PageError> {
        let signed_in = self.who(app).await?;
        signed_in.ok_or_else(|| self.sign_in_first())
    }

    /// The signed-in taxpayer that sent a form.
    pub(super) async fn acting_taxpayer(&self, app: &App) -> Result<SignedIn, PageError> {
        self.who(app).await?.ok_or(PageError::Forged("the session has ended"))
    }

    /// The signed-in member of an organization, if there is one.
    pub(super) async fn who_of_organization(
        &self,
        app: &App,
    ) -> Result<Option<SignedInMember>, PageError> {
        Ok(self.current(app).await?.and_then(CurrentSession::member))
    }

    /// The signed-in member with a permission. Without one, redirects to the sign-in page and back.
    pub async fn member(
        &self,
        app: &App,
        permission: Permission,
    ) -> Result<SignedInMember, PageError> {
        let member = self.who_of_organization(app).await?;
        let signed_in = member.ok_or_else(|| self.sign_in_first())?;
        self.admit(app, signed_in, permission).await
    }

    /// The signed-in member, in functions that may not write members. The member's arrival was recorded before, on
    /// another page.
    pub(super) async fn known_member(
        &self,
        app: &App,
        permission: Permission,
    ) -> Result<SignedInMember, PageError> {
        let member = self.who_of_organization(app).await?;
        let signed_in = member.ok_or_else(|| self.sign_in_first())?;
        check(signed_in.member.role, permission)?;
        Ok(signed_in)
    }

    /// Any signed-in member of an organization, without a permission.
    pub async fn any_member(&self, app: &App) -> Result<SignedInMember, PageError> {
        let member = self.who_of_organization(app).await?;
        let signed_in = member.ok_or_else(|| self.sign_in_first())?;
        self.arrived(app, signed_in).await
    }

    /// The member with a permission who sent a form.
    pub async fn acting(
        &self,
        app: &App,
        permission: Permission,
    ) -> Result<(SignedInMember, By), PageError> {
        let (signed_in, by) = self.acting_as_known(app, permission).await?;
        Ok((self.arrived(app, signed_in).await?, by))
    }

    /// The member with a permission who sent a form, in the function that changes grants, which may not write members.
    /// The member's arrival was recorded when the page of the form was shown.
    pub(super) async fn acting_as_known(
        &self,
        app: &App,
        permission: Permission,
    ) -> Result<(SignedInMember, By), PageError> {
        let member = self.who_of_organization(app).await?;
        let signed_in = member.ok_or(PageError::Forged("the session of the member has ended"))?;
        check(signed_in.member.role, permission)?;
        let by = By { actor: Holder::from(&signed_in.member).actor(), origin: self.origin() };
        Ok((signed_in, by))
    }

    async fn admit(
        &self,
        app: &App,
        signed_in: SignedInMember,
        permission: Permission,
    ) -> Result<SignedInMember, PageError> {
        check(signed_in.member.role, permission)?;
        self.arrived(app, signed_in).await
    }

    /// Records a member's first arrival.
    async fn arrived(
        &self,
        app: &App,
        signed_in: SignedInMember,
    ) -> Result<SignedInMember, PageError> {
        let by = By { actor: Holder::from(&signed_in.member).actor(), origin: self.origin() };
        members::joined(&app.ctx, &signed_in.member, &by).await?;
        Ok(signed_in)
    }

    /// Redirects to the sign-in page, and then back here.
    pub(super) fn sign_in_first(&self) -> PageError {
        let query = if self.query.is_empty() { "" } else { "?" };
        let here = format!("{}{query}{}", self.path, self.query);
        let mut then = form_urlencoded::Serializer::new(String::new());
        let then = then.append_pair("continue", &here).finish();
        PageError::SignInFirst(format!("{}?{then}", self.path("/sign-in")))
    }

    /// The frame for templates.
    pub fn frame(&self) -> Frame<'_> {
        Frame::new(self, None, Nav::None)
    }

    /// The frame for a signed-in person, with the name and a sign-out button.
    pub fn frame_for<'a>(&'a self, name: &'a str) -> Frame<'a> {
        Frame::new(self, Some(name), Nav::None)
    }

    /// The frame with the navigation of the portal, wide enough for tables.
    pub fn frame_in<'a>(&'a self, nav: Nav, name: &'a str) -> Frame<'a> {
        Frame::new(self, Some(name), nav)
    }

    /// Renders a template.
    pub fn page(
        &self,
        status: StatusCode,
        template: &impl askama::Template,
    ) -> Result<Response, PageError> {
        match template.render() {
            Ok(page) => Ok((status, Html(page)).into_response()),
            Err(error) => {
                let message = "A page could not be written.";
                Err(Failure::new(Code::InternalError, message).because(error).into())
            }
        }
    }

    /// Renders a template whose script may call the service: to request the page again, or to check a form.
    pub(super) fn page_in_progress(
        &self,
        status: StatusCode,
        template: &impl askama::Template,
    ) -> Result<Response, PageError> {
        let mut response = self.page(status, template)?;
        security::allow_calls(response.headers_mut());
        Ok(response)
    }

    /// A path of this mode: `/sign-in` is `/sandbox/sign-in` in Sandbox.
    pub fn path(&self, path: &str) -> String {
        match self.mode {
            Mode::Live => path.to_owned(),
            Mode::Sandbox => format!("{SANDBOX}{path}"),
        }
    }

    /// The path of this mode's front page.
    pub(super) fn start(&self) -> String {
        match self.mode {
            Mode::Live => "/".to_owned(),
            Mode::Sandbox => SANDBOX.to_owned(),
        }
    }

    /// The path without the one of its mode.
    pub(super) fn path_below_mode(&self) -> &str {
        match self.mode {
            Mode::Live => &self.path,
            Mode::Sandbox => self.path.strip_prefix(SANDBOX).unwrap_or(&self.path),
        }
    }

    /// This request as if it were made in the other mode.
    pub(super) fn in_other_mode(&self) -> PageRequest {
        let (mode, path) = match self.mode {
            Mode::Live => (Mode::Sandbox, format!("{SANDBOX}{}", self.path)),
            Mode::Sandbox => (Mode::Live, self.path_below_mode().to_owned()),
        };
        PageRequest { mode, path, ..self.clone() }
    }

    /// This request as if it were for the page of a form's answer. A form cannot be repeated by a link, so the links of
    /// the answer are those of that page.
    pub(super) fn at(&self, page: &str) -> PageRequest {
        let (path, query) = page.split_once('?').unwrap_or((page, ""));
        let (path, query) = (path.to_owned(), query.to_owned());
        PageRequest { path, query, is_form: false, ..self.clone() }
    }

    /// The address of the same page in another language; `None` for the answer to a form without a page.
    pub(super) fn in_language(&self, language: Language) -> Option<String> {
        (!self.is_form).then(|| self.with(&[], (LANG, language.tag())))
    }

    /// The address of the same page in another theme; `None` for the answer to a form without a page.
    pub(super) fn in_theme(&self, theme: Theme) -> Option<String> {
        (!self.is_form).then(|| self.with(&[], (THEME, theme.word())))
    }

    /// The address of a list's next page, without the notice of a completed action.
    pub(super) fn further(&self, parameter: &str, value: &str) -> String {
        self.with(&[DONE], (parameter, value))
    }

    /// This page with one parameter changed and others removed.
    fn with(&self, without: &[&str], (parameter, value): (&str, &str)) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in form_urlencoded::parse(self.query.as_bytes()) {
            if name != parameter && !without.contains(&&*name) {
                query.append_pair(&name, &value);
            }
        }
        format!("{}?{}", self.path, query.append_pair(parameter, value).finish())
    }

    /// The value of a parameter of the query; an error when it is there twice.
    pub fn parameter(&self, name: &str) -> Result<Option<String>, PageError> {
        let mut values = form_urlencoded::parse(self.query.as_bytes())
            .filter(|(found, _)| found == name)
            .map(|(_, value)| value.into_owned());
        let value = values.next();
        match values.next() {
            None => Ok(value),
            Some(_) => Err(PageError::Unreadable(format!("the parameter {name} is repeated"))),
        }
    }

    /// The cookies that a page leaves behind.
    pub(super) fn leave_cookies(&self, headers: &mut HeaderMap) {
        if self.is_new_browser {
            cookies::set_token(headers, cookies::BROWSER, &self.browser);
        }
        if self.is_language_chosen {
            cookies::set_choice(headers, cookies::LANGUAGE, self.language.tag());
        }
        if self.is_theme_chosen {
            cookies::set_choice(headers, cookies::THEME, self.theme.word());
        }
    }

    /// The path, for the log and for links: no query, which can hold a link's token.
    pub(super) fn path_alone(&self) -> &str {
        &self.path
    }
}

/// Whether a role allows something; the page that says so where it does not.
fn check(role: Role, permission: Permission) -> Result<(), PageError> {
    if role.may(permission) {
        return Ok(());
    }
    Err(PageError::Explained {
        status: StatusCode::FORBIDDEN,
        title: "not-allowed-title",
        text: "not-allowed-text",
        cause: format!("the role {} does not allow this", role.as_str()),
    })
}

/// The mode of a path.
fn mode(path: &str) -> Mode {
    match path.strip_prefix(SANDBOX) {
        Some("") => Mode::Sandbox,
        Some(rest) if rest.starts_with('/') => Mode::Sandbox,
        _ => Mode::Live,
    }
}

fn chosen_language(query: &str) -> Option<Language> {
    parameter(query, LANG).and_then(|tag| Language::of_tag(&tag))
}

/// The first value of a parameter.
fn parameter(query: &str, wanted: &str) -> Option<String> {
    let mut found = form_urlencoded::parse(query.as_bytes());
    found.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}

fn usual_language(headers: &HeaderMap) -> Language {
    let kept = cookies::value(headers, cookies::LANGUAGE).and_then(Language::of_tag);
    let preferred = || {
        let header = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
        Language::of_preferences(header)
    };
    kept.or_else(preferred).unwrap_or_default()
}

/// A redirect to a page, by GET whatever was sent (RFC 9110, section 15.4.4). RFC 9700, section 4.12: never 307, with
/// which a browser would send a form on.
pub fn see_other(location: &str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

impl FromRequestParts<App> for PageRequest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        match parts.extensions.get::<PageRequest>() {
            Some(request) => Ok(request.clone()),
            // The edge has put it there; a router without it has no browser yet.
            None => {
                let look = Arc::new(Look::new(ASSETS, &app.brand));
                let request = Request::from_parts(parts.clone(), Default::default());
                Ok(PageRequest::of(app, &look, &request))
            }
        }
    }
}
