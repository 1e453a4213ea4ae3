//! Dirichlet domain: the points that are nearer to the origin than to any of its images under a group.
//!
//! The domain is cut by the bisectors of the known elements. Where a face does not meet its partner exactly, or a
//! generator does not lead back to the origin, a new element is found that cuts the domain further. When nothing is
//! left to cut, the cycles of edges prove that the domain is that of the group (Poincare's polyhedron theorem).

use glam::DVec4;

use super::clip::Cutting;
use super::domain::OpenFace;
use super::{Domain, ManifoldError};
use crate::space::{Isometry, ORIGIN, Space};

/// Maximum number of elements that are tried. Domains of small manifolds need a few hundred.
const MAX_ELEMENTS: usize = 4000;

/// Maximum number of rounds in which elements are added.
const MAX_ROUNDS: usize = 60;

/// Maximum number of the nearest elements that are multiplied while the domain is unbounded.
const MAX_FACTORS: usize = 40;

/// Maximum number of elements that are added in one round, the nearest first.
const MAX_GROWTH: usize = 300;

/// Maximum number of faces of a domain.
const MAX_FACES: usize = 400;

/// Elements must move the origin by at least this. It is far above rounding, and far below the shortest closed
/// geodesics of known small manifolds that one can look at.
const MIN_TRANSLATION: f64 = 1e-3;

/// Elements that move the origin farther than this are not used: their matrices have too few correct digits.
const MAX_TRANSLATION: f64 = 12.0;

/// Position of a vertex relative to a face, above which the face cuts it off. It exceeds the tolerance of the cutting,
/// which has smaller features merged.
const OUTSIDE: f64 = 3e-8;

/// Half the side of the initial cube in the projective model. Hyperbolic space is the unit ball; flat domains and
/// spherical ones within a hemisphere are smaller than the cube.
fn initial_cube(space: Space) -> Cutting {
    Cutting::cube(if space == Space::Hyperbolic { 1.0 } else { 1e3 })
}

/// Element of the group with the generator that led to it.
#[derive(Clone, Copy)]
struct Element {
    isometry: Isometry,
    generator: usize,
}

/// Known elements, with the origin's distance from its image.
struct Elements {
    space: Space,
    list: Vec<(f64, Element)>,
}

impl Elements {
    /// Adds an element and its inverse, unless they are known. Returns whether the element was new.
    fn add(&mut self, element: Element) -> Result<bool, ManifoldError> {
        let centre = element.isometry.centre();
        let distance = self.space.distance(ORIGIN, centre);
        if distance < MIN_TRANSLATION {
            let identity = Isometry::identity(self.space);
            if element.isometry.difference(&identity) < 0.1 * MIN_TRANSLATION {
                return Ok(false);
            }
            return Err(ManifoldError::NotDiscrete { generator: element.generator, distance });
        }
        if !distance.is_finite() || (distance > MAX_TRANSLATION && self.space == Space::Hyperbolic) {
            return Ok(false);
        }
        for (other_distance, other) in &self.list {
            if (other_distance - distance).abs() < MIN_TRANSLATION
                && self.space.distance(other.isometry.centre(), centre) < MIN_TRANSLATION
            {
                if other.isometry.difference(&element.isometry)
                    < 0.1 * MIN_TRANSLATION * (1.0 + element.isometry.scale())
                {
                    return Ok(false);
                }
                // Two elements with the same image of the origin: their quotient fixes it.
                return Err(ManifoldError::NotDiscrete { generator: element.generator, distance: 0.0 });
            }
        }
        if self.list.len() >= MAX_ELEMENTS {
            return Err(ManifoldError::TooManyElements { limit: MAX_ELEMENTS, generator: element.generator });
        }
        let inverse = Element { isometry: element.isometry.inverse(), ..element };
        let own_inverse = self.space.distance(inverse.isometry.centre(), centre) < MIN_TRANSLATION;
        self.list.push((distance, element));
        if !own_inverse {
            self.list.push((distance, inverse));
        }
        Ok(true)
    }

