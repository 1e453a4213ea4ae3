//! What is seen of a body: areas of one colour or gradient each, and lines.

use std::collections::BTreeMap;

use glam::DVec3;

use super::camera::Camera;
use super::hiding::{Grain, Hider, Hiders, Key, sides};
use super::light::{Light, haze, line_shade};
use super::polygon::{NOTHING, Plane, Polygon, Side, area, below, whole, without};
use super::region::{Lines, Region};
use super::shading::Gradients;
use super::solid::{Facet, Solid};

/// Faces that meet at a smaller cosine have a line between them.
const CREASE: f64 = 0.6;

/// A body to be drawn.
#[derive(Debug)]
pub(super) struct Subject {
    pub solid: Solid,
    pub color: DVec3,
    /// Its number among all that can hide something; what is drawn later has a higher one.
    pub owner: usize,
}

/// The picture's edges as planes that cut.
pub(super) fn frame(camera: &Camera) -> Vec<Plane> {
    camera.frustum().into_iter().map(|(normal, offset)| Plane { normal, offset, side: Side::Outline }).collect()
}

impl Subject {
    /// Facets between parts of a compound that fit together are inside of it.
    pub fn new(mut solid: Solid, color: DVec3) -> Self {
        if solid.parts > 1 && !solid.is_bare {
            let grain = Grain::of(&solid.facets);
            let middle = |facet: &Facet| facet.corners.iter().sum::<DVec3>() / facet.corners.len() as f64;
            let mut by_place: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
            for (index, facet) in solid.facets.iter().enumerate() {
                by_place.entry(grain.key(middle(facet))).or_default().push(index);
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

    /// Its middle.
    pub fn center(&self) -> DVec3 {
        let corners = || self.solid.facets.iter().flat_map(|facet| facet.corners.iter());
        corners().sum::<DVec3>() / corners().count().max(1) as f64
    }

    fn seen<'a>(&'a self, camera: &'a Camera) -> impl Iterator<Item = &'a Facet> {
        self.solid.facets.iter().filter(|facet| !facet.is_inner && camera.sees(facet.normal, facet.corners[0]))
    }

    /// Draws what is seen of it behind all that may hide it: areas, and the lines that are drawn when all areas are there.
    pub fn draw(&self, hiders: &Hiders, camera: &Camera, light: &Light, gradients: &mut Gradients) -> [String; 2] {
        let frame = frame(camera);
        let own_haze = haze(camera, self.center());
        let mut regions: BTreeMap<String, (Region, f64)> = BTreeMap::new();
        let mut lines = Lines::default();
        for facet in self.seen(camera) {
            let polygon = below(whole(facet.corners.iter().copied()), &frame);
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
        // A ball, say: its outline is drawn with it.
        if let [(fill, (region, _))] = &mut regions[..]
            && region.is_bordered_by(&lines)
        {
            let data = region.path();
            let whole = format!("<path class=\"o\" fill=\"{fill}\" stroke=\"{line_color}\" d=\"{data}\"/>\n");
            return [String::new(), whole];
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

    /// The hidden pieces of a facet, none on another; nothing if all of it is hidden. Lines where it goes into something.
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
            let hides = share > NOTHING;
            if !hides {
                continue;
            }
            if share > 1.0 - NOTHING {
                return None;
            }
            // Of two, the one that is drawn later has the line.
            if own > hider.owner {
                let count = hidden.len();
                let sides = (0..count).filter(|&side| hidden[side].1 == Side::Surface);
                cuts.extend(sides.map(|side| (hidden[side].0, hidden[(side + 1) % count].0, hider.owner)));
            }
            let mut pieces = vec![hidden];
            for hole in &holes {
                pieces = pieces.into_iter().flat_map(|piece| without(piece, hole, facet.normal)).collect();
            }
            holes.extend(pieces);
        }
        for (from, to, other) in cuts {
            let is_other = |hider: &Hider| hider.owner != own && hider.owner != other;
            add_line(from, to, hiders, camera, &[], is_other, lines);
        }
        let hidden: f64 = holes.iter().map(|hole| area(hole, facet.normal)).sum();
        (hidden < (1.0 - NOTHING) * all).then_some(holes)
    }

    /// Lines along the outline and along sharp edges.
    fn add_edges(&self, hiders: &Hiders, camera: &Camera, frame: &[Plane], lines: &mut Lines) {
        let grain = Grain::of(&self.solid.facets);
        let mut by_place: BTreeMap<_, Vec<(&Facet, DVec3, DVec3)>> = BTreeMap::new();
        for facet in self.solid.facets.iter().filter(|facet| !facet.is_inner) {
            for (from, to) in sides(&facet.corners) {
                let (a, b) = (grain.key(from), grain.key(to));
                by_place.entry(if a < b { [a, b] } else { [b, a] }).or_default().push((facet, from, to));
            }
        }
        for around in by_place.into_values() {
            let is_seen = |facet: &Facet| camera.sees(facet.normal, facet.corners[0]);
            let seen = around.iter().filter(|(facet, ..)| is_seen(facet)).count();
            let is_sharp = || around.iter().any(|(a, ..)| around.iter().any(|(b, ..)| a.normal.dot(b.normal) < CREASE));
            if seen == 0 || (seen == around.len() && around.len() > 1 && !is_sharp()) {
                continue;
            }
            let (_, from, to) = around[0];
            let is_other = |hider: &Hider| around.iter().all(|(facet, ..)| hider.owner != (self.owner, facet.part));
            add_line(from, to, hiders, camera, frame, is_other, lines);
        }
    }
}

/// Adds what is seen of a line.
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

/// The parts of a line that are within the frame and that nothing hides.
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
