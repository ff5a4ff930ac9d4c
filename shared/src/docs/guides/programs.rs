//! The programs of the guides, each in several languages. The end-to-end tests run these files unchanged.

/// A program in one language.
pub(in crate::docs) struct Program {
    pub(in crate::docs) language: &'static str,
    /// The name under which the tests run it.
    pub(in crate::docs) file: &'static str,
    pub(in crate::docs) text: &'static str,
}

macro_rules! programs {
    ($($language:literal $folder:literal $file:literal),* $(,)?) => {
        &[$(Program {
            language: $language,
            file: $file,
            text: include_str!(concat!("../../../templates/", $folder, "/", $file)),
        }),*]
    };
}

pub(super) const PROGRAMS: [(&str, &[Program]); 6] = [
    (
        "first-invoice",
        programs![
            "curl" "docs/examples" "first-invoice.sh",
            "Python" "docs/examples" "first_invoice.py",
            "TypeScript" "docs/examples" "first-invoice.ts",
            "Java" "docs/examples" "FirstInvoice.java",
            "C#" "docs/examples" "FirstInvoice.cs",
        ],
    ),
    (
        "connect",
        programs![
            "curl" "docs/examples" "connect.sh",
            "Python" "docs/examples" "connect.py",
            "TypeScript" "docs/examples" "connect.ts",
            "Java" "docs/examples" "Connect.java",
            "C#" "docs/examples" "Connect.cs",
        ],
    ),
    (
        "webhook",
        programs![
            "curl" "docs/examples" "webhook.sh",
            "Python" "docs/examples" "webhook.py",
            "TypeScript" "docs/examples" "webhook.ts",
            "Java" "docs/examples" "Webhook.java",
            "C#" "docs/examples" "Webhook.cs",
        ],
    ),
    (
        "verify",
        programs![
            "Python" "verify" "verify.py",
            "JavaScript" "verify" "verify.mjs",
            "Java" "verify" "WebhookVerifier.java",
            "C#" "verify" "WebhookVerifier.cs",
            "Go" "verify" "verify.go",
            "Rust" "verify" "verify.rs",
        ],
    ),
    (
        "credit-note",
        programs![
            "curl" "docs/examples" "credit-note.sh",
            "Python" "docs/examples" "credit_note.py",
            "TypeScript" "docs/examples" "credit-note.ts",
            "Java" "docs/examples" "CreditNote.java",
            "C#" "docs/examples" "CreditNote.cs",
        ],
    ),
    (
        "errors",
        programs![
            "curl" "docs/examples" "errors.sh",
            "Python" "docs/examples" "errors.py",
            "TypeScript" "docs/examples" "errors.ts",
            "Java" "docs/examples" "Errors.java",
            "C#" "docs/examples" "Errors.cs",
        ],
    ),
];
