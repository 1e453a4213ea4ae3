//! The trigonometric polynomial through the values of a periodic field: an interpolation that shares nothing with the
//! splines of the product.

use burgess_flow::fourier::{Axis, Complex64, Transform};
use burgess_flow::grid::Grid;
use glam::{DMat3, DVec3};

pub struct Trigonometric {
    grid: Grid,
    coefficients: Vec<Complex64>,
    waves: [Vec<f64>; 3],
}

impl Trigonometric {
    pub fn new(grid: Grid, values: &[f32]) -> Self {
        let mut coefficients: Vec<Complex64> = values.iter().map(|value| Complex64::from(f64::from(*value))).collect();
        Transform::new(grid.size(), [Axis::Periodic; 3]).forward(&mut coefficients);
        let scale = 1.0 / grid.points() as f64;
        coefficients.iter_mut().for_each(|value| *value *= scale);
        let waves = [0, 1, 2].map(|axis| {
            let count = grid.size()[axis];
            let unit = std::f64::consts::TAU / grid.extent()[axis];
            let wave = |place: usize| if 2 * place >= count { place as f64 - count as f64 } else { place as f64 };
            (0..count).map(|place| unit * wave(place)).collect::<Vec<f64>>()
        });
        Self { grid, coefficients, waves }
    }

    /// Gradient and second derivatives at a place.
    pub fn derivatives(&self, place: DVec3) -> (DVec3, DMat3) {
        let [nx, ny, nz] = self.grid.size();
        let from = place - self.grid.origin();
        let factors = [0, 1, 2].map(|axis| {
            let factor = |wave: &f64| {
                let angle = wave * from[axis];
                Complex64::new(libm::cos(angle), libm::sin(angle))
            };
            self.waves[axis].iter().map(factor).collect::<Vec<_>>()
        });
        let turn = |value: Complex64, wave: f64| Complex64::new(-value.im, value.re) * wave;
        let mut gradient = DVec3::ZERO;
        let mut bends = [0.0; 6];
        for z in 0..nz {
            let [mut s, mut sx, mut sxx, mut sy, mut syy, mut sxy] = [Complex64::ZERO; 6];
            for y in 0..ny {
                let line = &self.coefficients[(z * ny + y) * nx..][..nx];
                let [mut l, mut lx, mut lxx] = [Complex64::ZERO; 3];
                for x in 0..nx {
                    let (value, wave) = (line[x] * factors[0][x], self.waves[0][x]);
                    l += value;
                    lx += value * wave;
                    lxx += value * (wave * wave);
                }
                let (f, wave) = (factors[1][y], self.waves[1][y]);
                s += l * f;
                sx += lx * f;
                sxx += lxx * f;
                sy += l * f * wave;
                syy += l * f * (wave * wave);
                sxy += lx * f * wave;
            }
            let (f, wave) = (factors[2][z], self.waves[2][z]);
            let one = |value: Complex64| turn(value * f, 1.0).re;
            let two = |value: Complex64| -(value * f).re;
            gradient += DVec3::new(one(sx), one(sy), one(s * wave));
            let parts = [two(sxx), two(sxy), two(sx * wave), two(syy), two(sy * wave), two(s * (wave * wave))];
            bends.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        }
        let [xx, xy, xz, yy, yz, zz] = bends;
        let columns = [DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)];
        (gradient, DMat3::from_cols(columns[0], columns[1], columns[2]))
    }

    /// The minimum near a place in the plane of two unit vectors, by Newton's method.
    pub fn minimum(&self, mut place: DVec3, [first, second]: [DVec3; 2]) -> DVec3 {
        for _ in 0..20 {
            let (gradient, bends) = self.derivatives(place);
            let (g1, g2) = (gradient.dot(first), gradient.dot(second));
            let (b11, b12, b22) =
                ((bends * first).dot(first), (bends * first).dot(second), (bends * second).dot(second));
            let determinant = b11 * b22 - b12 * b12;
            assert!(b11 > 0.0 && determinant > 0.0, "no minimum near {place}");
            let step = ((b12 * g2 - b22 * g1) * first + (b12 * g1 - b11 * g2) * second) / determinant;
            place += step;
            if step.length() < 1e-9 {
                break;
            }
        }
        place
    }
}
