//! Tests of the pages with a simulated browser. Each request goes through the whole router; the browser stores cookies
//! by the rules, and fills in and submits the forms of a page.

mod attention;
mod calls;
mod columns;
mod components;
mod connect;
mod document_list;
mod document_page;
mod documents;
mod edge;
mod first_steps;
mod lately;
mod mails;
mod notifications;
mod onboard;
mod organization;
mod papers;
mod service_status;
mod sign_in;
mod sign_up;
mod sweep;
mod timeline;
mod webhooks;
mod workbook;
mod write;

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderMap, Method, Request, StatusCode, header},
};
use tower::ServiceExt;

use super::{App, router};
use crate::{log::ClientAddress, testing::World, types::Brand};

const ORIGIN: &str = "https://portal.example.com";

/// The state of the pages of a world.
fn app(world: &World) -> App {
    Arc::new(world.portal(ORIGIN))
}

/// A browser: its cookies, its language, its address.
#[derive(Clone)]
struct Browser {
    router: Router,
    cookies: BTreeMap<String, String>,
    language: &'static str,
    address: [u8; 4],
    /// Additional headers of every form.
    headers: Vec<(&'static str, &'static str)>,
}

/// A received page.
struct Given {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Given {
    fn header(&self, name: impl header::AsHeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn location(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.body);
        self.header(header::LOCATION)
    }

    fn set_cookies(&self) -> Vec<&str> {
        let all = self.headers.get_all(header::SET_COOKIE).iter();
        all.map(|cookie| cookie.to_str().unwrap()).collect()
    }

    /// The text of the page, without its tags.
    fn text(&self) -> String {
        let mut text = String::new();
        for part in self.body.split('<') {
            text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
        }
        text.replace(['\u{2068}', '\u{2069}'], "")
    }

    /// The value of an attribute of the first element that has `marks`.
    fn attribute(&self, marks: &str, name: &str) -> String {
        let element = self.body.split('<').find(|part| part.contains(marks));
        let element = element.unwrap_or_else(|| panic!("no {marks} in {}", self.body));
        let value = element.split_once(&format!("{name}=\"")).unwrap().1.split('"').next();
        value.unwrap().replace("&#38;", "&").replace("&amp;", "&")
    }

    /// The targets of the page's links at its own origin.
    fn links(&self) -> Vec<String> {
        let links = self.body.split(" href=\"/").skip(1);
        let links = links.filter_map(|rest| rest.split('"').next());
        links.map(|rest| format!("/{}", rest.replace("&#38;", "&"))).collect()
    }

    /// The prefilled fields of the form with this action.
    fn hidden(&self, action: &str) -> Vec<(String, String)> {
        let mut forms = self.body.split("<form ").skip(1);
        let form = forms.find(|form| form.contains(&format!("\"{action}\"")));
        let form = form.unwrap_or_else(|| panic!("no form {action} in {}", self.body));
        let inputs = form.split("</form>").next().unwrap().split("<input ").skip(1);
        let hidden = inputs.filter(|input| input.contains("type=\"hidden\""));
        hidden
            .map(|input| {
                let value = |name: &str| {
                    let found = input.split_once(&format!("{name}=\"")).unwrap().1;
                    let found = found.split('"').next().unwrap();
                    found.replace("&#38;", "&").replace("&#x3d;", "=")
                };
                (value("name"), value("value"))
            })
            .collect()
    }
}

impl Browser {
    fn new(router: Router) -> Self {
        Browser {
            router,
            cookies: BTreeMap::new(),
            language: "en",
            address: [192, 0, 2, 1],
            headers: Vec::new(),
        }
    }

    async fn send(&mut self, method: Method, path: &str, body: Option<String>) -> Given {
        let body = body.map(String::into_bytes);
        self.send_as(method, path, body, "application/x-www-form-urlencoded").await
    }

    async fn send_as(
        &mut self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
        media_type: &str,
    ) -> Given {
        let cookies: Vec<_> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::ACCEPT_LANGUAGE, self.language)
            .extension(ClientAddress(self.address.into()));
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, media_type);
            for (name, value) in &self.headers {
                request = request.header(*name, *value);
            }
        }
        let request = request.body(body.map_or_else(Body::empty, Body::from)).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let given = Given {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        };
        self.keep(&given);
        given
    }

    /// Stores cookies, if a browser would.
    fn keep(&mut self, given: &Given) {
        for cookie in given.set_cookies() {
            let (pair, attributes) = cookie.split_once("; ").unwrap();
            // RFC 6265bis, section 4.1.3.2: "__Host-" needs Secure, Path=/ and no Domain.
            assert!(pair.starts_with("__Host-"), "{cookie}");
            for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"] {
                assert!(attributes.split("; ").any(|found| found == attribute), "{cookie}");
            }
            assert!(!attributes.contains("Domain"), "{cookie}");
            // ASVS 5, 3.3.5: "Verify that when the application writes a cookie, the cookie name and value length
            // combined are not over 4096 bytes."
            assert!(pair.len() <= 4096);
            let (name, value) = pair.split_once('=').unwrap();
            match attributes.contains("Max-Age=0") {
                true => self.cookies.remove(name),
                false => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
    }

    async fn get(&mut self, path: &str) -> Given {
        self.send(Method::GET, path, None).await
    }

    async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Given {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let given = self.send(Method::POST, path, Some(body)).await;
        self.follow(path, &given).await;
        given
    }

    /// Follows every link of a page that answers a form. A form cannot be repeated by a link, so each link must lead to
    /// a page that can be requested, if necessary after sign-in, or to the same answer in the case of an invalid link
    /// from a mail.
    async fn follow(&self, path: &str, given: &Given) {
        for link in given.links() {
            let status = match link.starts_with("/docs") {
                // Another function serves the documentation.
                true => {
                    let request = Request::get(&link).body(Body::empty()).unwrap();
                    let documentation = crate::docs::router(&Brand::default(), None);
                    documentation.oneshot(request).await.unwrap().status()
                }
                false => self.clone().get(&link).await.status,
            };
            let known = [StatusCode::OK, StatusCode::SEE_OTHER, given.status];
            assert!(known.contains(&status), "the answer of {path} has a link to {link}: {status}");
        }
    }

    /// Fills in the form of a page with this action and a file, and submits it as in RFC 7578.
    async fn upload(
        &mut self,
        page: &Given,
        action: &str,
        fields: &[(&str, &str)],
        (name, file): (&str, impl AsRef<[u8]>),
    ) -> Given {
        let hidden = page.hidden(action);
        let hidden = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let mut body = String::new();
        for (name, value) in hidden.chain(fields.iter().copied()) {
            body += &format!(
                "--boundary\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
        }
        body += &format!(
            "--boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: text/csv\r\n\r\n"
        );
        let body = [body.as_bytes(), file.as_ref(), b"\r\n--boundary--\r\n"].concat();
        let media_type = "multipart/form-data; boundary=boundary";
        let given = self.send_as(Method::POST, action, Some(body), media_type).await;
        self.follow(action, &given).await;
        given
    }

    /// Fills in the form of a page with this action, and submits it.
    async fn submit(&mut self, page: &Given, action: &str, fields: &[(&str, &str)]) -> Given {
        let hidden = page.hidden(action);
        let hidden = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let fields: Vec<_> = hidden.chain(fields.iter().copied()).collect();
        self.post(action, &fields).await
    }
}
