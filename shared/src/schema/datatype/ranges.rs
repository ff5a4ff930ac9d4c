//! Sets of characters as sorted ranges of code points.

/// Declares sorted ranges of characters.
macro_rules! ranges {
    ($($(#[$about:meta])* $name:ident { $($from:literal $to:literal,)* })*) => {
        $($(#[$about])* pub(super) const $name: &[(u16, u16)] = &[$(($from, $to)),*];)*
    };
}
pub(super) use ranges;

/// Whether a character is in one of the ranges.
pub(super) fn lists(ranges: &[(u16, u16)], character: char) -> bool {
    let Ok(code) = u16::try_from(u32::from(character)) else { return false };
    let at = ranges.partition_point(|(from, _)| *from <= code);
    at.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|(_, to)| code <= *to)
}