    fn sort(&mut self) {
        self.list.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
}

/// Computes the Dirichlet domain about the origin of the group that the generators generate.
pub fn dirichlet_domain(space: Space, generators: &[Isometry]) -> Result<Domain, ManifoldError> {
    let mut elements = Elements { space, list: Vec::new() };
    for (generator, isometry) in generators.iter().enumerate() {
        elements.add(Element { isometry: *isometry, generator })?;
    }
    if elements.list.is_empty() {
        return Err(ManifoldError::NoElements);
    }
    let seeds: Vec<Element> = elements.list.iter().map(|(_, element)| *element).collect();
    for _ in 0..MAX_ROUNDS {
        elements.sort();
        let (cutting, used) = cut_all(space, &mut elements);
        if cutting.faces.len() > MAX_FACES {
            return Err(ManifoldError::TooManyFaces { limit: MAX_FACES });
        }
        let unbounded = cutting.is_unbounded() || cutting.used_vertices().any(|v| space.on_line(v).is_none());
        let found = if unbounded {
            products(&elements, &used, &seeds)
        } else {
            missing_elements(space, &cutting, &used, generators)
        };
        let mut grown = 0;
        for element in found {
            grown += usize::from(elements.add(element)?);
            if grown >= MAX_GROWTH {
                break;
            }
        }
        if grown == 0 {
            if unbounded {
                return Err(ManifoldError::Unbounded);
            }
            return finish(space, &cutting, &used);
        }
    }
    Err(ManifoldError::TooManyRounds { limit: MAX_ROUNDS })
}

/// Cuts the initial cube by all bisectors, the nearest first. Returns the elements that labels refer to.
fn cut_all(space: Space, elements: &mut Elements) -> (Cutting, Vec<Element>) {
    let mut cutting = initial_cube(space);
    let mut used = Vec::new();
    let mut reach = f64::INFINITY;
    for (distance, element) in &elements.list {
        // A bisector farther than all vertices cuts nothing.
        if 0.5 * distance > reach + 1e-9 {
            break;
        }
        if let Some(plane) = space.bisector(element.isometry.centre())
            && cutting.cut(plane, used.len())
        {
            used.push(*element);
            reach = farthest_vertex(space, &cutting);
        }
    }
    (cutting, used)
}

fn farthest_vertex(space: Space, cutting: &Cutting) -> f64 {
    let distance = |v: DVec4| space.on_line(v).map_or(f64::INFINITY, |p| space.distance(ORIGIN, p));
    cutting.used_vertices().map(distance).fold(0.0, f64::max)
}

/// Returns products of the nearest elements and the faces, and of more elements with the generators.
fn products(elements: &Elements, used: &[Element], generators: &[Element]) -> Vec<Element> {
    let nearest = elements.list.iter().map(|(_, element)| *element);
    let factors: Vec<Element> =
        nearest.clone().take(MAX_FACTORS).chain(used.iter().copied().take(MAX_FACTORS)).collect();
    let product = |a: &Element, b: &Element| Element { isometry: a.isometry * b.isometry, generator: b.generator };
    let mut products: Vec<Element> = Vec::new();
    for a in &factors {
        products.extend(factors.iter().map(|b| product(a, b)));
    }
    // Without these, a finite subgroup of an orbifold could be all that is found.
    for a in nearest.take(4 * MAX_FACTORS) {
        products.extend(generators.iter().map(|b| product(&a, b)));
    }
    // The nearest products matter most.
    products.sort_by(|a, b| a.isometry.centre().w.total_cmp(&b.isometry.centre().w));
    if elements.space == Space::Spherical {
        products.reverse();
    }
    products
}

/// Returns elements that cut a bounded domain further: products that bring a corner of a face nearer, and generators
/// that do not lead back to the origin.
fn missing_elements(space: Space, cutting: &Cutting, used: &[Element], generators: &[Isometry]) -> Vec<Element> {
    let label = |face: usize| cutting.faces[face].label.and_then(|label| used.get(label));
    let faces: Vec<(DVec4, Element)> =
        (0..cutting.faces.len()).filter_map(|f| Some((cutting.faces[f].plane, *label(f)?))).collect();
    let beyond = |p: DVec4| {
        let heights = faces.iter().map(|(plane, element)| (plane.dot(p), element));
        heights.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(height, _)| *height > OUTSIDE).map(|(_, element)| *element)
    };
    let mut found = Vec::new();
    for face in 0..cutting.faces.len() {
        let Some(element) = label(face) else { continue };
        let back = element.isometry.inverse();
        for &corner in &cutting.faces[face].corners {
            let Some(position) = space.on_line(cutting.vertices[corner]) else { continue };
            if let Some(next) = beyond(back.apply(position)) {
                let isometry = element.isometry * next.isometry;
                found.push(Element { isometry, generator: element.generator });
                found.push(next);
            }
        }
    }
    for (generator, isometry) in generators.iter().enumerate() {
        let mut reduced = *isometry;
        for _ in 0..MAX_FACES {
            let Some(next) = beyond(reduced.centre()) else { break };
            reduced = next.isometry.inverse() * reduced;
        }
        // Near the origin rounding can be removed; far from it the matrix has too large entries for that.
        reduced = reduced.orthonormalised();
        found.push(Element { isometry: reduced, generator });
    }
    found
}

