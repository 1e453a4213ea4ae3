//! Pictures of worlds, as SVG: of their start, or of a session as it is now.

use burgess_geometry::{Aabb, Pose};
use burgess_pictures::{Picture, PictureOptions, SceneBodies, default_color, draw_recording};
use burgess_scene::recording::RecordingReader;
use glam::{DQuat, DVec3};

use super::bouncing::BouncePlayer;
use super::frame::{FLOATS_PER_BODY, Frame};
use super::history::EditLog;
use super::initial_state::InitialState;
use super::live::LivePlayer;

/// Draws a world with the poses of an encoded frame, or at its start if the frame is empty or does not fit. Edits that
/// change the world are applied.
pub(crate) fn picture(
    initial: &InitialState,
    log: &EditLog,
    frame: &[u8],
    options: PictureOptions,
) -> Result<String, String> {
    let frame = Frame::decode(frame).unwrap_or_default();
    match initial {
        InitialState::Live(original, run_options) => {
            let mut live = LivePlayer::new(original.clone(), run_options.clone())?;
            live.repeat_changes(log.edits.iter().map(|event| &event.edit))?;
            of_live(&live, &frame, options)
        }
        InitialState::Recording(path, name) => {
            let mut recording = RecordingReader::open(path).map_err(|error| format!("{name}: {error}"))?;
            draw_recording(&mut recording, &[frame.time], options).map_err(|error| format!("{name}: {error}"))
        }
        InitialState::Bounce(config) => of_bounce(&BouncePlayer::new(*config)?, &frame, options),
    }
}

fn of_live(live: &LivePlayer, frame: &Frame, options: PictureOptions) -> Result<String, String> {
    let (scene, current) = (live.scene(), live.current());
    let bodies = SceneBodies::new(scene, current.running.simulation.world(), &current.running.bodies);
    let mut poses: Vec<Pose> = current.running.bodies.iter().map(|body| body.pose).collect();
    for (place, shown) in current.shown.iter().enumerate() {
        // A thrown ball is not in frames before it was thrown.
        poses[shown.body] = pose_in(frame, place).unwrap_or_else(|| current.pose(shown));
    }
    bodies.draw(&[poses], options).map_err(|error| error.to_string())
}

fn of_bounce(player: &BouncePlayer, frame: &Frame, options: PictureOptions) -> Result<String, String> {
    let mut picture = Picture::new(options).map_err(|error| error.to_string())?;
    let half = DVec3::splat(0.5 * player.world().config().world);
    picture.set_room(Aabb::new(-half, half));
    for (place, (shape, pose)) in player.world().bodies().enumerate() {
        let pose = pose_in(frame, place).unwrap_or(*pose);
        picture.add_body(shape, &pose, Some(default_color(place, false)));
    }
    picture.svg().map_err(|error| error.to_string())
}

fn pose_in(frame: &Frame, place: usize) -> Option<Pose> {
    let numbers = frame.poses.get(FLOATS_PER_BODY * place..)?.first_chunk::<FLOATS_PER_BODY>()?;
    let [x, y, z, a, b, c, w] = numbers.map(f64::from);
    let rotation = DQuat::from_xyzw(a, b, c, w).normalize();
    Some(Pose::new(rotation, DVec3::new(x, y, z)))
}
