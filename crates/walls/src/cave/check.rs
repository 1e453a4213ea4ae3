//! Checks of cave files. Each error names the field and says what was found and what was expected.

use burgess_files::{At, Fault, FieldError, NameFault};
use glam::{DMat3, DVec3};

use super::{Cave, WallSpec};

/// Maximum number of walls.
const MAX_WALLS: usize = 64;
/// Maximum coordinate, in m.
const MAX_COORDINATE: f64 = 1000.0;
/// Minimum length of a side of a wall, in m. Shorter walls count as having no area.
const MIN_SIDE: f64 = 0.01;
/// Maximum cosine of the angle between the sides of a wall. Coordinates are often rounded to millimetres.
const MAX_SKEW: f64 = 2e-3;
/// Minimum distance of both eyes from a wall, in m.
const MIN_EYE_DISTANCE: f64 = 0.01;
/// Maximum number of corners of a mask.
const MAX_MASK_CORNERS: usize = 64;
/// Maximum length of a name, in characters.
const MAX_NAME: usize = 40;
/// Maximum deviation of a tracker's matrix from a rotation.
const MAX_ROTATION_ERROR: f64 = 1e-3;
/// Maximum distance of a corner of the warp from the window, as a fraction of its size.
const MAX_OVERHANG: f64 = 1.0;

type Checked = Result<(), FieldError<Fault>>;

/// Checks a cave.
pub fn check(cave: &Cave) -> Checked {
    let root = At::ROOT;
    check_name(&cave.name, &root.field("name"))?;
    check_point(cave.eye, &root.field("eye"))?;
    check_range(cave.eye_separation, [0.0, 0.5], "from 0 to 0.5 m", &root.field("eye_separation"))?;
    check_range(cave.period, [0.004, 2.0], "from 0.004 to 2 s", &root.field("period"))?;
    check_range(cave.speed, [0.0, 100.0], "from 0 to 100 m/s", &root.field("speed"))?;
    check_range(cave.near, [1e-3, 10.0], "from 0.001 to 10 m", &root.field("near"))?;
    check_range(cave.far, [10.0 * cave.near, 1e6], "at least ten times near, and at most 1e6 m", &root.field("far"))?;
    if let Some(start) = cave.start {
        let start_at = root.field("start");
        check_point(start.position, &start_at.field("position"))?;
        check_range(start.heading, [-360.0, 360.0], "from -360 to 360 degrees", &start_at.field("heading"))?;
    }
    if cave.tracker.is_some() {
        check_tracker(cave, &root.field("tracker"))?;
    }
    let walls = root.field("walls");
    if cave.walls.is_empty() {
        return Err(walls.fault(Fault::Conflict("has no walls, expected at least one [[walls]]".to_string())));
    }
    if cave.walls.len() > MAX_WALLS {
        return Err(walls.fault(Fault::TooMany { what: "walls", found: cave.walls.len(), limit: MAX_WALLS }));
    }
    for (index, wall) in cave.walls.iter().enumerate() {
        let at = walls.index(index);
        if cave.walls[..index].iter().any(|other| other.name == wall.name) {
            let fault = NameFault::Duplicate { what: "wall", name: wall.name.clone() };
            return Err(at.field("name").fault(fault));
        }
        check_wall(cave, wall, &at)?;
    }
    Ok(())
}

