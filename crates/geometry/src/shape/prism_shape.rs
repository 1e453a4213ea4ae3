//! A prism of a height field as a polyhedron, in reused memory.

use std::sync::Arc;

use super::{Prism, Shape};
use crate::Polyhedron;

/// Vertices of the faces: the top, counter-clockwise seen from outside; the bottom; the walls below the sides of the
/// top.
const FACES: [&[u32]; 5] = [&[0, 1, 2], &[5, 4, 3], &[0, 3, 4, 1], &[1, 4, 5, 2], &[2, 5, 3, 0]];

/// Holds one prism at a time as a polyhedron, so that the algorithms for polyhedra also work on terrain. All prisms
/// have the same features: vertices as in [`Prism::vertices`]; faces top, bottom, then walls in the order of the sides
/// of the top.
#[derive(Debug, Clone, Default)]
pub struct PrismShape {
    shape: Option<Shape>,
}

impl PrismShape {
    /// Returns the prism as a polyhedron in the frame of its field, or `None` if it is flat. Allocates only the first
    /// time.
    pub fn set(&mut self, prism: &Prism) -> Option<&Shape> {
        let vertices = prism.vertices();
        if let Some(Shape::Polyhedron(polyhedron)) = &mut self.shape {
            if Arc::make_mut(polyhedron).move_vertices(&vertices).is_err() {
                self.shape = None;
            }
        } else {
            let faces = FACES.iter().map(|face| face.to_vec()).collect();
            let polyhedron = Polyhedron::from_polygons(vertices.to_vec(), faces).ok();
            self.shape = polyhedron.map(|polyhedron| Shape::Polyhedron(Arc::new(polyhedron)));
        }
        self.shape.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn a_moved_prism_is_the_one_built_there() {
        let prism = |z: f64| Prism {
            index: 0,
            corners: [DVec3::new(0.0, 0.0, z), DVec3::new(1.0, 0.0, 0.2), DVec3::new(1.0, 1.5, -0.3)],
            bottom: -2.0,
        };
        let mut moved = PrismShape::default();
        moved.set(&prism(0.0)).unwrap();
        assert_eq!(moved.set(&prism(0.7)), PrismShape::default().set(&prism(0.7)));
        let Some(Shape::Polyhedron(polyhedron)) = moved.set(&prism(0.7)) else { panic!("a polyhedron") };
        assert!((polyhedron.faces()[0].plane.normal - prism(0.7).normal()).length() < 1e-15);
        let hull = Polyhedron::hull(&prism(0.7).vertices()).unwrap();
        let volume = |p: &Polyhedron| p.mass_properties(1.0).unwrap().mass;
        assert!((volume(polyhedron) - volume(&hull)).abs() < 1e-14);
        // A flat prism is rejected and leaves the memory usable.
        let flat = Prism { corners: [DVec3::ZERO; 3], ..prism(0.0) };
        assert!(moved.set(&flat).is_none());
        assert!(moved.set(&prism(0.1)).is_some());
    }
}