/// Makes the domain of a cutting whose faces match.
fn finish(space: Space, cutting: &Cutting, used: &[Element]) -> Result<Domain, ManifoldError> {
    let mut numbers = vec![usize::MAX; cutting.vertices.len()];
    let mut vertices = Vec::new();
    let mut open = Vec::new();
    for face in &cutting.faces {
        let mut corners = Vec::with_capacity(face.corners.len());
        for &corner in &face.corners {
            if numbers[corner] == usize::MAX {
                numbers[corner] = vertices.len();
                let exact = meeting_point(cutting, corner);
                vertices.push(space.on_line(exact).ok_or(ManifoldError::Unbounded)?);
            }
            corners.push(numbers[corner]);
        }
        let element = face.label.and_then(|label| used.get(label)).ok_or(ManifoldError::Unbounded)?;
        let sum: DVec4 = corners.iter().map(|&c| vertices[c]).sum();
        let centre = space.on_line(sum).ok_or(ManifoldError::Unbounded)?;
        open.push(OpenFace { plane: face.plane, centre, pairing: element.isometry, corners });
    }
    let domain = Domain::assemble(space, vertices, open)?;
    domain.edge_cycles()?;
    Ok(domain)
}

/// Returns the point in which the planes of a vertex meet: that of the three planes whose normals differ most.
fn meeting_point(cutting: &Cutting, vertex: usize) -> DVec4 {
    let planes: Vec<DVec4> =
        cutting.faces.iter().filter(|face| face.corners.contains(&vertex)).map(|face| face.plane.normalize()).collect();
    let mut best = DVec4::ZERO;
    for (i, &a) in planes.iter().enumerate() {
        for (j, &b) in planes.iter().enumerate().skip(i + 1) {
            for &c in &planes[j + 1..] {
                let point = cross(a, b, c);
                if point.length_squared() > best.length_squared() {
                    best = point;
                }
            }
        }
    }
    let rough = cutting.vertices[vertex];
    // Planes that nearly coincide determine no point better than the cutting did.
    if best.length() < 1e-6 { rough } else { best.normalize() * best.dot(rough).signum() }
}

/// Returns the vector orthogonal to three covectors.
fn cross(a: DVec4, b: DVec4, c: DVec4) -> DVec4 {
    let minor = |i: usize, j: usize, k: usize| {
        a[i] * (b[j] * c[k] - b[k] * c[j]) - a[j] * (b[i] * c[k] - b[k] * c[i]) + a[k] * (b[i] * c[j] - b[j] * c[i])
    };
    DVec4::new(minor(1, 2, 3), -minor(0, 2, 3), minor(0, 1, 3), -minor(0, 1, 2))
}
