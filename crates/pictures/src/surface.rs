//! The visible part of a body: areas with one fill each, and lines.

use std::collections::BTreeMap;

use glam::DVec3;

use super::camera::Camera;
use super::hiding::{Hider, Hiders, Key, Quantizer, sides};
use super::light::{Light, haze, line_shade};
use super::polygon::{NEGLIGIBLE_FRACTION, Plane, Polygon, Side, area, below, subtract, uncut};
use super::region::{Lines, Region};
use super::shading::Gradients;
use super::solid::{Facet, Solid};

/// Cosine of the angle between the normals of two faces below which there is a line between them.
const CREASE_COSINE: f64 = 0.6;

/// A body to draw.
#[derive(Debug)]
pub(super) struct Subject {
    pub solid: Solid,
    pub color: DVec3,
    /// Number of the body among the hiders; bodies that are drawn later have higher numbers.
    pub owner: usize,
}

/// Returns the planes through the edges of the picture.
pub(super) fn frame(camera: &Camera) -> Vec<Plane> {
    camera.frustum().into_iter().map(|(normal, offset)| Plane { normal, offset, side: Side::Outline }).collect()
}

impl Subject {
    /// Creates a subject. Coinciding facets of two parts of a compound are marked as inner.
    pub fn new(mut solid: Solid, color: DVec3) -> Self {
        if solid.parts > 1 && !solid.is_bare {
            let quantizer = Quantizer::of(&solid.facets);
            let middle = |facet: &Facet| facet.corners.iter().sum::<DVec3>() / facet.corners.len() as f64;
            let mut by_place: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
            for (index, facet) in solid.facets.iter().enumerate() {
                by_place.entry(quantizer.key(middle(facet))).or_default().push(index);
            }
            for pair in by_place.into_values().filter(|list| list.len() == 2) {
                let [a, b] = [pair[0], pair[1]];
                if solid.facets[a].normal.dot(solid.facets[b].normal) < -0.999 {
                    (solid.facets[a].is_inner, solid.facets[b].is_inner) = (true, true);
                }
            }
        }
        Self { solid, color, owner: 0 }
    }

    /// Returns the mean of all corners.
    pub fn center(&self) -> DVec3 {
        let corners = || self.solid.facets.iter().flat_map(|facet| facet.corners.iter());
        corners().sum::<DVec3>() / corners().count().max(1) as f64
    }

    fn visible_facets<'a>(&'a self, camera: &'a Camera) -> impl Iterator<Item = &'a Facet> {
        self.solid.facets.iter().filter(|facet| !facet.is_inner && camera.sees(facet.normal, facet.corners[0]))
    }

    /// Draws the visible part of the body: areas, and lines, which are drawn after all areas.
    pub fn draw(&self, hiders: &Hiders, camera: &Camera, light: &Light, gradients: &mut Gradients) -> [String; 2] {
        let frame = frame(camera);
        let own_haze = haze(camera, self.center());
        let mut regions: BTreeMap<String, (Region, f64)> = BTreeMap::new();
        let mut lines = Lines::default();
        for facet in self.visible_facets(camera) {
            let polygon = below(uncut(facet.corners.iter().copied()), &frame);
            if polygon.is_empty() {
                continue;
            }
            let Some(holes) = self.holes(facet, &polygon, hiders, camera, &mut lines) else { continue };
            let haze = if self.solid.is_bare { haze(camera, facet.corners[0]) } else { own_haze };
            let patch = &self.solid.patches[facet.patch];
            let fill = gradients.fill(patch, self.color, haze, camera, light);
            let (region, depth) = regions.entry(fill).or_default();
            *depth = depth.max(camera.depth(facet.corners[0]));
            region.add(polygon.iter().map(|(corner, _)| camera.dot(*corner)));
            for hole in holes {
                region.remove(hole.iter().map(|(corner, _)| camera.dot(*corner)));
            }
        }
        self.add_edges(hiders, camera, &frame, &mut lines);
        let mut regions: Vec<_> = regions.into_iter().collect();
        regions.sort_by(|(_, (_, a)), (_, (_, b))| b.total_cmp(a));
        let line_color = line_shade(self.color, own_haze);
        // A single area whose border is the outline, such as a sphere, is drawn with its outline.
        if let [(fill, (region, _))] = &mut regions[..]
            && region.is_bordered_by(&lines)
        {
            let data = region.path();
            let uncut = format!("<path class=\"o\" fill=\"{fill}\" stroke=\"{line_color}\" d=\"{data}\"/>\n");
            return [String::new(), uncut];
        }
        let mut areas = String::new();
        for (fill, (mut region, _)) in regions {
            let data = region.path();
            if !data.is_empty() {
                areas += &format!("<path fill=\"{fill}\" stroke=\"{fill}\" d=\"{data}\"/>\n");
            }
        }
        let data = lines.path();
        let is_drawn = !data.is_empty();
        let lines = is_drawn.then(|| format!("<path class=\"l\" stroke=\"{line_color}\" d=\"{data}\"/>\n"));
        [areas, lines.unwrap_or_default()]
    }

