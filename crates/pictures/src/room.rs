//! A box around everything: walls and edges behind the bodies, shadows on the floor, edges in front.

use burgess_geometry::Aabb;
use glam::DVec3;

use super::camera::Camera;
use super::ground::Ground;
use super::light::Light;
use super::region::write_path;
use super::solid::Solid;

/// Corners of the faces, as bits of x, y and z, counter-clockwise seen from outside.
const FACES: [[usize; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

fn corner(room: &Aabb, index: usize) -> DVec3 {
    let pick = |axis: usize| if index >> axis & 1 == 1 { room.max[axis] } else { room.min[axis] };
    DVec3::new(pick(0), pick(1), pick(2))
}

fn is_seen_from_outside(room: &Aabb, face: usize, camera: &Camera) -> bool {
    let [a, b, c] = [0, 1, 2].map(|index| corner(room, FACES[face][index]));
    camera.sees((b - a).cross(c - a), a)
}

fn trace(room: &Aabb, corners: &[usize], camera: &Camera) -> String {
    let dots: Vec<[i32; 2]> = corners.iter().map(|&index| camera.dot(corner(room, index)).to_array()).collect();
    let mut data = String::new();
    write_path(&mut data, &dots);
    data
}

/// Returns the clip path of the floor, which limits shadows.
pub(super) fn definitions(room: &Aabb, camera: &Camera) -> String {
    format!("<clipPath id=\"floor\"><path d=\"{}\"/></clipPath>\n", trace(room, &FACES[4], camera))
}

/// Draws the walls, edges and shadows behind the bodies.
pub(super) fn behind(room: &Aabb, solids: &[&Solid], light: &Light, camera: &Camera) -> String {
    let mut drawing = String::new();
    for face in (0..6).filter(|&face| !is_seen_from_outside(room, face, camera)) {
        drawing += &format!("<path fill=\"#fff\" opacity=\".5\" d=\"{}z\"/>\n", trace(room, &FACES[face], camera));
    }
    let floor = Ground { normal: DVec3::Z, point: room.min, owner: usize::MAX };
    drawing +=
        &format!("<g clip-path=\"url(#floor)\">\n{}</g>\n", floor.shadows(solids.iter().copied(), 1.0, light, camera));
    drawing + &edges(room, camera, false)
}

/// Draws the edges in front of the bodies.
pub(super) fn in_front(room: &Aabb, camera: &Camera) -> String {
    edges(room, camera, true)
}

fn edges(room: &Aabb, camera: &Camera, in_front: bool) -> String {
    let mut data = String::new();
    for low in 0..8_usize {
        for high in [1, 2, 4].map(|bit| low | bit).into_iter().filter(|&high| high != low) {
            let mut around = (0..6).filter(|&face| FACES[face].contains(&low) && FACES[face].contains(&high));
            if around.all(|face| is_seen_from_outside(room, face, camera)) == in_front {
                data += &trace(room, &[low, high], camera);
            }
        }
    }
    format!("<path fill=\"none\" stroke=\"#6c7a92\" stroke-width=\"12\" stroke-linecap=\"round\" d=\"{data}\"/>\n")
}
