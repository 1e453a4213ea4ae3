//! Surface materials, and the combined properties of two of them.

/// The surface of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Coefficient of dry friction, not negative.
    pub friction: f64,
    /// Coefficient of restitution, from 0 (inelastic) to 1 (elastic).
    pub restitution: f64,
    /// Share of the tangential velocity that a collision reverses, from -1 (smooth) over 0 (stick) to 1 (superball).
    /// Not all collision laws use it.
    pub tangential_restitution: f64,
}

impl Default for Material {
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, tangential_restitution: 0.0 }
    }
}

/// Combined properties of two surfaces.
pub type Surface = Material;

/// Identifier of a material of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct MaterialId(pub(crate) u32);

/// All materials, and the combined properties of each pair.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Materials {
    list: Vec<Material>,
    /// Symmetric matrix of combined properties, in row-major order.
    surfaces: Vec<Surface>,
}

impl Materials {
    /// Combines all pairs of materials. `special` lists pairs that do not follow [`combined`].
    pub fn new(list: Vec<Material>, special: &[(MaterialId, MaterialId, Surface)]) -> Self {
        let count = list.len();
        let mut surfaces: Vec<_> = list.iter().flat_map(|a| list.iter().map(|b| combined(a, b))).collect();
        for &(MaterialId(a), MaterialId(b), surface) in special {
            surfaces[a as usize * count + b as usize] = surface;
            surfaces[b as usize * count + a as usize] = surface;
        }
        Self { list, surfaces }
    }

    pub fn surface(&self, a: MaterialId, b: MaterialId) -> &Surface {
        &self.surfaces[a.0 as usize * self.list.len() + b.0 as usize]
    }
}

/// Returns the default combined properties. Friction is the geometric mean (ice on rubber is slippery, and equal
/// surfaces keep their value), restitution the larger of the two (a rubber ball bounces on stone), tangential
/// restitution the mean.
pub fn combined(a: &Material, b: &Material) -> Surface {
    Surface {
        friction: (a.friction * b.friction).sqrt(),
        restitution: a.restitution.max(b.restitution),
        tangential_restitution: 0.5 * (a.tangential_restitution + b.tangential_restitution),
    }
}