    /// Returns the hidden pieces of a facet without overlap; `None` if the whole facet is hidden. Adds lines where the
    /// facet intersects another body.
    fn holes(
        &self,
        facet: &Facet,
        polygon: &Polygon,
        hiders: &Hiders,
        camera: &Camera,
        lines: &mut Lines,
    ) -> Option<Vec<Polygon>> {
        let own = (self.owner, facet.part);
        let all = area(polygon, facet.normal);
        let mut holes: Vec<Polygon> = Vec::new();
        let before = hiders.before(polygon.iter().map(|(corner, _)| *corner), camera);
        let mut cuts = Vec::new();
        for hider in before.into_iter().filter(|hider| hider.owner != own) {
            let hidden = hider.hidden(polygon);
            let share = area(&hidden, facet.normal) / all;
            let hides = share > NEGLIGIBLE_FRACTION;
            if !hides {
                continue;
            }
            if share > 1.0 - NEGLIGIBLE_FRACTION {
                return None;
            }
            // The line is drawn with the later one of the two bodies.
            if own > hider.owner {
                let count = hidden.len();
                let sides = (0..count).filter(|&side| hidden[side].1 == Side::Surface);
                cuts.extend(sides.map(|side| (hidden[side].0, hidden[(side + 1) % count].0, hider.owner)));
            }
            let mut pieces = vec![hidden];
            for hole in &holes {
                pieces = pieces.into_iter().flat_map(|piece| subtract(piece, hole, facet.normal)).collect();
            }
            holes.extend(pieces);
        }
        for (from, to, other) in cuts {
            let is_other = |hider: &Hider| hider.owner != own && hider.owner != other;
            add_line(from, to, hiders, camera, &[], is_other, lines);
        }
        let hidden: f64 = holes.iter().map(|hole| area(hole, facet.normal)).sum();
        (hidden < (1.0 - NEGLIGIBLE_FRACTION) * all).then_some(holes)
    }

    /// Adds lines along the outline and along sharp edges.
    fn add_edges(&self, hiders: &Hiders, camera: &Camera, frame: &[Plane], lines: &mut Lines) {
        let quantizer = Quantizer::of(&self.solid.facets);
        let mut by_place: BTreeMap<_, Vec<(&Facet, DVec3, DVec3)>> = BTreeMap::new();
        for facet in self.solid.facets.iter().filter(|facet| !facet.is_inner) {
            for (from, to) in sides(&facet.corners) {
                let (a, b) = (quantizer.key(from), quantizer.key(to));
                by_place.entry(if a < b { [a, b] } else { [b, a] }).or_default().push((facet, from, to));
            }
        }
        for around in by_place.into_values() {
            let is_seen = |facet: &Facet| camera.sees(facet.normal, facet.corners[0]);
            let seen = around.iter().filter(|(facet, ..)| is_seen(facet)).count();
            let is_sharp =
                || around.iter().any(|(a, ..)| around.iter().any(|(b, ..)| a.normal.dot(b.normal) < CREASE_COSINE));
            if seen == 0 || (seen == around.len() && around.len() > 1 && !is_sharp()) {
                continue;
            }
            let (_, from, to) = around[0];
            let is_other = |hider: &Hider| around.iter().all(|(facet, ..)| hider.owner != (self.owner, facet.part));
            add_line(from, to, hiders, camera, frame, is_other, lines);
        }
    }
}

/// Adds the visible parts of a line.
pub(super) fn add_line(
    from: DVec3,
    to: DVec3,
    hiders: &Hiders,
    camera: &Camera,
    frame: &[Plane],
    may_hide: impl Fn(&Hider) -> bool,
    lines: &mut Lines,
) {
    for (a, b) in visible(from, to, hiders, camera, frame, may_hide) {
        lines.add(camera.dot(a), camera.dot(b));
    }
}

/// Returns the parts of a line that are inside the frame and not hidden.
pub(super) fn visible(
    mut from: DVec3,
    mut to: DVec3,
    hiders: &Hiders,
    camera: &Camera,
    frame: &[Plane],
    may_hide: impl Fn(&Hider) -> bool,
) -> Vec<(DVec3, DVec3)> {
    for plane in frame {
        let (a, b) = (plane.normal.dot(from) - plane.offset, plane.normal.dot(to) - plane.offset);
        match (a > 0.0, b > 0.0) {
            (true, true) => return Vec::new(),
            (true, false) => from += (to - from) * (a / (a - b)),
            (false, true) => to = from + (to - from) * (a / (a - b)),
            (false, false) => {}
        }
    }
    let mut spans = vec![[0.0, 1.0]];
    for hider in hiders.before([from, to], camera).into_iter().filter(|hider| may_hide(hider)) {
        if let Some([begin, end]) = hider.hidden_span(from, to) {
            let left = |[a, b]: [f64; 2]| [[a, b.min(begin)], [a.max(end), b]];
            spans = spans.into_iter().flat_map(left).filter(|[a, b]| b - a > 1e-6).collect();
        }
    }
    let point = |share: f64| from + (to - from) * share;
    spans.into_iter().map(|[a, b]| (point(a), point(b))).collect()
}
