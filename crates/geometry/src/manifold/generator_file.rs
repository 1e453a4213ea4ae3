//! Generator files of SnapPea: the line `% Generators`, the number of matrices, and the matrices, either in O(3,1) with
//! 16 numbers each (the coordinate of time first) or in SL(2,C) with 8 numbers each (real and imaginary parts of the
//! entries `a b c d`). White space is free.
//!
//! Reading takes time and memory in proportion to the length of the file, which is limited. The domain of what was
//! read is computed within fixed limits.

use glam::{DMat4, DVec3, DVec4};
use thiserror::Error;

use super::{Domain, ManifoldError, dirichlet_domain};
use crate::space::{Isometry, Space};

/// Maximum length of a generator file, in bytes.
pub const MAX_GENERATOR_BYTES: usize = 1 << 20;

/// Maximum number of matrices in a generator file.
pub const MAX_GENERATORS: usize = 200;

/// Largest error of a product of two columns, relative to the square of the largest entry. Files have 6 digits or more.
const MATRIX_TOLERANCE: f64 = 1e-5;

/// Why a generator file was rejected.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GeneratorFileError {
    /// The file is too long.
    #[error("the file has {found} bytes; expected at most {MAX_GENERATOR_BYTES}")]
    TooLong {
        /// Length of the file, in bytes.
        found: usize,
    },
    /// A line is malformed.
    #[error("line {line}: {fault}")]
    Line {
        /// Line, counted from 1.
        line: usize,
        /// What was found and what was expected.
        fault: String,
    },
    /// The matrices do not generate the group of a closed space.
    #[error("line {line}: {source}")]
    Group {
        /// First line of the matrix that led to the error, or of the first matrix.
        line: usize,
        /// What is wrong with the group.
        source: ManifoldError,
    },
}

/// Contents of a generator file.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratorFile {
    /// Generators, as isometries of hyperbolic space.
    pub generators: Vec<Isometry>,
    /// First line of each matrix, counted from 1.
    pub lines: Vec<usize>,
}

impl GeneratorFile {
    /// Computes the Dirichlet domain about the point that the geodesic `base` leads to from the origin.
    pub fn domain(&self, base: DVec3) -> Result<Domain, GeneratorFileError> {
        let move_base = Isometry::translation(Space::Hyperbolic, base);
        let back = move_base.inverse();
        let moved: Vec<Isometry> = self.generators.iter().map(|g| back * *g * move_base).collect();
        dirichlet_domain(Space::Hyperbolic, &moved).map_err(|source| {
            let generator = match &source {
                ManifoldError::NotDiscrete { generator, .. } | ManifoldError::TooManyElements { generator, .. } => {
                    *generator
                }
                _ => 0,
            };
            let line = self.lines.get(generator).copied().unwrap_or(1);
            GeneratorFileError::Group { line, source }
        })
    }
}

/// Reads a generator file.
pub fn read_generators(bytes: &[u8]) -> Result<GeneratorFile, GeneratorFileError> {
    if bytes.len() > MAX_GENERATOR_BYTES {
        return Err(GeneratorFileError::TooLong { found: bytes.len() });
    }
    let fault = |line: usize, fault: String| GeneratorFileError::Line { line, fault };
    let mut lines = bytes.split(|&b| b == b'\n').enumerate().map(|(index, line)| (index + 1, line.trim_ascii()));
    let (line, head) = lines.by_ref().find(|(_, line)| !line.is_empty()).unwrap_or((1, b""));
    let title: Vec<&[u8]> = head.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    if !(title.len() == 2 && title[0] == b"%" && title[1].eq_ignore_ascii_case(b"generators")) {
        return Err(fault(line, format!("found '{}', expected '% Generators'", excerpt(head))));
    }
    let mut words = lines.flat_map(|(line, text)| {
        text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(move |word| (line, word))
    });
    let (line, word) = words.next().ok_or_else(|| fault(line, "found no number of matrices after this line".into()))?;
    let count = std::str::from_utf8(word).ok().and_then(|text| text.parse::<usize>().ok());
    let count = count.filter(|count| (1..=MAX_GENERATORS).contains(count)).ok_or_else(|| {
        fault(line, format!("found '{}' as the number of matrices, expected 1 to {MAX_GENERATORS}", excerpt(word)))
    })?;
    let mut numbers: Vec<(usize, f64)> = Vec::with_capacity(16 * count);
    for (line, word) in words {
        if numbers.len() == 16 * count {
            return Err(fault(line, format!("found more than {} numbers for {count} matrices", 16 * count)));
        }
        let value = std::str::from_utf8(word).ok().and_then(|text| text.parse::<f64>().ok());
        let value = value
            .filter(|value| value.abs() <= 1e6)
            .ok_or_else(|| fault(line, format!("found '{}', expected a number up to a million", excerpt(word))))?;
        numbers.push((line, value));
    }
    let width = match numbers.len() {
        n if n == 16 * count => 16,
        n if n == 8 * count => 8,
        n => {
            let line = numbers.last().map_or(line, |(line, _)| *line);
            let expected = format!("{} (in O(3,1)) or {} (in SL(2,C))", 16 * count, 8 * count);
            return Err(fault(line, format!("found {n} numbers for {count} matrices, expected {expected}")));
        }
    };
    let mut file = GeneratorFile { generators: Vec::new(), lines: Vec::new() };
    for chunk in numbers.chunks(width) {
        let line = chunk[0].0;
        let entries: Vec<f64> = chunk.iter().map(|(_, value)| *value).collect();
        let read = if width == 16 { lorentz(&entries) } else { special_linear(&entries) };
        file.generators.push(read.map_err(|reason| fault(line, reason))?);
        file.lines.push(line);
    }
    Ok(file)
}

