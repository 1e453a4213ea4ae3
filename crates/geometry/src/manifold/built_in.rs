//! The built-in spaces: names, parameters and how each is made.

use glam::DVec3;

use super::{Domain, EdgeCycle, ManifoldError, dirichlet_domain, flat, hyperbolic, spherical};
use crate::space::{Isometry, Space};

/// Maximum order of the group of a lens space.
const MAX_LENS_ORDER: f64 = 60.0;

/// Name of a built-in space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SpaceName {
    ThreeTorus,
    HalfTurn,
    QuarterTurn,
    ThirdTurn,
    SixthTurn,
    HantzscheWendt,
    ThreeSphere,
    Lens,
    Quaternion,
    Poincare,
    SeifertWeber,
    Weeks,
    RightAngledDodecahedra,
}

/// Parameter by which a space can be deformed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Name, as in `width`.
    pub name: &'static str,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Value used when none is given.
    pub default: f64,
    /// Whether only whole numbers are allowed.
    pub whole: bool,
}

const fn length(name: &'static str, default: f64) -> Parameter {
    Parameter { name, min: 0.5, max: 2.0, default, whole: false }
}

const fn shear(name: &'static str) -> Parameter {
    Parameter { name, min: -1.0, max: 1.0, default: 0.0, whole: false }
}

const fn whole(name: &'static str, min: f64, default: f64) -> Parameter {
    Parameter { name, min, max: MAX_LENS_ORDER, default, whole: true }
}

impl SpaceName {
    /// All built-in spaces, in the order in which they are listed.
    pub const ALL: [SpaceName; 13] = [
        SpaceName::ThreeTorus,
        SpaceName::HalfTurn,
        SpaceName::QuarterTurn,
        SpaceName::ThirdTurn,
        SpaceName::SixthTurn,
        SpaceName::HantzscheWendt,
        SpaceName::ThreeSphere,
        SpaceName::Lens,
        SpaceName::Quaternion,
        SpaceName::Poincare,
        SpaceName::SeifertWeber,
        SpaceName::Weeks,
        SpaceName::RightAngledDodecahedra,
    ];

