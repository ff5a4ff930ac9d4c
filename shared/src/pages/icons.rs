//! The icons of the pages, of the set Lucide (ISC License, `assets/LUCIDE.txt`). They only repeat a word beside them, so
//! assistive technology does not read them.

use std::fmt;

/// An icon, which a template writes as inline SVG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    Home,
    Documents,
    Businesses,
    Key,
    Webhook,
    Events,
    Settings,
    Members,
    Notice,
    Billing,
    Audit,
    Archive,
    Apps,
    Sessions,
    Docs,
    Menu,
    Open,
    SignOut,
    Language,
    Switch,
    Good,
    Bad,
    Warn,
    Waiting,
    Pending,
    Download,
    Search,
    Business,
}

impl Icon {
    /// The shapes, on a grid of 24 units.
    const fn shapes(self) -> &'static str {
        match self {
            Icon::Home => {
                r#"<path d="M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z"/>"#
            }
            Icon::Documents => {
                r#"<path d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5M10 9H8M16 13H8M16 17H8"/>"#
            }
            Icon::Businesses => {
                r#"<path d="M10 12h4M10 8h4M14 21v-3a2 2 0 0 0-4 0v3M6 10H4a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2V9a2 2 0 0 0-2-2h-2M6 21V5a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v16"/>"#
            }
            Icon::Key => {
                r#"<path d="M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z"/><circle cx="16.5" cy="7.5" r=".5" fill="currentColor"/>"#
            }
            Icon::Webhook => {
                r#"<path d="M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2M6 17l3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06M12 6l3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8"/>"#
            }
            Icon::Events => {
                r#"<path d="M22 12h-2.48a2 2 0 0 0-1.93 1.46l-2.35 8.36a.25.25 0 0 1-.48 0L9.24 2.18a.25.25 0 0 0-.48 0l-2.35 8.36A2 2 0 0 1 4.49 12H2"/>"#
            }
            Icon::Settings => {
                r#"<path d="M14 17H5M19 7h-9"/><circle cx="17" cy="17" r="3"/><circle cx="7" cy="7" r="3"/>"#
            }
            Icon::Members => {
                r#"<path d="M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M16 3.128a4 4 0 0 1 0 7.744M22 21v-2a4 4 0 0 0-3-3.87"/><circle cx="9" cy="7" r="4"/>"#
            }
            Icon::Notice => {
                r#"<path d="M10.268 21a2 2 0 0 0 3.464 0M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326"/>"#
            }
            Icon::Billing => {
                r#"<path d="M2 10L22 10M6 14h2"/><rect width="20" height="14" x="2" y="5" rx="2"/>"#
            }
            Icon::Audit => {
                r#"<path d="M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1zM9 12l2 2 4-4"/>"#
            }
            Icon::Archive => {
                r#"<path d="M4 8v11a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8M10 12h4"/><rect width="20" height="5" x="2" y="3" rx="1"/>"#
            }
            Icon::Apps => {
                r#"<path d="M12 22v-5M15 8V2M17 8a1 1 0 0 1 1 1v4a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4V9a1 1 0 0 1 1-1zM9 8V2"/>"#
            }
            Icon::Sessions => {
                r#"<path d="M18 8V6a2 2 0 0 0-2-2H4a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h8M10 19v-3.96 3.15M7 19h5"/><rect width="6" height="10" x="16" y="12" rx="2"/>"#
            }
            Icon::Docs => {
                r#"<path d="M12 5v16M20.001 19A2 2 0 0022 17V5a2 2 0 00-1.999-2L16 3.002A5 5 0 0012 5a5 5 0 00-4-2H4a2 2 0 00-2 2v12a2 2 0 001.999 2H8a5 5 0 014 2 5 5 0 014-2z"/>"#
            }
            Icon::Menu => r#"<path d="M4 5h16M4 12h16M4 19h16"/>"#,
            Icon::Open => r#"<path d="M7 15l5 5 5-5M7 9l5-5 5 5"/>"#,
            Icon::SignOut => {
                r#"<path d="M16 17l5-5-5-5M21 12H9M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4"/>"#
            }
            Icon::Language => {
                r#"<path d="M5 8l6 6M4 14l6-6 2-3M2 5h12M7 2h1M22 22l-5-10-5 10M14 18h6"/>"#
            }
            Icon::Switch => r#"<path d="M8 3 4 7l4 4M4 7h16M16 21l4-4-4-4M20 17H4"/>"#,
            Icon::Good => r#"<path d="M16 9l-5.5 5.5L8 12"/><circle cx="12" cy="12" r="10"/>"#,
            Icon::Bad => r#"<path d="M15 9l-6 6M9 9l6 6"/><circle cx="12" cy="12" r="10"/>"#,
            Icon::Warn => {
                r#"<path d="M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01"/>"#
            }
            Icon::Waiting => r#"<path d="M12 6v6l4 2"/><circle cx="12" cy="12" r="10"/>"#,
            Icon::Pending => {
                r#"<path d="M10.1 2.182a10 10 0 0 1 3.8 0M13.9 21.818a10 10 0 0 1-3.8 0M17.609 3.721a10 10 0 0 1 2.69 2.7M2.182 13.9a10 10 0 0 1 0-3.8M20.279 17.609a10 10 0 0 1-2.7 2.69M21.818 10.1a10 10 0 0 1 0 3.8M3.721 6.391a10 10 0 0 1 2.7-2.69M6.391 20.279a10 10 0 0 1-2.69-2.7"/>"#
            }
            Icon::Download => {
                r#"<path d="M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5"/>"#
            }
            Icon::Search => r#"<path d="M21 21l-4.34-4.34"/><circle cx="11" cy="11" r="8"/>"#,
            Icon::Business => {
                r#"<path d="M15 21v-5a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v5M17.774 10.31a1.12 1.12 0 0 0-1.549 0 2.5 2.5 0 0 1-3.451 0 1.12 1.12 0 0 0-1.548 0 2.5 2.5 0 0 1-3.452 0 1.12 1.12 0 0 0-1.549 0 2.5 2.5 0 0 1-3.77-3.248l2.889-4.184A2 2 0 0 1 7 2h10a2 2 0 0 1 1.653.873l2.895 4.192a2.5 2.5 0 0 1-3.774 3.244M4 10.95V19a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-8.05"/>"#
            }
        }
    }
}

impl fmt::Display for Icon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            r#"<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{}</svg>"#,
            self.shapes()
        )
    }
}

/// The shapes are constants of this module, so they need no escaping.
impl askama::filters::HtmlSafe for Icon {}
