//! The kinds of keys: a key with its identifiers replaced by their kind, as the table in `store::keys` writes it.

use jiff::{Timestamp, civil::Date};

/// The kind of a key of the table or of an object. `LIVE#TAXPAYER#txpay_1#LIST#ALL#1` is
/// `LIVE#TAXPAYER#<txpay>#LIST#ALL#<n>`.
pub(crate) fn kind(key: &str) -> String {
    let mut kind = String::new();
    for part in key.split_inclusive(['#', '/']) {
        let word = part.trim_end_matches(['#', '/']);
        match word.split_once('.').filter(|(name, _)| !name.is_empty() && key.contains('/')) {
            Some((name, extension)) => kind.push_str(&format!("{}.{extension}", of_word(name))),
            None => kind.push_str(&of_word(word)),
        }
        kind.push_str(&part[word.len()..]);
    }
    kind
}

fn of_word(word: &str) -> String {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if word.parse::<Timestamp>().is_ok() {
        return "<instant>".to_owned();
    }
    if word.parse::<Date>().is_ok() {
        return "<date>".to_owned();
    }
    if let Some((year, month)) = word.split_once('-')
        && digits(year)
        && digits(month)
    {
        return "<month>".to_owned();
    }
    if word.len() >= 40 && word.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it))
    {
        return "<hash>".to_owned();
    }
    if digits(word) {
        return "<n>".to_owned();
    }
    if let Some((scheme, id)) = word.split_once(':')
        && digits(scheme)
        && digits(id)
    {
        return "<participant>".to_owned();
    }
    if word.len() == 36 && word.split('-').count() == 5 {
        return "<uuid>".to_owned();
    }
    match word.split_once('_') {
        Some((prefix, id))
            if prefix.bytes().all(|it| it.is_ascii_lowercase())
                && id.bytes().any(|it| it.is_ascii_digit()) =>
        {
            format!("<{prefix}>")
        }
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_has_no_identifiers() {
        let hash = "0".repeat(64);
        for (key, expected) in [
            ("LIVE#TAXPAYER#txpay_01a#LIST#ALL#1", "LIVE#TAXPAYER#<txpay>#LIST#ALL#<n>"),
            ("LIVE#MESSAGE#0192f0c1-a2b3-4c4d-8e9f-a0b1c2d3e4f5", "LIVE#MESSAGE#<uuid>"),
            ("LIVE#EXCHANGES#2026-11#3", "LIVE#EXCHANGES#<month>#<n>"),
            ("LIVE#USAGE#2026-11-20#3", "LIVE#USAGE#<date>#<n>"),
            ("LIVE#PARTICIPANT#0235:1001234501", "LIVE#PARTICIPANT#<participant>"),
            ("AWAITED#2026-11-20T08:00:00.000Z#doc_1#status", "AWAITED#<instant>#<doc>#status"),
            ("evt_1#txpay_2", "<evt>#<txpay>"),
            (&format!("LIVE#INBOUND#{hash}"), "LIVE#INBOUND#<hash>"),
            (
                &format!("/payloads/live/txpay_1/doc_2/{hash}.xml"),
                "/payloads/live/<txpay>/<doc>/<hash>.xml",
            ),
            ("LIST#STATUS#in_progress#0", "LIST#STATUS#in_progress#<n>"),
            ("DOCUMENT", "DOCUMENT"),
        ] {
            assert_eq!(kind(key), expected);
        }
    }
}
