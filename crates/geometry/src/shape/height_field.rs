//! Terrain as heights over a grid.

use glam::{DVec2, DVec3};

use super::{Convex, primitives::positive};
use crate::{Aabb, GeometryError, Pose, error::check_count};

/// Maximum number of samples along a side.
pub const MAX_SAMPLES_PER_SIDE: usize = 1 << 14;

/// Solid ground below a surface of triangles over a regular grid, centred on the z axis. Each cell has two triangles,
/// split along the diagonal from its corner with the smallest x and y to the one with the largest. The ground extends
/// down to [`HeightField::bottom`]. It is always fixed and has no mass.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightField {
    columns: usize,
    rows: usize,
    size: DVec2,
    heights: Vec<f64>,
    bounds: Aabb,
}

/// The ground below one triangle of a height field: a convex prism with a slanted top and a flat bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prism {
    /// Twice the cell's index, plus one for the triangle on the side of larger y.
    pub index: u32,
    /// The triangle on top, counter-clockwise seen from above, in metres.
    pub corners: [DVec3; 3],
    /// Height of the flat bottom, in metres.
    pub bottom: f64,
}

impl Prism {
    /// Returns the unit normal of the top triangle, pointing up.
    pub fn normal(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a).normalize()
    }

    /// Returns the six corners: top, then bottom.
    pub fn vertices(&self) -> [DVec3; 6] {
        std::array::from_fn(|i| if i < 3 { self.corners[i] } else { self.corners[i - 3].with_z(self.bottom) })
    }
}

impl Convex for Prism {
    fn support(&self, direction: DVec3) -> DVec3 {
        let vertices = self.vertices();
        let better = |best: DVec3, v: DVec3| if direction.dot(v) > direction.dot(best) { v } else { best };
        vertices[1..].iter().fold(vertices[0], |best, &v| better(best, v))
    }
}

impl HeightField {
    /// Creates a field of `columns` samples along x by `rows` along y over a rectangle of `size` metres. `heights`
    /// (metres) are stored row by row, with x running fastest. The depth of the ground below its lowest point is the
    /// longer side of the rectangle.
    pub fn new(columns: usize, rows: usize, size: DVec2, heights: Vec<f64>) -> Result<Self, GeometryError> {
        check_count("columns of the height field", columns, 2, MAX_SAMPLES_PER_SIDE)?;
        check_count("rows of the height field", rows, 2, MAX_SAMPLES_PER_SIDE)?;
        check_count("number of heights", heights.len(), columns * rows, columns * rows)?;
        positive("size of the height field along x", size.x)?;
        positive("size of the height field along y", size.y)?;
        if let Some(vertex) = heights.iter().position(|h| !h.is_finite()) {
            return Err(GeometryError::NotFinite { vertex });
        }
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let half = 0.5 * size;
        let bounds = Aabb::new((-half).extend(low - size.max_element()), half.extend(high));
        Ok(Self { columns, rows, size, heights, bounds })
    }

    /// Returns the field with the bottom `depth` metres below its lowest point.
    pub fn with_depth(mut self, depth: f64) -> Result<Self, GeometryError> {
        let low = self.heights.iter().copied().fold(f64::INFINITY, f64::min);
        self.bounds.min.z = low - positive("depth of the height field", depth)?;
        Ok(self)
    }

    /// Returns the number of samples along x.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of samples along y.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the side lengths of the rectangle, in metres.
    pub fn size(&self) -> DVec2 {
        self.size
    }

    /// Returns the heights row by row, in metres.
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// Returns the height of the flat bottom, in metres.
    pub fn bottom(&self) -> f64 {
        self.bounds.min.z
    }

    /// Returns the box around surface and ground in the field's frame.
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Returns the surface point of a sample.
    pub fn vertex(&self, column: usize, row: usize) -> DVec3 {
        let part = |i: usize, n: usize| i as f64 / (n - 1) as f64 - 0.5;
        let (x, y) = (part(column, self.columns) * self.size.x, part(row, self.rows) * self.size.y);
        DVec3::new(x, y, self.heights[row * self.columns + column])
    }