fn check_wall(cave: &Cave, wall: &WallSpec, at: &At) -> Checked {
    check_name(&wall.name, &at.field("name"))?;
    check_point(wall.lower_left, &at.field("lower_left"))?;
    check_point(wall.lower_right, &at.field("lower_right"))?;
    check_point(wall.upper_left, &at.field("upper_left"))?;
    let name = &wall.name;
    let conflict = |text: String| at.fault(Fault::Conflict(text));
    let rectangle = wall.rectangle();
    let [width, height] = [rectangle.width(), rectangle.height()];
    let cosine = rectangle.cosine();
    if width < MIN_SIDE || height < MIN_SIDE || cosine.abs() > 1.0 - 1e-6 {
        let found = format!("the wall '{name}' has no area: it is {width:.4} m wide and {height:.4} m high");
        return Err(conflict(format!("{found}; check its three corners")));
    }
    if cosine.abs() > MAX_SKEW {
        let angle = libm::acos(cosine).to_degrees();
        return Err(conflict(format!("the sides of the wall '{name}' meet at {angle:.2} degrees, expected 90")));
    }
    let distance = rectangle.distance_in_front(DVec3::from_array(cave.eye));
    let expected = MIN_EYE_DISTANCE + 0.5 * cave.eye_separation;
    if distance < expected {
        let found =
            format!("the eyes are {distance:.3} m in front of the wall '{name}', expected at least {expected:.3}");
        let advice = "behind a wall, swap lower_left and lower_right, and take upper_left above the new lower_left";
        return Err(conflict(format!("{found}; if they are {advice}")));
    }
    check_corners(wall, &at.field("corners"))?;
    let mask = at.field("mask");
    if wall.mask.len() > MAX_MASK_CORNERS {
        return Err(mask.fault(Fault::TooMany { what: "corners", found: wall.mask.len(), limit: MAX_MASK_CORNERS }));
    }
    if (1..3).contains(&wall.mask.len()) {
        return Err(mask.fault(Fault::Invalid { expected: "a polygon of three corners or more" }));
    }
    for (corner, point) in wall.mask.iter().enumerate() {
        for number in point {
            check_range(*number, [0.0, 1.0], "from 0 to 1", &mask.index(corner))?;
        }
    }
    Ok(())
}

/// The warp must be a convex quadrilateral that is not flipped, or else parts of the picture would cover others.
fn check_corners(wall: &WallSpec, at: &At) -> Checked {
    for (index, corner) in wall.corners.iter().enumerate() {
        for number in corner {
            let range = [-MAX_OVERHANG, 1.0 + MAX_OVERHANG];
            check_range(*number, range, "from -1 to 2, as a fraction of the window", &at.index(index))?;
        }
    }
    let turns = |index: usize| {
        let [a, b, c] = [0, 1, 2].map(|offset| wall.corners[(index + offset) % 4]);
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    };
    let is_convex = (0..4).all(|index| turns(index) > 1e-4);
    let expected = "a convex quadrilateral: lower left, lower right, upper right, upper left";
    if is_convex { Ok(()) } else { Err(at.fault(Fault::Invalid { expected })) }
}

fn check_tracker(cave: &Cave, at: &At) -> Checked {
    let matrix = cave.tracker_matrix();
    let rotation = DMat3::from_mat4(matrix);
    let deviation = (rotation.transpose() * rotation - DMat3::IDENTITY).to_cols_array();
    let worst = deviation.iter().fold(0.0_f64, |worst, number| worst.max(number.abs()));
    let is_rotation = worst <= MAX_ROTATION_ERROR && rotation.determinant() > 0.0;
    if !is_rotation {
        return Err(
            at.fault(Fault::Invalid { expected: "three rows of a rotation, each followed by a translation in m" })
        );
    }
    check_point(matrix.w_axis.truncate().to_array(), at)
}

fn check_name(name: &str, at: &At) -> Checked {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let fits = !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(is_plain) && !name.starts_with('.');
    let expected = "a name of 1 to 40 letters, digits, '-', '_' and '.', which does not begin with '.'";
    if fits { Ok(()) } else { Err(at.fault(Fault::Invalid { expected })) }
}

fn check_point(point: [f64; 3], at: &At) -> Checked {
    point.iter().try_for_each(|&number| {
        check_range(number, [-MAX_COORDINATE, MAX_COORDINATE], "within 1000 m of the origin", at)
    })
}

fn check_range(number: f64, [low, high]: [f64; 2], expected: &'static str, at: &At) -> Checked {
    if number >= low && number <= high { Ok(()) } else { Err(at.fault(Fault::OutOfRange { expected, found: number })) }
}
