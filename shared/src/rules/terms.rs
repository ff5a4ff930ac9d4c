//! Business terms and their names, so that a finding can say "Seller VAT identifier" beside IBT-031.

/// Terms with their names, sorted by term.
#[derive(Debug, Clone, Copy)]
pub struct Terms(pub &'static [(&'static str, &'static str)]);

impl Terms {
    /// Returns the name of a term, such as `IBT-031`.
    pub fn name(self, term: &str) -> Option<&'static str> {
        let at = self.0.binary_search_by_key(&term, |(term, _)| term).ok()?;
        self.0.get(at).map(|(_, name)| *name)
    }

    /// Whether the table is sorted, as the binary search needs.
    #[cfg(test)]
    pub(crate) fn are_sorted(self) -> bool {
        self.0.is_sorted_by(|one, next| one.0 < next.0)
    }
}
