//! Draws figures and automata as SVG files, for every verb with `--plot`.

use super::files::write_file;
use super::options::PlotOptions;
use fewest::{Chart, grouped_digits};
use fewest_terminal::{Error, note};
use layout::backends::svg::SVGWriter;
use layout::gv::{DotParser, GraphBuilder};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;

/// Width and height of a figure, in pixels.
const SIZE: (u32, u32) = (720, 440);
/// Colours of the distributions, one after the other.
const COLOURS: [RGBColor; 6] = [
    RGBColor(76, 114, 176),
    RGBColor(221, 132, 82),
    RGBColor(85, 168, 104),
    RGBColor(196, 78, 82),
    RGBColor(129, 114, 179),
    RGBColor(147, 120, 96),
];
/// The most arrows of an automaton that is drawn. More take seconds or hours, and show nothing.
const MOST_ARROWS: usize = 110;

impl PlotOptions {
    /// Refuses a file that cannot be written, before any work.
    pub(super) fn check(&self) -> Result<(), Error> {
        let Some(file) = &self.plot else { return Ok(()) };
        let folder = match file.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let wrong = if !folder.is_dir() {
            format!("{} is no folder, expected one", folder.display())
        } else if file.is_dir() {
            format!("{} is a folder, expected a file", file.display())
        } else {
            return Ok(());
        };
        Err(Error::refused(format!("--plot: {wrong}")))
    }

    /// Draws the chart, if a file is wanted. Bars of several distributions stand side by side.
    pub(super) fn draw(&self, chart: impl FnOnce() -> Chart) -> Result<(), Error> {
        let Some(file) = &self.plot else { return Ok(()) };
        let chart = chart();
        if !chart.series.iter().flat_map(|(_, heights)| heights).any(|height| *height > 0.0) {
            note("fewest: --plot: there is nothing to draw, and no file is written");
            return Ok(());
        }
        let mut text = String::new();
        match drawn(&chart, &mut text) {
            Ok(()) => write_file(file, &text),
            Err(error) => Err(Error::refused(format!("the figure: {error}"))),
        }
    }

    /// Draws an automaton from its Graphviz text, if a file is wanted.
    pub(super) fn draw_graph(&self, dot: &str) -> Result<(), Error> {
        let Some(file) = &self.plot else { return Ok(()) };
        let arrows = dot.matches(" -> ").count();
        if arrows > MOST_ARROWS {
            return Err(Error::refused(format!(
                "--plot: the automaton has {arrows} arrows, expected at most {MOST_ARROWS}: \
                 --dot writes it for Graphviz, or take a smaller --depth"
            )));
        }
        let tree = DotParser::new(dot).process();
        let tree = tree.map_err(|error| Error::refused(format!("the figure: {error}")))?;
        let mut builder = GraphBuilder::new();
        builder.visit_graph(&tree);
        let mut picture = SVGWriter::new();
        builder.get().do_it(false, false, false, &mut picture);
        write_file(file, &picture.finalize())
    }
}

/// A chart of counts by depth.
pub(super) fn by_depth(puzzle: &str, counted: &str, counts: &[u128]) -> Chart {
    let title = format!("{puzzle}: {counted} by depth");
    let heights = counts.iter().map(|&count| count as f64);
    Chart::new(title, "depth", counted).logarithmic().with_heights(counted, heights)
}

/// How heights stand on the vertical axis.
struct Scale {
    logarithmic: bool,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(chart: &Chart) -> Self {
        let heights = || chart.series.iter().flat_map(|(_, heights)| heights).copied();
        let highest = heights().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        if !chart.logarithmic {
            return Self { logarithmic: false, from: 0.0, to: 1.08 * highest };
        }
        let least = heights().filter(|height| *height > 0.0).fold(highest, f64::min);
        // The least height still has a bar.
        let (from, to) = (least.log10().floor() - 0.3, highest.log10() + 0.3);
        Self { logarithmic: true, from, to }
    }

    /// Where a height stands. `None` if it is not drawn.
    fn place(&self, height: f64) -> Option<f64> {
        match self.logarithmic {
            true => (height > 0.0).then(|| height.log10()),
            false => Some(height),
        }
    }

    fn label(&self, place: f64) -> String {
        if !self.logarithmic {
            let number = format!("{place:.2}");
            let number = number.trim_end_matches('0').trim_end_matches('.');
            return match number.contains('.') {
                true => number.to_owned(),
                false => grouped_digits(number),
            };
        }
        if (place - place.round()).abs() > 1e-6 {
            return String::new();
        }
        let raised = |digit| match digit {
            '-' => '⁻',
            digit => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize).unwrap_or(digit),
        };
        // Adding 0 takes the sign from a zero.
        let exponent = format!("{:.0}", place.round() + 0.0);
        format!("10{}", exponent.chars().map(raised).collect::<String>())
    }
}

