//! The guides and the changelog. Their examples are files that the end-to-end tests run as they stand.

use askama::Template;
use axum::response::Response;

use super::{Around, page};

/// A program in one language.
struct Snippet {
    language: &'static str,
    /// What it is called; the tests run it under that name.
    file: &'static str,
    text: &'static str,
}

macro_rules! snippets {
    ($($language:literal $folder:literal $file:literal),* $(,)?) => {
        &[$(Snippet {
            language: $language,
            file: $file,
            text: include_str!(concat!("../../templates/", $folder, "/", $file)),
        }),*]
    };
}

const FIRST_INVOICE: &[Snippet] = snippets![
    "curl" "docs/examples" "first-invoice.sh",
    "Python" "docs/examples" "first_invoice.py",
    "TypeScript" "docs/examples" "first-invoice.ts",
    "Java" "docs/examples" "FirstInvoice.java",
    "C#" "docs/examples" "FirstInvoice.cs",
];
const CONNECT: &[Snippet] = snippets![
    "curl" "docs/examples" "connect.sh",
    "Python" "docs/examples" "connect.py",
    "TypeScript" "docs/examples" "connect.ts",
    "Java" "docs/examples" "Connect.java",
    "C#" "docs/examples" "Connect.cs",
];
const ENDPOINT: &[Snippet] = snippets![
    "curl" "docs/examples" "webhook.sh",
    "Python" "docs/examples" "webhook.py",
    "TypeScript" "docs/examples" "webhook.ts",
    "Java" "docs/examples" "Webhook.java",
    "C#" "docs/examples" "Webhook.cs",
];
const VERIFY: &[Snippet] = snippets![
    "Python" "verify" "verify.py",
    "JavaScript" "verify" "verify.mjs",
    "Java" "verify" "WebhookVerifier.java",
    "C#" "verify" "WebhookVerifier.cs",
    "Go" "verify" "verify.go",
    "Rust" "verify" "verify.rs",
];
const CREDIT_NOTE: &[Snippet] = snippets![
    "curl" "docs/examples" "credit-note.sh",
    "Python" "docs/examples" "credit_note.py",
    "TypeScript" "docs/examples" "credit-note.ts",
    "Java" "docs/examples" "CreditNote.java",
    "C#" "docs/examples" "CreditNote.cs",
];
const ERRORS: &[Snippet] = snippets![
    "curl" "docs/examples" "errors.sh",
    "Python" "docs/examples" "errors.py",
    "TypeScript" "docs/examples" "errors.ts",
    "Java" "docs/examples" "Errors.java",
    "C#" "docs/examples" "Errors.cs",
];

/// A guide: its path below `/docs/guides`, its title and what it leads to.
struct Guide {
    name: &'static str,
    title: &'static str,
    about: &'static str,
}

const GUIDES: [Guide; 5] = [
    Guide {
        name: "first-invoice",
        title: "A first invoice",
        about: "Send an invoice in Sandbox, read it back, and know what a retry does.",
    },
    Guide {
        name: "connect",
        title: "Connect a taxpayer",
        about: "Have a business approve that your application acts for it: OAuth 2.0 with PKCE.",
    },
    Guide {
        name: "webhooks",
        title: "Webhooks",
        about: "Hear what becomes of documents, verify that it was us, and find what you missed.",
    },
    Guide {
        name: "corrections",
        title: "Corrections",
        about: "Credit notes, documents that were rejected, and what was reported of them.",
    },
    Guide {
        name: "errors",
        title: "What an error means",
        about: "Tell what to mend from what to retry, and find the field and the rule.",
    },
];

#[derive(Template)]
#[template(path = "docs/guides/first_invoice.html")]
struct FirstInvoice {
    around: Around,
    snippets: &'static [Snippet],
}

#[derive(Template)]
#[template(path = "docs/guides/connect.html")]
struct Connect {
    around: Around,
    snippets: &'static [Snippet],
}

#[derive(Template)]
#[template(path = "docs/guides/webhooks.html")]
struct Webhooks {
    around: Around,
    endpoint: &'static [Snippet],
    verify: &'static [Snippet],
}

#[derive(Template)]
#[template(path = "docs/guides/corrections.html")]
struct Corrections {
    around: Around,
    snippets: &'static [Snippet],
}

#[derive(Template)]
#[template(path = "docs/guides/errors.html")]
struct Errors {
    around: Around,
    snippets: &'static [Snippet],
}

/// A guide by its name.
pub(super) fn of(name: &str) -> Option<Response> {
    let guide = GUIDES.iter().find(|guide| guide.name == name)?;
    let around = Around::new(guide.title, "guides");
    Some(match guide.name {
        "first-invoice" => page(&FirstInvoice { around, snippets: FIRST_INVOICE }),
        "connect" => page(&Connect { around, snippets: CONNECT }),
        "webhooks" => page(&Webhooks { around, endpoint: ENDPOINT, verify: VERIFY }),
        "corrections" => page(&Corrections { around, snippets: CREDIT_NOTE }),
        _ => page(&Errors { around, snippets: ERRORS }),
    })
}

/// Where the documentation begins.
#[derive(Template)]
#[template(path = "docs/index.html")]
pub(super) struct Index {
    around: Around,
    guides: &'static [Guide],
}

impl Index {
    pub(super) fn new() -> Self {
        Index { around: Around::new("Guides", "guides"), guides: &GUIDES }
    }
}

/// What has changed in the API, the latest first.
#[derive(Template)]
#[template(path = "docs/changelog.html")]
pub(super) struct Changelog {
    around: Around,
}

impl Changelog {
    pub(super) fn new() -> Self {
        Changelog { around: Around::new("Changelog", "changelog") }
    }
}