    /// Returns the prism below a triangle, with `index` as in [`Prism::index`].
    pub fn prism(&self, index: u32) -> Prism {
        let cell = index as usize / 2;
        let (i, j) = (cell % (self.columns - 1), cell / (self.columns - 1));
        let (low, high) = (self.vertex(i, j), self.vertex(i + 1, j + 1));
        let corners = if index.is_multiple_of(2) {
            [low, self.vertex(i + 1, j), high]
        } else {
            [low, high, self.vertex(i, j + 1)]
        };
        Prism { index, corners, bottom: self.bottom() }
    }

    /// Returns the number of triangles.
    pub fn triangle_count(&self) -> u32 {
        (2 * (self.columns - 1) * (self.rows - 1)) as u32
    }

    /// Returns the prisms whose boxes overlap a box in the field's frame, by ascending index. Does not allocate.
    pub fn prisms_in<'a>(&'a self, region: &Aabb) -> impl Iterator<Item = Prism> + 'a {
        let region = *region;
        let columns = cells(region.min.x, region.max.x, self.size.x, self.columns - 1);
        let rows = cells(region.min.y, region.max.y, self.size.y, self.rows - 1);
        let per_row = self.columns - 1;
        rows.flat_map(move |j| columns.clone().flat_map(move |i| [0, 1].map(|k| (2 * (j * per_row + i) + k) as u32)))
            .map(|index| self.prism(index))
            .filter(move |prism| Aabb::from_points(prism.vertices()).overlaps(&region))
    }

    /// Returns the height of the surface at a point, in metres; `None` outside the field.
    pub fn height_at(&self, x: f64, y: f64) -> Option<f64> {
        let along = |x: f64, size: f64, cells: usize| {
            let t = (x / size + 0.5) * cells as f64;
            let cell = (t.floor().max(0.0) as usize).min(cells - 1);
            (0.0..=cells as f64).contains(&t).then_some((cell, t - cell as f64))
        };
        let (i, u) = along(x, self.size.x, self.columns - 1)?;
        let (j, v) = along(y, self.size.y, self.rows - 1)?;
        let z = |i: usize, j: usize| self.heights[j * self.columns + i];
        let (low, high) = (z(i, j), z(i + 1, j + 1));
        Some(if u >= v {
            let corner = z(i + 1, j);
            low + u * (corner - low) + v * (high - corner)
        } else {
            let corner = z(i, j + 1);
            low + v * (corner - low) + u * (high - corner)
        })
    }

    /// Returns the smallest box around surface and ground at a pose.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        if pose.rotation.xyz() == DVec3::ZERO {
            return Aabb::new(self.bounds.min + pose.translation, self.bounds.max + pose.translation);
        }
        let rotation = pose.matrix();
        Aabb::from_points(self.outline().map(|p| rotation * p + pose.translation))
    }

    /// Returns the largest distance of surface and ground from a point of the field's frame, in metres.
    pub fn bounding_radius(&self, about: DVec3) -> f64 {
        self.outline().map(|p| p.distance_squared(about)).fold(0.0, f64::max).sqrt()
    }

    /// Returns points whose hull contains the ground: all surface points and the corners of the bottom.
    fn outline(&self) -> impl Iterator<Item = DVec3> + '_ {
        let surface = (0..self.rows).flat_map(move |j| (0..self.columns).map(move |i| self.vertex(i, j)));
        let (low, high) = (self.bounds.min, self.bounds.max);
        surface.chain([low, low.with_x(high.x), low.with_y(high.y), high.with_z(low.z)])
    }
}

/// Returns the cells along one side that an interval touches.
fn cells(min: f64, max: f64, size: f64, count: usize) -> std::ops::Range<usize> {
    let t = |x: f64| (x / size + 0.5) * count as f64;
    // One extra cell on both sides guards against rounding; casts from infinity saturate.
    let first = (t(min).floor() - 1.0).max(0.0) as usize;
    let end = ((t(max).floor() + 2.0).max(0.0) as usize).min(count);
    first.min(end)..end
}
