//! Pictures of scenes and recordings.

use std::io::{Read, Seek};
use std::sync::Arc;

use burgess_geometry::{Pose, Shape};
use burgess_scene::BuiltBody;
use burgess_scene::recording::{Frame, RecordingReader};
use burgess_scene::spec::SceneSpec;
use burgess_simulation::World;
use glam::DVec3;

use super::{Picture, PictureError, PictureOptions};

/// A body with its shapes in body coordinates.
#[derive(Debug, Clone)]
struct Body {
    name: String,
    shapes: Vec<(Arc<Shape>, Pose)>,
    color: Option<DVec3>,
    is_fixed: bool,
    /// Pose of a fixed body.
    start: Pose,
}

/// The bodies of a scene, which can be drawn at any poses.
///
/// ```
/// use burgess_pictures::{SceneBodies, PictureOptions};
/// use burgess_scene::{RunOptions, builtin};
///
/// let scene = builtin::find("pendulum").unwrap().spec();
/// let mut running = scene.run(".", &RunOptions::default()).unwrap();
/// let bodies = SceneBodies::new(&scene, running.simulation.world(), &running.bodies);
/// let mut moments = Vec::new();
/// for moment in 0..5 {
///     running.simulation.run(0.1 * f64::from(moment)).unwrap();
///     running.simulation.data_mut().update_kinematics();
///     moments.push((0..scene.bodies.len()).filter_map(|body| running.body_pose(body)).collect());
/// }
/// let svg = bodies.draw(&moments, PictureOptions::default()).unwrap();
/// assert!(svg.len() < 60_000);
/// ```
#[derive(Debug, Clone)]
pub struct SceneBodies {
    bodies: Vec<Body>,
    /// Direction from the target to the scene's first camera.
    from: Option<DVec3>,
}

impl SceneBodies {
    /// Creates the bodies from a scene, the world that was built from it, and its built bodies.
    pub fn new(scene: &SceneSpec, world: &World, bodies: &[BuiltBody]) -> Self {
        let body = |(spec, built): (&burgess_scene::spec::BodySpec, &BuiltBody)| {
            let in_place = built.place().1.inverse();
            let colliders = world.colliders().get(built.colliders.clone()).unwrap_or_default().iter();
            let shapes = colliders.map(|collider| (collider.shape.clone(), in_place.compose(&collider.pose)));
            let (name, is_fixed) = (spec.name.clone(), spec.fixed);
            Body { name, shapes: shapes.collect(), color: spec.color, is_fixed, start: built.pose }
        };
        let camera = scene.display.cameras.first();
        let from = camera.and_then(|camera| (camera.position - camera.target).try_normalize());
        Self { bodies: scene.bodies.iter().zip(bodies).map(body).collect(), from }
    }

    /// Draws moments, the oldest first. A moment is the list of poses of all bodies in scene order.
    pub fn draw(&self, moments: &[Vec<Pose>], mut options: PictureOptions) -> Result<String, PictureError> {
        options.from = options.from.or(self.from);
        let mut picture = Picture::new(options)?;
        let shown = |body: &&Body| !body.shapes.is_empty();
        for body in self.bodies.iter().filter(|body| body.is_fixed).filter(shown) {
            for (shape, pose) in &body.shapes {
                picture.add_scenery(shape, &body.start.compose(pose), body.color);
            }
        }
        for (age, poses) in moments.iter().enumerate() {
            if age > 0 {
                picture.add_moment();
            }
            for (body, at) in self.bodies.iter().zip(poses).filter(|(body, _)| !body.is_fixed) {
                for (shape, pose) in &body.shapes {
                    picture.add_body(shape, &at.compose(pose), body.color);
                }
            }
        }
        picture.svg()
    }
}

/// Draws a recording at the given times (s), the oldest first.
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
    let scene_bodies = SceneBodies::new(&scene, &built.world, &built.bodies);
    let track = |body: &Body| {
        let found = recording.header().bodies.iter().position(|name| *name == body.name);
        if found.is_none() && !body.is_fixed {
            return Err(PictureError::Misfit { body: body.name.clone() });
        }
        Ok(found)
    };
    let tracks = scene_bodies.bodies.iter().map(track).collect::<Result<Vec<_>, _>>()?;
    let (mut moments, mut frame) = (Vec::new(), Frame::default());
    for &time in times {
        let index = recording.frame_at(time)?.ok_or(PictureError::NoFrames)?;
        recording.frame(index, &mut frame)?;
        let pose = |(track, body): (&Option<usize>, &Body)| match track {
            Some(track) => frame.poses.get(*track).copied().unwrap_or(body.start),
            None => body.start,
        };
        moments.push(tracks.iter().zip(&scene_bodies.bodies).map(pose).collect());
    }
    scene_bodies.draw(&moments, options)
}
