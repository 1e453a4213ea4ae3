//! Complementarity problems compared with enumeration.

use burgess_paradigms::constraint_solver::complementarity::{
    Bound, GaussSeidelError, Lemke, LemkeError, ProjectedGaussSeidel,
};
use glam::DVec3;
use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A solution with a nonsingular principal block, by trying all sets of positive `z`.
fn enumerate(matrix: &DMatrix<f64>, vector: &DVector<f64>) -> Option<DVector<f64>> {
    let size = vector.len();
    (0..1usize << size).find_map(|set| {
        let active: Vec<usize> = (0..size).filter(|i| set >> i & 1 == 1).collect();
        let block = DMatrix::from_fn(active.len(), active.len(), |r, c| matrix[(active[r], active[c])]);
        if !active.is_empty() && block.clone().svd(false, false).singular_values.min() < 1e-9 {
            return None;
        }
        let right = DVector::from_fn(active.len(), |r, _| -vector[active[r]]);
        let part = if active.is_empty() { right } else { block.lu().solve(&right)? };
        let mut z = DVector::zeros(size);
        active.iter().zip(part.iter()).for_each(|(&i, &value)| z[i] = value);
        let w = matrix * &z + vector;
        (z.min() >= -1e-9 && w.min() >= -1e-9).then_some(z)
    })
}

fn rows(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

fn lemke(matrix: &DMatrix<f64>, vector: &DVector<f64>) -> Result<DVector<f64>, LemkeError> {
    let mut z = DVector::zeros(vector.len());
    let report = Lemke::default().solve(&rows(matrix), vector.as_slice(), z.as_mut_slice())?;
    let w = matrix * &z + vector;
    let residual = w.zip_map(&z, |w, z| w.min(z).abs()).max();
    assert!(residual < 1e-9 && z.min() >= 0.0, "residual {residual}");
    assert!((residual - report.residual).abs() < 1e-12);
    Ok(z)
}

fn random_matrix(random: &mut Pcg64, rows: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |_, _| random.random_range(-1.0..1.0))
}

fn random_vector(random: &mut Pcg64, size: usize) -> DVector<f64> {
    DVector::from_fn(size, |_, _| random.random_range(-1.0..1.0))
}

#[test]
fn lemke_finds_the_unique_solution_of_p_matrices() {
    let mut random = Pcg64::seed_from_u64(1);
    for case in 0..600 {
        let size = 1 + case % 8;
        let root = random_matrix(&mut random, size, size);
        // Positive definite plus a skew part: a P-matrix that is not symmetric.
        let skew = random_matrix(&mut random, size, size);
        let matrix = &root * root.transpose() + DMatrix::identity(size, size) * 0.1 + (&skew - skew.transpose());
        let vector = random_vector(&mut random, size);
        let expected = enumerate(&matrix, &vector).expect("a P-matrix always has a solution");
        let found = lemke(&matrix, &vector).expect("Lemke solves every P-matrix");
        assert!((&found - &expected).amax() < 1e-8 * (1.0 + expected.amax()), "case {case}");
    }
}

#[test]
fn lemke_solves_semidefinite_problems_or_proves_that_there_is_nothing_to_find() {
    let mut random = Pcg64::seed_from_u64(2);
    let (mut solved, mut unsolvable) = (0, 0);
    for case in 0..600 {
        let size = 2 + case % 7;
        let rank = 1 + case % (size - 1);
        let root = random_matrix(&mut random, size, rank);
        let matrix = &root * root.transpose();
        let vector = random_vector(&mut random, size).add_scalar(0.3);
        match (lemke(&matrix, &vector), enumerate(&matrix, &vector)) {
            (Ok(found), Some(expected)) => {
                // The forces of a semi-definite problem need not be unique; what they do is.
                assert!((&matrix * (found - expected)).amax() < 1e-7, "case {case}");
                solved += 1;
            }
            (Err(LemkeError::Ray { .. }), None) => unsolvable += 1,
            (found, expected) => panic!("case {case}: {found:?} against {expected:?}"),
        }
    }
    assert!(solved > 100 && unsolvable > 100, "{solved} solved, {unsolvable} without a solution");
}

#[test]
fn degenerate_problems_do_not_cycle() {
    // A circulant on which pivoting by the most negative row goes round for ever.
    let circulant = DMatrix::from_row_slice(3, 3, &[1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0]);
    let z = lemke(&circulant, &DVector::from_element(3, -1.0)).unwrap();
    assert!((z - DVector::from_element(3, 1.0 / 3.0)).amax() < 1e-12);

    // Small whole numbers: ties in nearly every ratio test, singular matrices, zeros in the vector.
    let mut random = Pcg64::seed_from_u64(3);
    for case in 0..2000 {
        let size = 2 + case % 7;
        let root = DMatrix::from_fn(size, size, |_, _| f64::from(random.random_range(-1..=1)));
        let load = DVector::from_fn(size, |_, _| f64::from(random.random_range(-2..=2)));
        // A vector in the range of M, plus what only helps: a solution exists.
        let slack = DVector::from_fn(size, |_, _| f64::from(random.random_range(0..=1)));
        let matrix = &root * root.transpose();
        lemke(&matrix, &(&matrix * load + slack)).unwrap_or_else(|error| panic!("case {case}: {error}"));
    }
}