    /// Returns the name for the command line and addresses.
    pub fn name(self) -> &'static str {
        match self {
            SpaceName::ThreeTorus => "3-torus",
            SpaceName::HalfTurn => "half-turn",
            SpaceName::QuarterTurn => "quarter-turn",
            SpaceName::ThirdTurn => "third-turn",
            SpaceName::SixthTurn => "sixth-turn",
            SpaceName::HantzscheWendt => "hantzsche-wendt",
            SpaceName::ThreeSphere => "3-sphere",
            SpaceName::Lens => "lens",
            SpaceName::Quaternion => "quaternion",
            SpaceName::Poincare => "poincare",
            SpaceName::SeifertWeber => "seifert-weber",
            SpaceName::Weeks => "weeks",
            SpaceName::RightAngledDodecahedra => "right-angled-dodecahedra",
        }
    }

    /// Returns one sentence about the space.
    pub fn description(self) -> &'static str {
        match self {
            SpaceName::ThreeTorus => "A box whose opposite faces are joined.",
            SpaceName::HalfTurn => "A box whose top is joined to its bottom after half a turn.",
            SpaceName::QuarterTurn => "A square prism whose top is joined to its bottom after a quarter of a turn.",
            SpaceName::ThirdTurn => "A hexagonal prism whose top is joined to its bottom after a third of a turn.",
            SpaceName::SixthTurn => "A hexagonal prism whose top is joined to its bottom after a sixth of a turn.",
            SpaceName::HantzscheWendt => "The flat space with half turns along three axes that do not meet.",
            SpaceName::ThreeSphere => "The sphere of three dimensions: every straight line returns after 2 pi.",
            SpaceName::Lens => "A lens whose two sides are joined after a part q/p of a turn.",
            SpaceName::Quaternion => "A cube whose opposite faces are joined after a quarter of a turn.",
            SpaceName::Poincare => "A dodecahedron whose opposite faces are joined after a tenth of a turn.",
            SpaceName::SeifertWeber => "A dodecahedron whose opposite faces are joined after three tenths of a turn.",
            SpaceName::Weeks => "The closed hyperbolic space of smallest volume.",
            SpaceName::RightAngledDodecahedra => {
                "Dodecahedra with right angles, four at every edge; an orbifold with axes of order 4."
            }
        }
    }

    /// Returns the name or structure of the group.
    pub fn group(self) -> &'static str {
        match self {
            SpaceName::ThreeTorus => "Z x Z x Z, three translations",
            SpaceName::HalfTurn => "two translations and a screw motion by 1/2 turn",
            SpaceName::QuarterTurn => "two translations and a screw motion by 1/4 turn",
            SpaceName::ThirdTurn => "two translations and a screw motion by 1/3 turn",
            SpaceName::SixthTurn => "two translations and a screw motion by 1/6 turn",
            SpaceName::HantzscheWendt => "three screw motions by 1/2 turn; finite homology Z/4 x Z/4",
            SpaceName::ThreeSphere => "trivial",
            SpaceName::Lens => "cyclic, of order p",
            SpaceName::Quaternion => "quaternion group of order 8",
            SpaceName::Poincare => "binary icosahedral group of order 120",
            SpaceName::SeifertWeber => "infinite, 6 generators; homology Z/5 x Z/5 x Z/5",
            SpaceName::Weeks => "infinite, 2 generators a, b with aabbaaBaB = aabbAbAbb = 1; homology Z/5 x Z/5",
            SpaceName::RightAngledDodecahedra => "infinite, generated by quarter turns about the Borromean rings",
        }
    }

    /// Returns the geometry.
    pub fn space(self) -> Space {
        use SpaceName::*;
        match self {
            ThreeTorus | HalfTurn | QuarterTurn | ThirdTurn | SixthTurn | HantzscheWendt => Space::Flat,
            ThreeSphere | Lens | Quaternion | Poincare => Space::Spherical,
            SeifertWeber | Weeks | RightAngledDodecahedra => Space::Hyperbolic,
        }
    }

    /// Returns the parameters. Hyperbolic spaces are rigid, and so are spherical ones.
    pub fn parameters(self) -> &'static [Parameter] {
        const BOX: [Parameter; 3] = [length("width", 1.0), length("depth", 1.0), length("height", 1.0)];
        const TORUS: [Parameter; 6] =
            [BOX[0], BOX[1], BOX[2], shear("x_of_depth"), shear("x_of_height"), shear("y_of_height")];
        const HALF: [Parameter; 4] = [BOX[0], BOX[1], BOX[2], shear("x_of_depth")];
        const PRISM: [Parameter; 2] = [BOX[0], BOX[2]];
        const LENS: [Parameter; 2] = [whole("p", 2.0, 5.0), whole("q", 1.0, 2.0)];
        match self {
            SpaceName::ThreeTorus => &TORUS,
            SpaceName::HalfTurn => &HALF,
            SpaceName::QuarterTurn | SpaceName::ThirdTurn | SpaceName::SixthTurn => &PRISM,
            SpaceName::HantzscheWendt => &BOX,
            SpaceName::Lens => &LENS,
            _ => &[],
        }
    }
}

/// Built-in space with chosen parameters and base point.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// Name of the space.
    pub name: SpaceName,
    /// Values of the parameters, in the order of [`SpaceName::parameters`].
    pub values: Vec<f64>,
    /// Geodesic from the usual base point to the chosen one.
    pub base: DVec3,
}

/// Space that has been made: its generators about the base point, its domain and its cycles of edges.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifold {
    /// Generators of the group.
    pub generators: Vec<Isometry>,
    /// Fundamental domain, with the base point as origin.
    pub domain: Domain,
    /// Cycles of edges: the relations of the group.
    pub cycles: Vec<EdgeCycle>,
}

impl Recipe {
    /// Returns the space with its usual parameters and base point.
    pub fn new(name: SpaceName) -> Recipe {
        let values = name.parameters().iter().map(|parameter| parameter.default).collect();
        Recipe { name, values, base: DVec3::ZERO }
    }

    /// Finds a space by its name. `lens-7-2` is the lens space L(7, 2).
    pub fn named(name: &str) -> Option<Recipe> {
        if let Some(numbers) = name.strip_prefix("lens-") {
            let (p, q) = numbers.split_once('-')?;
            let values = vec![f64::from(p.parse::<u16>().ok()?), f64::from(q.parse::<u16>().ok()?)];
            return Some(Recipe { values, ..Recipe::new(SpaceName::Lens) });
        }
        SpaceName::ALL.into_iter().find(|known| known.name() == name).map(Recipe::new)
    }