/// Returns the isometry of a matrix in O(3,1), given by rows with the coordinate of time first.
fn lorentz(entries: &[f64]) -> Result<Isometry, String> {
    // Column and row of the file that hold x, y, z and w.
    const ORDER: [usize; 4] = [1, 2, 3, 0];
    let column = |c: usize| DVec4::from_array(ORDER.map(|r| entries[4 * r + ORDER[c]]));
    let matrix = DMat4::from_cols(column(0), column(1), column(2), column(3));
    let largest = entries.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
    let determinant = matrix.determinant();
    if !((determinant.abs() - 1.0).abs() <= 1e-3 * largest * largest && determinant.abs() > 0.5) {
        return Err(format!("found a matrix with determinant {determinant:.6}, expected 1 or -1"));
    }
    if matrix.w_axis.w <= 0.0 {
        return Err(format!("found {} as the first entry of a matrix, expected at least 1", matrix.w_axis.w));
    }
    Isometry::from_matrix(Space::Hyperbolic, matrix, MATRIX_TOLERANCE * largest * largest)
        .ok_or_else(|| "found a matrix that does not preserve -t^2 + x^2 + y^2 + z^2".to_string())
}

/// Returns the isometry of a matrix in SL(2,C): it acts on Hermitian matrices `[[w + z, x + iy], [x - iy, w - z]]` as
/// `H -> A H A*`.
fn special_linear(entries: &[f64]) -> Result<Isometry, String> {
    let [a, b, c, d] = [0, 2, 4, 6].map(|i| Complex(entries[i], entries[i + 1]));
    let determinant = a.times(d).minus(b.times(c));
    let largest = entries.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
    let tolerance = MATRIX_TOLERANCE * largest * largest;
    if !(0.0..=tolerance).contains(&determinant.minus(Complex(1.0, 0.0)).size()) {
        return Err(format!(
            "found a matrix with determinant {:.6} + {:.6} i, expected 1",
            determinant.0, determinant.1
        ));
    }
    let column = |hermitian: [Complex; 4]| {
        let [h, i, j, k] = hermitian;
        let row = |p: Complex, q: Complex| [p.times(h).plus(q.times(j)), p.times(i).plus(q.times(k))];
        let [top, bottom] = [row(a, b), row(c, d)];
        let entry = |r: [Complex; 2], p: Complex, q: Complex| r[0].times(p.conjugate()).plus(r[1].times(q.conjugate()));
        let (first, upper, last) = (entry(top, a, b), entry(top, c, d), entry(bottom, c, d));
        DVec4::new(upper.0, upper.1, 0.5 * (first.0 - last.0), 0.5 * (first.0 + last.0))
    };
    let (zero, one, i) = (Complex(0.0, 0.0), Complex(1.0, 0.0), Complex(0.0, 1.0));
    let matrix = DMat4::from_cols(
        column([zero, one, one, zero]),
        column([zero, i, i.conjugate(), zero]),
        column([one, zero, zero, Complex(-1.0, 0.0)]),
        column([one, zero, zero, one]),
    );
    let scale = matrix.to_cols_array().iter().fold(1.0, |a: f64, b| a.max(b.abs()));
    Isometry::from_matrix(Space::Hyperbolic, matrix, MATRIX_TOLERANCE * scale * scale)
        .ok_or_else(|| "found a matrix that is not in SL(2,C)".to_string())
}

/// Complex number.
#[derive(Clone, Copy)]
struct Complex(f64, f64);

impl Complex {
    fn plus(self, other: Complex) -> Complex {
        Complex(self.0 + other.0, self.1 + other.1)
    }

    fn minus(self, other: Complex) -> Complex {
        Complex(self.0 - other.0, self.1 - other.1)
    }

    fn times(self, other: Complex) -> Complex {
        Complex(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }

    fn conjugate(self) -> Complex {
        Complex(self.0, -self.1)
    }

    fn size(self) -> f64 {
        libm::hypot(self.0, self.1)
    }
}

/// Returns a word of the file, shortened and printable.
fn excerpt(word: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(&word[..word.len().min(40)]).escape_default().collect();
    if word.len() > 40 { text + "..." } else { text }
}