#[test]
fn lemke_says_why_it_has_nothing() {
    let mut z = [1.0; 2];
    let mut method = Lemke::default();
    assert!(matches!(method.solve(&[-1.0], &[-1.0], &mut z[..1]), Err(LemkeError::Ray { .. })));
    assert!(matches!(method.solve(&[0.0, 1.0, -1.0, 0.0], &[-1.0, -1.0], &mut z), Err(LemkeError::Ray { .. })));
    assert_eq!(z, [0.0; 2]);
    assert!(matches!(method.solve(&[1.0], &[-1.0, 0.0], &mut z), Err(LemkeError::Size { .. })));
    assert_eq!(method.solve(&[], &[], &mut []).unwrap().pivots, 0);

    method.pivots_per_variable = 1;
    let mut random = Pcg64::seed_from_u64(7);
    let root = random_matrix(&mut random, 12, 12);
    let matrix = &root * root.transpose();
    let vector = &matrix * DVector::from_element(12, -1.0);
    let mut z = [0.0; 12];
    let bounded = method.solve(&rows(&matrix), vector.as_slice(), &mut z);
    assert!(matches!(bounded, Err(LemkeError::PivotBound { pivots: 13 })), "{bounded:?}");
}

#[test]
fn lemke_keeps_its_accuracy_on_large_problems() {
    let mut random = Pcg64::seed_from_u64(4);
    let root = random_matrix(&mut random, 150, 60);
    let matrix = &root * root.transpose();
    let vector = &matrix * random_vector(&mut random, 150);
    lemke(&matrix, &vector).unwrap();
}

#[test]
fn gauss_seidel_agrees_with_lemke() {
    let mut random = Pcg64::seed_from_u64(5);
    let method = ProjectedGaussSeidel { tolerance: 1e-12, relaxation: 1.2, ..Default::default() };
    for size in 1..=8 {
        let root = random_matrix(&mut random, size, size);
        let matrix = &root * root.transpose() + DMatrix::identity(size, size) * 0.2;
        let vector = random_vector(&mut random, size);
        let mut z = DVector::zeros(size);
        let solve = |bound, z: &mut [f64]| {
            method.solve(&rows(&matrix), vector.as_slice(), &vec![bound; size], z).unwrap().residual
        };
        assert!(solve(Bound::NON_NEGATIVE, z.as_mut_slice()) <= 1e-12);
        assert!((&z - lemke(&matrix, &vector).unwrap()).amax() < 1e-10);
        assert!(solve(Bound::FREE, z.as_mut_slice()) <= 1e-12);
        assert!((&matrix * &z + &vector).amax() < 1e-11);
    }
}

#[test]
fn gauss_seidel_keeps_every_kind_of_bound() {
    // A normal force of 2 and a tangential pull of (3, 4): the box holds each part to 1, the disc the whole to 1.
    let method = ProjectedGaussSeidel::default();
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let (of, coefficient) = (0, 0.5);
    let boxed = [Bound::NON_NEGATIVE, Bound::Box { of, coefficient }, Bound::Box { of, coefficient }];
    let disc = [Bound::NON_NEGATIVE, Bound::Disc { of, coefficient }, Bound::DiscSecond];
    for (bounds, expected) in [(boxed, [2.0, -1.0, -1.0]), (disc, [2.0, -0.6, -0.8])] {
        let mut z = [0.0; 3];
        method.solve(&identity, &[-2.0, 3.0, 4.0], &bounds, &mut z).unwrap();
        assert!((DVec3::from(z) - DVec3::from(expected)).length() < 1e-12);
    }

    let refused = method.solve(&[-1.0], &[-1.0], &[Bound::NON_NEGATIVE], &mut [0.0]);
    assert!(matches!(refused, Err(GaussSeidelError::Diagonal { row: 0, .. })));
    let half = method.solve(&[1.0], &[-1.0], &[Bound::Disc { of, coefficient }], &mut [0.0]);
    assert!(matches!(half, Err(GaussSeidelError::Bound { row: 0 })));
    let wild = ProjectedGaussSeidel { relaxation: 2.5, ..method };
    assert!(matches!(wild.solve(&[], &[], &[], &mut []), Err(GaussSeidelError::Relaxation { .. })));
    let few = ProjectedGaussSeidel { max_sweeps: 3, ..method };
    let report = few.solve(&[1.0, 0.9, 0.9, 1.0], &[-1.0, -1.0], &[Bound::NON_NEGATIVE; 2], &mut [0.0; 2]).unwrap();
    assert!(report.sweeps == 3 && report.residual > 1e-3, "{report:?}");
}