    /// Sets a parameter by its name.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), ManifoldError> {
        let parameters = self.name.parameters();
        let index = parameters.iter().position(|parameter| parameter.name == name).ok_or_else(|| {
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
            let expected = if names.is_empty() { "none".to_string() } else { names.join(", ") };
            ManifoldError::UnknownParameter { space: self.name.name().to_string(), name: name.to_string(), expected }
        })?;
        self.values[index] = value;
        Ok(())
    }

    /// Makes the space.
    pub fn build(&self) -> Result<Manifold, ManifoldError> {
        self.check()?;
        let (generators, domain) = self.usual()?;
        if self.base == DVec3::ZERO || generators.is_empty() {
            return Manifold::new(generators, domain);
        }
        // The base point is brought back into the domain, where the generators have small entries.
        let mut base = Isometry::translation(self.name.space(), self.base);
        domain.bring_back(&mut base);
        let back = base.inverse();
        let moved: Vec<Isometry> = generators.iter().map(|generator| back * *generator * base).collect();
        match dirichlet_domain(self.name.space(), &moved) {
            // The domain of a lens space about a point of its axis, and of L(p, 1) about any point, is the lens.
            Err(ManifoldError::Unbounded) if self.name == SpaceName::Lens => Manifold::new(generators, domain),
            found => Manifold::new(moved, found?),
        }
    }

    /// Returns the generators and the domain about the usual base point.
    fn usual(&self) -> Result<(Vec<Isometry>, Domain), ManifoldError> {
        let value = |index: usize| self.values[index];
        let generators = match self.name {
            SpaceName::ThreeTorus => flat::three_torus([value(0), value(1), value(2)], [value(3), value(4), value(5)]),
            SpaceName::HalfTurn => flat::half_turn([value(0), value(1), value(2)], value(3)),
            SpaceName::QuarterTurn => flat::quarter_turn(value(0), value(1)),
            SpaceName::ThirdTurn => flat::hexagonal_turn(value(0), value(1), 3),
            SpaceName::SixthTurn => flat::hexagonal_turn(value(0), value(1), 6),
            SpaceName::HantzscheWendt => flat::hantzsche_wendt([value(0), value(1), value(2)]),
            SpaceName::ThreeSphere => return Ok((Vec::new(), spherical::three_sphere())),
            SpaceName::Lens => {
                let (p, q) = (value(0) as u32, value(1) as u32);
                return Ok((vec![spherical::lens_generator(p, q)], spherical::lens(p, q)?));
            }
            SpaceName::Quaternion => spherical::quaternion(),
            SpaceName::Poincare => spherical::poincare(),
            SpaceName::SeifertWeber => hyperbolic::seifert_weber(),
            SpaceName::Weeks => hyperbolic::weeks(),
            SpaceName::RightAngledDodecahedra => {
                let domain = hyperbolic::right_angled_dodecahedron()?;
                return Ok((domain.faces.iter().map(|face| face.pairing).collect(), domain));
            }
        };
        let domain = dirichlet_domain(self.name.space(), &generators)?;
        Ok((generators, domain))
    }

    fn check(&self) -> Result<(), ManifoldError> {
        for (parameter, &value) in self.name.parameters().iter().zip(&self.values) {
            let Parameter { name, min, max, whole, .. } = *parameter;
            if !(min..=max).contains(&value) || (whole && libm::floor(value) != value) {
                return Err(ManifoldError::ParameterOutOfRange { name, value, min, max });
            }
        }
        let reach = self.base.length();
        if !(0.0..=3.0).contains(&reach) {
            return Err(ManifoldError::ParameterOutOfRange { name: "base", value: reach, min: 0.0, max: 3.0 });
        }
        if self.name == SpaceName::Lens {
            let (p, q) = (self.values[0] as u32, self.values[1] as u32);
            if common_divisor(p, q) != 1 {
                return Err(ManifoldError::CommonDivisor { p, q });
            }
        }
        Ok(())
    }
}

fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

impl Manifold {
    /// Completes a domain by its cycles of edges.
    pub fn new(generators: Vec<Isometry>, domain: Domain) -> Result<Manifold, ManifoldError> {
        let cycles = domain.edge_cycles()?;
        Ok(Manifold { generators, domain, cycles })
    }

    /// Returns whether the space has no axes: the orders of all cycles are 1.
    pub fn is_manifold(&self) -> bool {
        self.cycles.iter().all(|cycle| cycle.order == 1)
    }

    /// Returns the order of the group if it is finite.
    pub fn group_order(&self) -> Option<usize> {
        (self.domain.space == Space::Spherical).then(|| self.domain.elements(usize::MAX, usize::MAX).len())
    }
}
