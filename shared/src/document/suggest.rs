//! Suggests the field that an unknown name probably means.

/// Maximum length of a name that is compared. Every field is shorter than half of it.
const LONGEST: usize = 80;

/// Returns the field that is closest to an unknown name. It recognises:
/// - another spelling (`invoiceNumber`);
/// - a typing error or an abbreviation (`invoce_number`, `invoice_no`);
/// - some of its words (`number`).
pub(crate) fn meant<'a>(name: &str, fields: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters = letters(name);
    if letters.is_empty() || letters.len() > LONGEST {
        return None;
    }
    let mut nearest = None;
    let mut holding = None;
    for field in fields {
        let of_field: Vec<char> = self::letters(field);
        // A name with more than two errors in five letters is another word.
        let longer = letters.len().max(of_field.len());
        let is_near = |distance: usize| distance * 5 <= longer * 2;
        if is_near(letters.len().abs_diff(of_field.len()))
            && let distance = distance(&letters, &of_field)
            && is_near(distance)
            && nearest.is_none_or(|(least, _)| distance < least)
        {
            nearest = Some((distance, field));
        }
        if holding.is_none() && letters.len() > 2 && has_words(field, name) {
            holding = Some(field);
        }
    }
    nearest.map(|(_, field)| field).or(holding)
}

/// Letters and digits only, in lower case.
fn letters(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether all words of a name are words of the field; singular and plural are equal.
fn has_words(field: &str, name: &str) -> bool {
    let one = |word: &str| word.trim_end_matches('s').to_lowercase();
    name.split('_').all(|word| field.split('_').any(|of_field| one(of_field) == one(word)))
}

/// Optimal string alignment: the number of missing, added, changed and swapped letters.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let changed = last[j] + usize::from(a != b);
            let mut least = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [&str; 8] = [
        "invoice_number",
        "credit_note_number",
        "issue_date",
        "due_date",
        "supplier",
        "vat_identifier",
        "name",
        "line_items",
    ];

    #[test]
    fn the_nearest_field_is_meant() {
        for (name, field) in [
            ("invoiceNumber", "invoice_number"),
            ("InvoiceNumber", "invoice_number"),
            ("invoice_no", "invoice_number"),
            ("invoice_nubmer", "invoice_number"),
            ("creditNoteNumber", "credit_note_number"),
            ("issuedate", "issue_date"),
            ("vat", "vat_identifier"),
            ("number", "invoice_number"),
            ("date", "issue_date"),
            ("lineItems", "line_items"),
            ("lines", "line_items"),
        ] {
            assert_eq!(meant(name, FIELDS.into_iter()), Some(field), "{name}");
        }
    }

    #[test]
    fn nothing_is_meant_by_another_word() {
        for name in ["surprise", "x", "", "_", "شركة", "1", &"n".repeat(10_000)] {
            assert_eq!(meant(name, FIELDS.into_iter()), None, "{name}");
        }
    }

    #[test]
    fn a_swap_of_neighbours_is_one_slip() {
        let distance = |one: &str, other: &str| {
            super::distance(&one.chars().collect::<Vec<_>>(), &other.chars().collect::<Vec<_>>())
        };
        assert_eq!(distance("abc", "acb"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "same"), 0);
    }
}
