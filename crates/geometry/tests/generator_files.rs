//! SnapPea's generator files: valid, invalid and malicious.

use burgess_geometry::glam::DVec3;
use burgess_geometry::manifold::{MAX_GENERATORS, Recipe, SpaceName, read_generators};
use burgess_geometry::space::{Isometry, Space};
use proptest::prelude::*;

/// Writes matrices with the coordinate of time first.
fn file(generators: &[Isometry]) -> String {
    let mut text = format!("% Generators\n{}\n", generators.len());
    for generator in generators {
        for row in [3, 0, 1, 2] {
            let row = generator.matrix().row(row);
            text += &format!("{:.15} {:.15} {:.15} {:.15}\n", row.w, row.x, row.y, row.z);
        }
        text.push('\n');
    }
    text
}

/// Returns why a file is refused, as it is read or when its domain is computed.
fn refusal(text: &str) -> String {
    match read_generators(text.as_bytes()) {
        Ok(read) => read.domain(DVec3::ZERO).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

fn weeks() -> Vec<Isometry> {
    Recipe::new(SpaceName::Weeks).build().unwrap().generators
}

#[test]
fn matrices_of_both_kinds_are_read() {
    let read = read_generators(file(&weeks()).as_bytes()).unwrap();
    assert_eq!(read.lines, [3, 8, 13]);
    let domain = read.domain(DVec3::ZERO).unwrap();
    assert_eq!((domain.faces.len(), domain.vertices.len()), (18, 26));
    // 15 digits in the file.
    assert!((domain.volume() - 0.942_707_362_776_927_7).abs() < 1e-12);
    let moved = read.domain(DVec3::new(0.1, 0.2, -0.1)).unwrap();
    assert!((moved.volume() - domain.volume()).abs() < 1e-11);

    // In SL(2,C), diag(e^(d/2), e^(-d/2)) translates by d, and a complex d also turns.
    let half = 0.7_f64;
    let (sine, cosine) = libm::sincos(0.3);
    let (long, short) = (libm::exp(half), libm::exp(-half));
    let text =
        format!("% Generators\n1\n{} {} 0 0\n0 0 {} {}\n", long * cosine, long * sine, short * cosine, -short * sine);
    let read = read_generators(text.as_bytes()).unwrap();
    let screw =
        Isometry::translation(Space::Hyperbolic, DVec3::Z * 1.4) * Isometry::turn(Space::Hyperbolic, DVec3::Z, 0.6);
    assert!(read.generators[0].difference(&screw) < 1e-12);
}

#[test]
fn products_in_both_notations_agree() {
    // The map from SL(2,C) is a homomorphism.
    let matrix = |a: [f64; 8]| {
        let words: Vec<String> = a.iter().map(f64::to_string).collect();
        read_generators(format!("% Generators\n1\n{}\n", words.join(" ")).as_bytes()).unwrap().generators[0]
    };
    // (1 + i, 1; i, 1) has determinant 1; (2, i; -i, 1) has determinant 1.
    let a = matrix([1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    let b = matrix([2.0, 0.0, 0.0, 1.0, 0.0, -1.0, 1.0, 0.0]);
    // Product by hand: (2 + i, i; i, 0).
    let product = matrix([2.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    assert!((a * b).difference(&product) < 1e-12);
}

#[test]
fn bad_files_are_refused_with_line_and_reason() {
    assert_eq!(refusal(""), "line 1: found '', expected '% Generators'");
    assert_eq!(refusal("\n% Triangulation\n"), "line 2: found '% Triangulation', expected '% Generators'");
    assert_eq!(refusal("% Generators\n"), "line 1: found no number of matrices after this line");
    let count = format!("line 2: found '1000000' as the number of matrices, expected 1 to {MAX_GENERATORS}");
    assert_eq!(refusal("% Generators\n1000000\n"), count);
    assert_eq!(refusal("% Generators\n1\n1 0 x"), "line 3: found 'x', expected a number up to a million");
    assert_eq!(refusal("% Generators\n1\n1 0 nan"), "line 3: found 'nan', expected a number up to a million");
    assert_eq!(
        refusal("% Generators\n1\n1 0\n0 1\n"),
        "line 4: found 4 numbers for 1 matrices, expected 16 (in O(3,1)) or 8 (in SL(2,C))"
    );
    let diagonal = |t: f64, x: f64| format!("% Generators\n1\n\n{t} 0 0 0\n0 {x} 0 0\n0 0 1 0\n0 0 0 1\n");
    assert_eq!(refusal(&diagonal(1.0, 2.0)), "line 4: found a matrix with determinant 2.000000, expected 1 or -1");
    assert_eq!(refusal(&diagonal(2.0, 0.5)), "line 4: found a matrix that does not preserve -t^2 + x^2 + y^2 + z^2");
    assert_eq!(refusal(&diagonal(-1.0, 1.0)), "line 4: found -1 as the first entry of a matrix, expected at least 1");
    assert_eq!(
        refusal("% Generators\n1\n2 0 0 0\n0 0 1 0\n"),
        "line 3: found a matrix with determinant 2.000000 + 0.000000 i, expected 1"
    );
    assert_eq!(refusal(&diagonal(1.0, 1.0)), "line 4: all generators are the identity; expected at least one other");
}

#[test]
fn long_files_are_refused_quickly() {
    let mut numbers = "% Generators\n2\n".to_string();
    numbers += &"1 0 0 0\n".repeat(100_000);
    assert_eq!(refusal(&numbers), "line 11: found more than 32 numbers for 2 matrices");
    let blank = "% Generators\n2\n".to_string() + &"\n".repeat(1_000_000);
    assert!(refusal(&blank).contains("found 0 numbers for 2 matrices"));
    let million = "% Generators\n2\n".to_string() + &"1 0 0 0\n".repeat(1_000_000);
    assert_eq!(refusal(&million), "the file has 8000015 bytes; expected at most 1048576");
}

#[test]
fn groups_without_a_closed_space_are_refused() {
    // Half of the generators of the Weeks group, and one that fits none.
    let shift = |v: DVec3| Isometry::translation(Space::Hyperbolic, v);
    let mut broken = weeks();
    broken.push(shift(DVec3::new(0.7, 0.1, 0.2)));
    let message = refusal(&file(&broken));
    assert!(message.starts_with("line ") && message.contains("not discrete"), "{message}");
    // Short translations in two directions are not discrete.
    let short = [shift(DVec3::X * 0.3), shift(DVec3::Y * 0.3)];
    let message = refusal(&file(&short));
    assert!(message.starts_with("line ") && message.contains("discrete"), "{message}");
    // A free group: the domain has infinite volume.
    let long = [shift(DVec3::X * 4.0), shift(DVec3::Y * 4.0)];
    assert!(refusal(&file(&long)).starts_with("line 3: the domain is unbounded"));
    // The figure-eight knot has a cusp: a parabolic element and an ideal corner.
    let cusped = "% Generators\n2\n1 0 1 0 0 0 1 0\n1 0 0 0 0.5 0.8660254037844386 1 0\n";
    assert!(refusal(cusped).starts_with("line 3: "), "{}", refusal(cusped));
}

#[test]
fn damaged_files_never_panic() {
    let text = file(&weeks()).into_bytes();
    for place in (0..text.len()).step_by(11) {
        for byte in [b' ', b'-', b'9', 0, 255] {
            let mut damaged = text.clone();
            damaged[place] = byte;
            if let Ok(read) = read_generators(&damaged) {
                assert_eq!(read.generators.len(), read.lines.len());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Random matrices hardly ever generate a discrete group; the search must end either way.
    #[test]
    fn random_groups_end(parts in prop::collection::vec((prop::array::uniform3(-1.5_f64..1.5), 0.0_f64..6.0), 1..4)) {
        let generator = |(v, angle): &([f64; 3], f64)| {
            let v = DVec3::from_array(*v);
            Isometry::translation(Space::Hyperbolic, v) * Isometry::turn(Space::Hyperbolic, v, *angle)
        };
        let generators: Vec<Isometry> = parts.iter().map(generator).collect();
        if let Ok(domain) = read_generators(file(&generators).as_bytes()).unwrap().domain(DVec3::ZERO) {
            prop_assert!(domain.edge_cycles().is_ok());
        }
    }
}
