//! Draws the figures of `fewest reproduce` as SVG files.

use super::{Error, Exit};
use fewest::reproduce::Chart;
use plotters::prelude::*;
use std::path::Path;

/// Width and height of a figure, in pixels.
const SIZE: (u32, u32) = (720, 440);
/// Colours of the distributions, one after the other.
const COLOURS: [RGBColor; 4] =
    [RGBColor(76, 114, 176), RGBColor(221, 132, 82), RGBColor(85, 168, 104), RGBColor(196, 78, 82)];

/// Draws a figure to a file. Bars of several distributions stand side by side.
pub(super) fn draw(chart: &Chart, file: &Path) -> Result<(), Error> {
    let mut text = String::new();
    drawn(chart, &mut text).map_err(|error| Error::refused(format!("the figure: {error}")))?;
    std::fs::write(file, text).map_err(|error| Error {
        exit: Exit::Table,
        ..Error::refused(format!("{}: {error}", file.display()))
    })
}

/// A number without zeros behind its point.
fn without_zeros(number: &str) -> &str {
    number.trim_end_matches('0').trim_end_matches('.')
}

fn drawn(chart: &Chart, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let values = chart.series.iter().map(|(_, heights)| heights.len()).max().unwrap_or(1);
    let heights = chart.series.iter().flat_map(|(_, heights)| heights);
    let highest = heights.copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let mut axes = ChartBuilder::on(&area)
        .caption(&chart.title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(82)
        .build_cartesian_2d(-0.5..values as f64 - 0.5, 0.0..1.08 * highest)?;
    axes.configure_mesh()
        .disable_x_mesh()
        .x_labels(values)
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&|height| without_zeros(&format!("{height:.2}")).to_owned())
        .max_light_lines(1)
        .x_desc(&chart.values)
        .y_desc(&chart.counts)
        .draw()?;
    let width = 0.8 / chart.series.len().max(1) as f64;
    for (number, (name, heights)) in chart.series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let bars = heights.iter().enumerate().map(|(value, &height)| {
            let left = value as f64 - 0.4 + width * number as f64;
            Rectangle::new([(left, 0.0), (left + width, height)], colour.filled())
        });
        axes.draw_series(bars)?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()));
    }
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
