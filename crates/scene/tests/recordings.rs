//! Recordings: frames can be read in any order, and damage to a file loses only the damaged chunks.

use std::io::Cursor;

use burgess_geometry::Pose;
use burgess_scene::recording::{
    FileRecorder, Frame, RecordingError, RecordingHeader, RecordingReader, RecordingWriter,
};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

const BODIES: usize = 40;

fn header() -> RecordingHeader {
    RecordingHeader {
        rate: 60.0,
        bodies: (0..BODIES).map(|body| format!("body {body}")).collect(),
        statistics: vec!["energy (J)".to_string()],
        scene: "name = \"näme\"\n".to_string(),
    }
}

fn pose(frame: u64, body: usize) -> Pose {
    let time = frame as f64 / 60.0;
    Pose::new(DQuat::from_rotation_z(time + body as f64), DVec3::new(body as f64, time, -0.5))
}

fn recorded(frames: u64) -> Vec<u8> {
    let mut writer = RecordingWriter::new(Vec::new(), header()).unwrap();
    for frame in 0..frames {
        let poses: Vec<_> = (0..BODIES).map(|body| pose(frame, body)).collect();
        writer.frame(frame as f64 / 60.0, &poses, &[frame as f64]).unwrap();
    }
    writer.finish().unwrap()
}

/// Returns whether this is the frame that was written, to the precision of the format.
fn is_right(frame: &Frame, index: u64) -> bool {
    let near = |(body, found): (usize, &Pose)| {
        let expected = pose(index, body);
        let turn = 2.0 * (found.rotation.conjugate() * expected.rotation).xyz().length();
        turn < 5e-6 && (found.translation - expected.translation).length() < 1e-5
    };
    frame.time == index as f64 / 60.0
        && frame.statistics == [index as f64]
        && frame.poses.len() == BODIES
        && frame.poses.iter().enumerate().all(near)
}

#[test]
fn any_frame_can_be_read_in_any_order() {
    let bytes = recorded(500);
    // 20 bytes per body, 8 for the time and 8 for the statistic; everything else is less than 2 %.
    assert!((bytes.len() as f64) < 1.02 * (500 * (BODIES * 20 + 16)) as f64, "{} bytes", bytes.len());
    let mut reader = RecordingReader::new(Cursor::new(bytes)).unwrap();
    assert_eq!((reader.header(), reader.frames(), reader.is_finished()), (&header(), 500, true));
    let mut frame = Frame::default();
    for index in [499, 0, 250, 81, 80, 79, 80, 333] {
        reader.frame(index, &mut frame).unwrap();
        assert!(is_right(&frame, index), "frame {index}: {frame:?}");
    }
    assert!(matches!(reader.frame(500, &mut frame), Err(RecordingError::NoSuchFrame { index: 500, frames: 500 })));
    for (time, expected) in [(-1.0, 0), (0.0, 0), (1.0, 60), (1.999, 119), (2.0, 120), (100.0, 499), (f64::NAN, 0)] {
        assert_eq!(reader.frame_at(time).unwrap(), Some(expected), "at {time} s");
    }
    assert_eq!(reader.times().unwrap(), Some((0.0, 499.0 / 60.0)));
}

/// Recordings of version 1 must stay readable: a different hash needs a new version.
#[test]
fn version_1_is_unchanged() {
    assert_eq!(crc32fast::hash(&recorded(100)), 0x9b84939f);
}

/// A file full of false chunk headers, each of which claims the rest of the file.
#[test]
fn false_chunks_do_not_cost_more_than_their_length() {
    let mut bytes = RecordingWriter::new(Vec::new(), header()).unwrap().finish().unwrap();
    let mut head = b"CHNK".to_vec();
    head.extend(0u64.to_le_bytes());
    head.extend(4000u32.to_le_bytes());
    head.extend((4000 * (BODIES as u32 * 20 + 16)).to_le_bytes());
    head.extend([0; 4]);
    let checksum = crc32fast::hash(&head);
    head.extend(checksum.to_le_bytes());
    for _ in 0..300_000 {
        bytes.extend(&head);
    }
    // All payloads have the wrong checksum; searching seven megabytes must be fast.
    assert_eq!(RecordingReader::new(Cursor::new(bytes)).unwrap().frames(), 0);
}

