//! Contact sheets: several pictures in a grid, each with a title and a line of text.

use super::svg::escaped;

/// Gap between pictures, in pixels.
const GAP: u32 = 16;
/// Height of the text below a picture, in pixels.
const TEXT_HEIGHT: u32 = 46;

/// Several pictures of one size in a grid.
///
/// ```
/// use burgess_pictures::ContactSheet;
///
/// let ball = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"></svg>"##;
/// let mut sheet = ContactSheet::new("Balls", [9, 9], 2);
/// sheet.add(ball, "ball", "rolls");
/// sheet.add(ball, "other ball", "rests");
/// assert!(sheet.svg().contains(">other ball</tspan>"));
/// ```
#[derive(Debug, Clone)]
pub struct ContactSheet {
    title: String,
    /// Width and height of a picture, in pixels.
    size: [u32; 2],
    columns: u32,
    count: u32,
    cells: String,
}

impl ContactSheet {
    /// Creates an empty sheet for pictures of a size in pixels, with a title for screen readers.
    pub fn new(title: impl Into<String>, size: [u32; 2], columns: u32) -> Self {
        Self { title: title.into(), size, columns: columns.max(1), count: 0, cells: String::new() }
    }

    /// Adds a picture as SVG, with a title and a line of text. It is placed after the last one.
    pub fn add(&mut self, svg: &str, title: &str, text: &str) {
        let [width, height] = self.size;
        let (column, row) = (self.count % self.columns, self.count / self.columns);
        let (x, y) = (GAP + column * (width + GAP), GAP + row * (height + TEXT_HEIGHT));
        // Names of definitions must be unique in the whole document.
        let prefix = format!("p{}-", self.count);
        let mut own = svg.to_string();
        for name in [" id=\"", "url(#", "href=\"#"] {
            own = own.replace(name, &format!("{name}{prefix}"));
        }
        self.cells += &own.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{y}\" "), 1);
        let (title, text) = (escaped(title), escaped(text));
        let baseline = y + height + 22;
        self.cells += &format!(
            "<text x=\"{}\" y=\"{baseline}\"><tspan class=\"t\">{title}</tspan><tspan dx=\"8\">{text}</tspan></text>\n",
            x + 4
        );
        self.count += 1;
    }

    /// Draws the sheet.
    pub fn svg(&self) -> String {
        let [width, height] = self.size;
        let (columns, rows) = (self.columns.min(self.count).max(1), self.count.div_ceil(self.columns));
        let (w, h) = (GAP + columns * (width + GAP), GAP + rows * (height + TEXT_HEIGHT));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
             font-family=\"system-ui,sans-serif\" font-size=\"14\" fill=\"#5d6f8c\">\n<title>{}</title>\n\
             <style>.t{{font-weight:600;font-size:16px;fill:#1f2b40}}</style>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n{}</svg>\n",
            escaped(&self.title),
            self.cells
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_of_different_pictures_have_different_names() {
        let picture =
            "<svg xmlns=\"x\"><defs><g id=\"a\"/><g id=\"b\" href=\"#a\"/></defs><path fill=\"url(#a)\"/></svg>\n";
        let mut sheet = ContactSheet::new("two & more", [100, 80], 2);
        (0..3).for_each(|index| sheet.add(picture, &format!("n{index}"), "walk <fast>"));
        let svg = sheet.svg();
        for index in 0..3 {
            for name in ["id=\"pN-a\"", "id=\"pN-b\"", "url(#pN-a)", "href=\"#pN-a\""] {
                assert!(svg.contains(&name.replace('N', &index.to_string())), "{name}: {svg}");
            }
        }
        assert!(svg.contains("<title>two &amp; more</title>") && svg.contains("walk &lt;fast&gt;"), "{svg}");
        // Two columns and two rows.
        assert!(svg.contains(&format!("viewBox=\"0 0 {} {}\"", 3 * 16 + 200, 16 + 2 * (80 + 46))), "{svg}");
        assert!(svg.contains(&format!("<svg x=\"16\" y=\"{}\" ", 16 + 80 + 46)), "{svg}");
    }
}
