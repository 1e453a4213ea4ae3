//! Compounds on a half-space.

use burgess_collision::contact_determination::{
    ClosestPair, PartMemory, PartScratch, TrackedFeatures, determine_parts,
};
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

use super::setup::*;

#[test]
fn a_tube_stands_on_its_rim() {
    let (floor, pipe) = (ground(), tube(0.5, 0.4, 1.0, 12));
    for gap in [0.004, 0.0, -0.004] {
        let standing = Pose::new(DQuat::from_rotation_z(0.3), DVec3::new(2.0, -1.0, 0.5 + gap));
        let found = contacts(&floor, &Pose::IDENTITY, &pipe, &standing);
        // Four corners of each of twelve wedges.
        assert_eq!(found.len(), 48);
        for part in &found {
            let c = part.contact;
            assert!((c.distance - gap).abs() < 1e-14 && (c.normal - DVec3::Z).length() < 1e-14, "{c:?}");
            assert!(c.point_a.z.abs() < 1e-14 && (c.point_b.z - gap).abs() < 1e-14, "{c:?}");
            let off_axis = (c.point_a - standing.translation).truncate().length();
            assert!((off_axis - 0.5).abs() < 1e-12 || (off_axis - 0.4).abs() < 1e-12);
        }
        let points: Vec<DVec3> = found.iter().map(|part| part.contact.point).collect();
        assert!(largest_triangle(&points) > 0.6);
        assert!(supports(&points, standing.translation, DVec3::Z));

        // From below, the same with the roles exchanged.
        let mut back = contacts(&pipe, &standing, &floor, &Pose::IDENTITY);
        back.sort_unstable_by_key(|part| part.id().swapped());
        let mut there = found;
        there.sort_unstable_by_key(|part| part.id());
        for (p, q) in there.iter().zip(&back) {
            assert_eq!(p.id(), q.id().swapped());
            assert!((p.contact.point - q.contact.point).length() < 1e-13);
            assert!((p.contact.normal + q.contact.normal).length() < 1e-14);
        }
        assert_eq!(there.len(), back.len());
    }
}

#[test]
fn one_contact_for_each_part_is_enough_for_the_rim() {
    let (floor, pipe) = (ground(), tube(0.5, 0.4, 1.0, 12));
    let standing = Pose::from_translation(DVec3::new(0.0, 0.0, 0.499));
    let near = near(&floor, &Pose::IDENTITY, &pipe, &standing, MARGIN);
    let (mut memory, mut scratch, mut found) = (PartMemory::default(), PartScratch::default(), Vec::new());
    let shapes = (&floor, &pipe);
    determine_parts(&mut ClosestPair { margin: MARGIN }, shapes, &near, &mut memory, &mut scratch, &mut found);
    assert_eq!(found.len(), 12);
    let points: Vec<DVec3> = found.iter().map(|part| part.contact.point).collect();
    assert!(supports(&points, DVec3::ZERO, DVec3::Z));
}

#[test]
fn features_are_remembered_by_part() {
    let (floor, pipe) = (ground(), tube(0.5, 0.4, 1.0, 12));
    let (mut memory, mut scratch, mut found) = (PartMemory::default(), PartScratch::default(), Vec::new());
    let mut tracked = TrackedFeatures::new(MARGIN);
    let mut most = 0;
    for step in 0..40 {
        // Jitter: the lowest corner of each part changes.
        let axis = DQuat::from_rotation_z(f64::from(step)) * DVec3::X;
        let pose = Pose::new(DQuat::from_axis_angle(axis, 1e-3), DVec3::new(0.0, 0.0, 0.501));
        let near = near(&floor, &Pose::IDENTITY, &pipe, &pose, MARGIN);
        determine_parts(&mut tracked, (&floor, &pipe), &near, &mut memory, &mut scratch, &mut found);
        most = most.max(found.len());
    }
    assert!(most > 24, "{most}");
    // Far away, all memory is removed.
    determine_parts(&mut tracked, (&floor, &pipe), &[], &mut memory, &mut scratch, &mut found);
    assert_eq!((found.len(), memory), (0, PartMemory::default()));
}