#[test]
fn a_recording_without_frames_or_bodies_can_be_read() {
    let empty = RecordingWriter::new(Vec::new(), header()).unwrap().finish().unwrap();
    let mut reader = RecordingReader::new(Cursor::new(empty)).unwrap();
    assert_eq!((reader.frames(), reader.frame_at(0.0).unwrap(), reader.times().unwrap()), (0, None, None));
    let mut writer = RecordingWriter::new(Vec::new(), RecordingHeader::default()).unwrap();
    writer.frame(1.0, &[], &[]).unwrap();
    let mut reader = RecordingReader::new(Cursor::new(writer.finish().unwrap())).unwrap();
    assert_eq!(reader.times().unwrap(), Some((1.0, 1.0)));
}

#[test]
fn invalid_frames_are_refused_and_change_nothing() {
    let header = RecordingHeader { bodies: vec!["ball".to_string()], ..RecordingHeader::default() };
    let mut writer = RecordingWriter::new(Vec::new(), header).unwrap();
    writer.frame(0.0, &[Pose::IDENTITY], &[]).unwrap();
    let refusals = [
        (0.1, vec![], vec![], "each frame has 1 poses, found 0"),
        (0.1, vec![Pose::IDENTITY], vec![1.0], "each frame has 0 statistics, found 1"),
        (-0.1, vec![Pose::IDENTITY], vec![], "frames come in the order of their times: -0.1 s after 0 s"),
        (
            0.1,
            vec![Pose::from_translation(DVec3::splat(f64::NAN))],
            vec![],
            "the pose of 'ball' at 0.1 s is not finite",
        ),
    ];
    for (time, poses, statistics, why) in refusals {
        assert_eq!(writer.frame(time, &poses, &statistics).unwrap_err().to_string(), why);
    }
    let reader = RecordingReader::new(Cursor::new(writer.finish().unwrap())).unwrap();
    assert_eq!(reader.frames(), 1);
}

#[test]
fn all_complete_chunks_of_a_truncated_recording_can_be_read() {
    let bytes = recorded(500);
    let frames_in_a_chunk = 65536u64.div_ceil(BODIES as u64 * 20 + 16);
    let chunk_bytes = 28 + frames_in_a_chunk * (BODIES as u64 * 20 + 16);
    let head = 20 + u64::from(u32::from_le_bytes(bytes[12..16].try_into().unwrap()));
    for cut in (head..bytes.len() as u64).step_by(997) {
        let mut reader = RecordingReader::new(Cursor::new(&bytes[..cut as usize])).unwrap();
        assert!(!reader.is_finished());
        let whole = ((cut - head) / chunk_bytes * frames_in_a_chunk).min(500);
        assert!(reader.frames() >= whole, "cut at {cut}: {} of {whole} frames", reader.frames());
        let mut frame = Frame::default();
        for index in (0..reader.frames()).step_by(37) {
            reader.frame(index, &mut frame).unwrap();
            assert!(is_right(&frame, index));
        }
    }
}

#[test]
fn a_damaged_chunk_does_not_affect_others() {
    let mut bytes = recorded(500);
    // Damage the middle of the second chunk; truncation removes the index too.
    bytes[100_000] ^= 1;
    let mut reader = RecordingReader::new(Cursor::new(&bytes[..])).unwrap();
    let mut frame = Frame::default();
    let error = reader.frame(100, &mut frame).unwrap_err().to_string();
    assert!(error.contains("a chunk does not match its checksum"), "{error}");
    reader.frame(400, &mut frame).unwrap();
    assert!(is_right(&frame, 400));
    let unfinished = &bytes[..bytes.len() - 1];
    let mut reader = RecordingReader::new(Cursor::new(unfinished)).unwrap();
    let lost = 65536u64.div_ceil(BODIES as u64 * 20 + 16);
    assert_eq!(reader.frames(), 500 - lost);
    for place in 0..reader.frames() {
        reader.frame(place, &mut frame).unwrap();
        assert!(is_right(&frame, if place < lost { place } else { place + lost }));
    }
}

#[test]
fn other_files_are_refused_with_a_clear_message() {
    let refusal = |bytes: &[u8]| RecordingReader::new(Cursor::new(bytes)).unwrap_err().to_string();
    assert_eq!(refusal(b""), "not a recording: it begins with []");
    assert_eq!(refusal(b"PK\x03\x04"), "not a recording: it begins with [50, 4b, 03, 04]");
    let mut bytes = recorded(1);
    bytes[8] = 9;
    assert_eq!(refusal(&bytes), "this recording has version 9; this program reads versions up to 1");
    bytes[8] = 1;
    assert_eq!(refusal(&bytes[..30]), "the recording breaks off at byte 0, in the head");
    bytes[40] ^= 1;
    assert_eq!(refusal(&bytes), "the recording is damaged at byte 20: the head does not match its checksum");
}

