//! Who is in a scene, for pictures of it.

use std::io::{Read, Seek};
use std::sync::Arc;

use burgess_geometry::{Pose, Shape};
use burgess_scene::BuiltBody;
use burgess_scene::recording::{Frame, RecordingReader};
use burgess_scene::spec::SceneSpec;
use burgess_simulation::World;
use glam::DVec3;

use super::{Picture, PictureError, PictureOptions};

/// A body: its shapes in its own coordinates.
#[derive(Debug, Clone)]
struct Member {
    name: String,
    shapes: Vec<(Arc<Shape>, Pose)>,
    color: Option<DVec3>,
    is_fixed: bool,
    /// Where it stands if it is fixed.
    start: Pose,
}

/// The bodies of a scene, to be drawn at any moment.
///
/// ```
/// use burgess_pictures::{Cast, PictureOptions};
/// use burgess_scene::{RunOptions, builtin};
///
/// let scene = builtin::find("pendulum").unwrap().spec();
/// let mut running = scene.run(".", &RunOptions::default()).unwrap();
/// let cast = Cast::new(&scene, running.simulation.world(), &running.bodies);
/// let mut moments = Vec::new();
/// for moment in 0..5 {
///     running.simulation.run(0.1 * f64::from(moment)).unwrap();
///     running.simulation.stage_mut().update_kinematics();
///     moments.push((0..scene.bodies.len()).filter_map(|body| running.body_pose(body)).collect());
/// }
/// let svg = cast.draw(&moments, PictureOptions::default()).unwrap();
/// assert!(svg.len() < 60_000);
/// ```
#[derive(Debug, Clone)]
pub struct Cast {
    members: Vec<Member>,
    /// Where the scene's first camera is, from what it looks at.
    from: Option<DVec3>,
}

impl Cast {
    /// Of a scene, the world that was built from it, and what became of its bodies.
    pub fn new(scene: &SceneSpec, world: &World, bodies: &[BuiltBody]) -> Self {
        let member = |(spec, built): (&burgess_scene::spec::BodySpec, &BuiltBody)| {
            let in_place = built.place().1.inverse();
            let colliders = world.colliders().get(built.colliders.clone()).unwrap_or_default().iter();
            let shapes = colliders.map(|collider| (collider.shape.clone(), in_place.compose(&collider.pose)));
            let (name, is_fixed) = (spec.name.clone(), spec.fixed);
            Member { name, shapes: shapes.collect(), color: spec.color, is_fixed, start: built.pose }
        };
        let camera = scene.display.cameras.first();
        let from = camera.and_then(|camera| (camera.position - camera.target).try_normalize());
        Self { members: scene.bodies.iter().zip(bodies).map(member).collect(), from }
    }

    /// Draws moments, the oldest first: poses of all bodies of the scene, in order.
    pub fn draw(&self, moments: &[Vec<Pose>], mut options: PictureOptions) -> Result<String, PictureError> {
        options.from = options.from.or(self.from);
        let mut picture = Picture::new(options)?;
        let shown = |member: &&Member| !member.shapes.is_empty();
        for member in self.members.iter().filter(|member| member.is_fixed).filter(shown) {
            for (shape, pose) in &member.shapes {
                picture.add_scenery(shape, &member.start.compose(pose), member.color);
            }
        }
        for (age, poses) in moments.iter().enumerate() {
            if age > 0 {
                picture.add_moment();
            }
            for (member, at) in self.members.iter().zip(poses).filter(|(member, _)| !member.is_fixed) {
                for (shape, pose) in &member.shapes {
                    picture.add_body(shape, &at.compose(pose), member.color);
                }
            }
        }
        picture.svg()
    }
}

/// Draws a recording at some times (s), the oldest first.
pub fn draw_recording<R: Read + Seek>(
    recording: &mut RecordingReader<R>,
    times: &[f64],
    options: PictureOptions,
) -> Result<String, PictureError> {
    if recording.header().scene.is_empty() {
        return Err(PictureError::NoScene);
    }
    let scene = SceneSpec::from_toml(&recording.header().scene, "scene.toml")?;
    let built = scene.build("")?;
    let cast = Cast::new(&scene, &built.world, &built.bodies);
    let track = |member: &Member| {
        let found = recording.header().bodies.iter().position(|name| *name == member.name);
        if found.is_none() && !member.is_fixed {
            return Err(PictureError::Misfit { body: member.name.clone() });
        }
        Ok(found)
    };
    let tracks = cast.members.iter().map(track).collect::<Result<Vec<_>, _>>()?;
    let (mut moments, mut frame) = (Vec::new(), Frame::default());
    for &time in times {
        let index = recording.frame_at(time)?.ok_or(PictureError::NoFrames)?;
        recording.frame(index, &mut frame)?;
        let pose = |(track, member): (&Option<usize>, &Member)| match track {
            Some(track) => frame.poses.get(*track).copied().unwrap_or(member.start),
            None => member.start,
        };
        moments.push(tracks.iter().zip(&cast.members).map(pose).collect());
    }
    cast.draw(&moments, options)
}
