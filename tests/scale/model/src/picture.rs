//! Draws backlogs over time as an SVG file of text and lines.

use std::fmt::Write as _;

use crate::measures::Series;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 28.0;
const RIGHT: f64 = 150.0;
/// Colours that people with a colour vision deficiency tell apart (Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"];

/// The picture of a run's backlogs. Lines that never have 1 % of the highest one are left out.
pub fn draw(title: &str, series: &Series) -> String {
    let highest = |samples: &[f64]| samples.iter().copied().fold(0.0, f64::max);
    let most = series.lines.iter().map(|(_, samples)| highest(samples)).fold(1.0, f64::max);
    let count = series.lines.first().map_or(1, |(_, samples)| samples.len()).max(2);
    let x = |index: usize| LEFT + (WIDTH - LEFT - RIGHT) * index as f64 / (count - 1) as f64;
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value / most);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"18\" font-size=\"13\">{title}</text>\n"
    );
    for part in 0..=2 {
        let value = most * f64::from(part) / 2.0;
        let at = y(value);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.0}H{:.0}\" stroke=\"#ddd\"/><text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            short(value)
        );
    }
    let hours = series.step * (count - 1) as f64 / 3600.0;
    for part in 0..=4 {
        let at = LEFT + (WIDTH - LEFT - RIGHT) * f64::from(part) / 4.0;
        let _ = writeln!(
            svg,
            "<text x=\"{at:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{:.1} h</text>",
            HEIGHT - 10.0,
            hours * f64::from(part) / 4.0
        );
    }
    let mut colours = COLOURS.iter().cycle();
    let mut label = TOP + 8.0;
    for (name, samples) in &series.lines {
        if highest(samples) < most / 100.0 || highest(samples) < 1.0 {
            continue;
        }
        let colour = colours.next().unwrap_or(&COLOURS[0]);
        let points: Vec<_> = samples
            .iter()
            .enumerate()
            .map(|(index, value)| format!("{:.0},{:.0}", x(index), y(*value)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n\
             <text x=\"{:.0}\" y=\"{label:.0}\" fill=\"{colour}\">{name}: {}</text>",
            points.join(" "),
            WIDTH - RIGHT + 8.0,
            short(highest(samples))
        );
        label += 15.0;
    }
    svg.push_str("</svg>\n");
    svg
}

/// A number in three digits.
pub fn short(value: f64) -> String {
    match value {
        _ if value >= 9.995e6 => format!("{:.1} M", value / 1e6),
        _ if value >= 999_500.0 => format!("{:.2} M", value / 1e6),
        _ if value >= 9995.0 => format!("{:.0} k", value / 1e3),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_a_line_for_each_backlog_that_matters() {
        let lines = vec![
            ("report".to_owned(), vec![0.0, 500.0, 1000.0]),
            ("relay".to_owned(), vec![0.0, 1.0, 0.0]),
        ];
        let svg = draw("A test", &Series { step: 60.0, lines });
        assert_eq!(svg.matches("<polyline").count(), 1);
        assert!(svg.contains("report: 1000") && !svg.contains("relay"), "{svg}");
    }

    #[test]
    fn a_number_is_short() {
        let texts = [7.0, 9000.0, 12_345.0, 1_234_567.0, 52e6].map(short);
        assert_eq!(texts, ["7", "9000", "12 k", "1.23 M", "52.0 M"]);
    }
}