/// Replays a swinging pendulum from the recording alone.
#[test]
fn a_run_is_recorded_with_its_scene() {
    use burgess_dynamics::integrators::{Integrator, SemiImplicitMidpoint};
    use burgess_dynamics::{Workspace, update_kinematics};
    use burgess_scene::recording::link_poses;
    use burgess_scene::spec::SceneSpec;

    let text = include_str!("../../../examples/scenes/pendulum.toml");
    let scene = SceneSpec::from_toml(text, "pendulum.toml").unwrap();
    let built = scene.build(".").unwrap();
    let (world, mut state) = (built.world, built.state);
    let header = RecordingHeader::of_links(&world, 60.0, scene.self_contained(".").unwrap().to_toml().unwrap());
    let mut writer = RecordingWriter::new(Vec::new(), header).unwrap();
    let mut workspace = Workspace::new(world.model());
    let mut integrator = SemiImplicitMidpoint::new(world.model());
    let (mut poses, mut written) = (Vec::new(), Vec::new());
    for step in 0..240 {
        if step % 4 == 0 {
            update_kinematics(world.model(), &state, &mut workspace);
            link_poses(&world, &workspace, &mut poses);
            writer.frame(state.time, &poses, &[]).unwrap();
            written.push(poses.clone());
        }
        integrator.step(world.model(), &mut state, &mut (), &mut workspace, 1.0 / 240.0).unwrap();
    }
    let mut reader = RecordingReader::new(Cursor::new(writer.finish().unwrap())).unwrap();
    assert_eq!(reader.header().bodies, ["post", "upper", "lower"]);
    assert_eq!(SceneSpec::from_toml(&reader.header().scene, "recorded").unwrap(), scene);
    let mut frame = Frame::default();
    for (index, expected) in written.iter().enumerate() {
        reader.frame(index as u64, &mut frame).unwrap();
        for (found, expected) in frame.poses.iter().zip(expected) {
            // Two metres from the origin, single precision is accurate to 2e-7 m.
            assert!((found.translation - expected.translation).length() < 4e-7);
        }
    }
}

#[test]
fn a_file_gets_its_final_name_only_when_it_is_finished() {
    let folder = std::env::temp_dir().join(format!("burgess-recordings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (path, part) = (folder.join("run.rec"), folder.join("run.rec.part"));
    let header = RecordingHeader { bodies: vec!["ball".to_string()], ..RecordingHeader::default() };
    let mut recorder = FileRecorder::create(&path, header.clone()).unwrap();
    recorder.frame(0.0, &[Pose::IDENTITY], &[]).unwrap();
    recorder.flush().unwrap();
    assert!(!path.exists());
    assert_eq!(RecordingReader::open(&part).unwrap().frames(), 1);
    assert!(matches!(FileRecorder::create(&path, header), Err(RecordingError::Unfinished(_))));
    recorder.finish().unwrap();
    assert!(path.exists() && !part.exists());
    assert!(RecordingReader::open(&path).unwrap().is_finished());
    std::fs::remove_dir_all(&folder).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// However the bytes are damaged, every readable frame is one that was written.
    #[test]
    fn nothing_panics_on_damaged_bytes(
        damage in prop::collection::vec((0usize..70_000, any::<u8>()), 0..6),
        cut in prop::option::of(0usize..70_000),
        from_the_end in any::<bool>(),
    ) {
        let mut bytes = SHORT.with(Clone::clone);
        let length = bytes.len();
        for (place, value) in damage {
            let place = place % length;
            bytes[if from_the_end { length - 1 - place % 100 } else { place }] = value;
        }
        bytes.truncate(cut.map_or(length, |cut| cut % length));
        if let Ok(mut reader) = RecordingReader::new(Cursor::new(&bytes)) {
            let mut frame = Frame::default();
            let _ = reader.frame_at(0.7);
            let _ = reader.times();
            for index in 0..reader.frames().min(200) {
                if reader.frame(index, &mut frame).is_ok() {
                    let written = frame.statistics[0] as u64;
                    prop_assert!(is_right(&frame, written));
                }
            }
        }
    }

    #[test]
    fn nothing_panics_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut marked = b"BURGESSR\x01\0\0\0".to_vec();
        marked.extend(&bytes);
        prop_assert!(RecordingReader::new(Cursor::new(&bytes)).is_err());
        let _ = RecordingReader::new(Cursor::new(&marked));
    }
}

thread_local! {
    static SHORT: Vec<u8> = recorded(120);
}
