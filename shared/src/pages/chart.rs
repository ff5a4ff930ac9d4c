//! A chart of days, drawn by the server: bars of stacked parts, without scripts and without colours that carry meaning
//! alone. A table beside it has the same numbers.

use jiff::civil::Date;

/// The height of the tallest bar, in units of the drawing.
const HEIGHT: u64 = 100;
/// The width of a day, and of its bar.
const DAY: u32 = 10;
const BAR: u32 = 6;
/// The least height of a part, so that one among thousands is seen.
const LEAST: u64 = 2;

/// The bars of some days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chart {
    /// The first day first; the last one first where text is written from right to left.
    pub(super) bars: Vec<Bar>,
    /// The largest number of a day.
    pub(super) most: u32,
}

/// A day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bar {
    pub(super) day: Date,
    /// Its left edge.
    pub(super) x: u32,
    /// Its parts, the lowest first.
    pub(super) parts: Vec<Part>,
}

/// A part of a bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The class of its series.
    pub(super) class: &'static str,
    pub(super) y: u64,
    pub(super) height: u64,
}

impl Chart {
    /// The chart of some days with the counts of each series.
    pub(super) fn of<const N: usize>(
        series: [&'static str; N],
        days: impl IntoIterator<Item = (Date, [u32; N])>,
        is_mirrored: bool,
    ) -> Self {
        let mut days: Vec<_> = days.into_iter().collect();
        if is_mirrored {
            days.reverse();
        }
        let sum = |counts: &[u32; N]| counts.iter().fold(0, |sum: u32, it| sum.saturating_add(*it));
        let most = days.iter().map(|(_, counts)| sum(counts)).max().unwrap_or(0);
        let height = |count: u32| match count {
            0 => 0,
            _ => (u64::from(count) * HEIGHT / u64::from(most.max(1))).max(LEAST),
        };
        let mut x = 0;
        let bars = days.into_iter().map(|(day, counts)| {
            let mut top = HEIGHT;
            let parts = series.into_iter().zip(counts).filter(|(_, count)| *count > 0);
            let parts = parts.map(|(class, count)| {
                let height = height(count).min(top);
                top -= height;
                Part { class, y: top, height }
            });
            let bar = Bar { day, x, parts: parts.collect() };
            x += DAY;
            bar
        });
        Chart { bars: bars.collect(), most }
    }

    /// The width of the drawing.
    pub(super) fn width(&self) -> u32 {
        let days = u32::try_from(self.bars.len()).unwrap_or(u32::MAX);
        days.saturating_mul(DAY).saturating_sub(DAY - BAR)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_tallest_bar_has_the_whole_height_and_the_smallest_part_is_seen() {
        let days = [(date(2026, 11, 1), [1, 999]), (date(2026, 11, 2), [0, 500])];
        let chart = Chart::of(["a", "b"], days, false);
        let part = |class, y, height| Part { class, y, height };
        assert_eq!(chart.bars[0].parts, [part("a", 98, 2), part("b", 0, 98)]);
        assert_eq!(chart.bars[1].parts, [part("b", 50, 50)]);
        assert_eq!((chart.most, chart.width()), (1_000, 16));
        let mirrored = Chart::of(["a", "b"], days, true);
        assert_eq!(mirrored.bars[0].day, date(2026, 11, 2));
    }

    #[test]
    fn days_without_documents_have_no_parts() {
        let chart = Chart::of(["a"], [(date(2026, 11, 1), [0])], false);
        assert!(chart.bars[0].parts.is_empty() && chart.most == 0);
    }
}