fn drawn(chart: &Chart, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let values = chart.series.iter().map(|(_, heights)| heights.len()).max().unwrap_or(1);
    let first = |(_, heights): &(String, Vec<f64>)| heights.iter().position(|one| *one > 0.0);
    // Bounds without nodes are not drawn.
    let least = match chart.logarithmic {
        true => chart.series.iter().filter_map(first).min().unwrap_or(0),
        false => 0,
    };
    let scale = Scale::new(chart);
    let mut axes = ChartBuilder::on(&area)
        .caption(&chart.title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(90)
        .build_cartesian_2d(least as f64 - 0.5..values as f64 - 0.5, scale.from..scale.to)?;
    let label = |place: &f64| scale.label(*place);
    // Names stand in the bars, for they may be long.
    let named = !chart.names.is_empty();
    axes.configure_mesh()
        .disable_x_mesh()
        .x_labels(if named { 0 } else { (values - least).min(40) })
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&label)
        .max_light_lines(1)
        .x_desc(&chart.values)
        .y_desc(&chart.counts)
        .draw()?;
    let width = 0.8 / chart.series.len().max(1) as f64;
    for (number, (name, heights)) in chart.series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()].mix(if named { 0.5 } else { 1.0 });
        let bars = heights.iter().enumerate().filter_map(|(value, &height)| {
            let left = value as f64 - 0.4 + width * number as f64;
            let corners = [(left, scale.from), (left + width, scale.place(height)?)];
            Some(Rectangle::new(corners, colour.filled()))
        });
        axes.draw_series(bars)?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()));
    }
    let upward = ("sans-serif", 13).into_font().transform(FontTransform::Rotate270);
    let upward = upward.into_text_style(&area).pos(Pos::new(HPos::Left, VPos::Center));
    let names = chart.names.iter().enumerate();
    axes.draw_series(names.map(|(value, name)| {
        Text::new(format!(" {name}"), (value as f64, scale.from), upward.clone())
    }))?;
    if chart.series.len() > 1 {
        axes.configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.4))
            .draw()?;
    }
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(chart: &Chart) -> String {
        let mut text = String::new();
        drawn(chart, &mut text).expect("a figure");
        text
    }

    /// The heights of the bars, from the rectangles of the picture.
    fn bars(svg: &str) -> Vec<u32> {
        let of = |line: &str, key: &str| {
            line.split(&format!("{key}=\"")).nth(1)?.split('"').next()?.parse::<u32>().ok()
        };
        let lines = svg.lines().filter(|line| line.contains("<rect") && line.contains("#4C72B0"));
        lines.filter_map(|line| of(line, " height")).collect()
    }

    #[test]
    fn bars_have_the_heights_of_the_counts() {
        let linear = bars(&svg(&Chart::new("t", "v", "c").with("one", &[100, 200, 400])));
        assert_eq!(linear.len(), 3);
        assert!(linear[0].abs_diff(linear[1] / 2) <= 1 && linear[1].abs_diff(linear[2] / 2) <= 1);
        let chart = Chart::new("t", "v", "c").with("one", &[0, 1, 100, 10_000]).logarithmic();
        let steps = bars(&svg(&chart));
        assert_eq!(steps.len(), 3);
        assert!((steps[2] - steps[1]).abs_diff(steps[1] - steps[0]) <= 1 && steps[0] > 0);
    }

    #[test]
    fn labels_are_powers_numbers_and_names() {
        let chart = Chart::new("t", "v", "c").with("one", &[1, 1_000_000]);
        assert!(svg(&chart).contains("1,000,000"));
        assert!(svg(&chart.clone().logarithmic()).contains("10⁶"));
        let named = chart.named(["left".to_owned(), "right".to_owned()]);
        assert!(svg(&named).contains("left") && svg(&named).contains("right"));
        let small = Scale { logarithmic: true, from: -3.0, to: 1.0 };
        let labels = [-2.0, -0.0, 0.0, 0.5, 12.0].map(|place| small.label(place));
        assert_eq!(labels, ["10⁻²", "10⁰", "10⁰", "", "10¹²"]);
    }

    #[test]
    fn automata_are_drawn_up_to_a_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.svg");
        let options = PlotOptions { plot: Some(file.clone()) };
        let dot = "digraph {\n  0 [label=\"start\"];\n  0 -> 1 [label=\"U\"];\n  1 -> 0;\n}\n";
        options.draw_graph(dot).expect("a picture");
        let picture = std::fs::read_to_string(&file).expect("a file");
        assert!(picture.contains("<svg") && picture.contains("start") && picture.contains('U'));
        let error = options.draw_graph(&dot.repeat(100)).expect_err("too large");
        assert!(error.message.contains("200 arrows"), "{}", error.message);
        let nowhere = PlotOptions { plot: Some(folder.path().join("no/a.svg")) };
        assert!(nowhere.check().is_err() && options.check().is_ok());
        let onto = PlotOptions { plot: Some(folder.path().to_owned()) };
        assert!(onto.check().is_err());
    }
}
