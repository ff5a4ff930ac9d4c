//! Compares a text with the subject of a certificate. Others write it as in RFC 4514, as in RFC 1779, or in the order
//! of the certificate.

use super::Certificate;

impl Certificate {
    /// Whether `text` is the subject, in any order, quoting and white space.
    pub fn has_subject(&self, text: &str) -> bool {
        let (mine, theirs) = (attributes(&self.subject()), attributes(text));
        mine == theirs || mine.iter().eq(theirs.iter().rev())
    }
}

/// The attributes of a name: each with its type in capitals and its value without escapes.
fn attributes(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (mut attribute, mut quoted, mut escaped) = (String::new(), false, false);
    for character in text.chars() {
        match character {
            _ if escaped => {
                attribute.push(character);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => found.push(attribute_of(&std::mem::take(&mut attribute))),
            _ => attribute.push(character),
        }
    }
    found.push(attribute_of(&attribute));
    found
}

fn attribute_of(text: &str) -> (String, String) {
    let (kind, value) = text.split_once('=').unwrap_or(("", text));
    (kind.trim().to_ascii_uppercase(), value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use crate::peppol::pki::testing::PKI;

    #[test]
    fn a_subject_is_known_however_it_is_written() {
        let seat = PKI.seat("PAE000001").certificate;
        for (text, same) in [
            ("CN=PAE000001,OU=PEPPOL TEST AP,O=Example\\, LLC,C=AE", true),
            ("CN=PAE000001, OU=PEPPOL TEST AP, O=\"Example, LLC\", C=AE", true),
            ("C=AE,O=Example\\, LLC,OU=PEPPOL TEST AP,CN=PAE000001", true),
            ("cn=PAE000001,ou=PEPPOL TEST AP,o=Example\\, LLC,c=AE", true),
            ("CN=PAE000002,OU=PEPPOL TEST AP,O=Example\\, LLC,C=AE", false),
            ("CN=pae000001,OU=PEPPOL TEST AP,O=Example\\, LLC,C=AE", false),
            ("CN=PAE000001,OU=PEPPOL TEST AP,O=Example, LLC,C=AE", false),
            ("CN=PAE000001", false),
            ("PAE000001", false),
            ("", false),
        ] {
            assert_eq!(seat.has_subject(text), same, "{text}");
        }
    }
}
