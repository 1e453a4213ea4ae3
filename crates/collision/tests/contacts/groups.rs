//! Contact groups compared with a flood fill.

use burgess_collision::contact_analysis::{ContactAnalysisError, ContactGroups};
use proptest::prelude::*;

/// Returns the smallest body that each body is connected to, by spreading until nothing changes.
fn flood(movable: &[bool], pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut label: Vec<u32> = (0..movable.len() as u32).collect();
    loop {
        let before = label.clone();
        for &(a, b) in pairs.iter().filter(|(a, b)| movable[*a as usize] && movable[*b as usize]) {
            let least = label[a as usize].min(label[b as usize]);
            (label[a as usize], label[b as usize]) = (least, least);
        }
        if label == before {
            return label;
        }
    }
}

proptest! {
    #[test]
    fn groups_are_the_connected_sets_of_movable_bodies(
        movable in prop::collection::vec(prop::bool::weighted(0.8), 1..40),
        contacts in prop::collection::vec((0u32..1000, 0u32..1000), 0..40),
        links in prop::collection::vec((0u32..1000, 0u32..1000), 0..10),
    ) {
        let wrap = |pairs: &[(u32, u32)]| -> Vec<(u32, u32)> {
            pairs.iter().map(|&(a, b)| (a % movable.len() as u32, b % movable.len() as u32)).collect()
        };
        let (contacts, links) = (wrap(&contacts), wrap(&links));
        let mut groups = ContactGroups::default();
        // A first use must not affect the second.
        groups.find(&[true; 50], &[(0, 49), (3, 4)], &[(7, 8)]).unwrap();
        groups.find(&movable, &contacts, &links).unwrap();

        let label = flood(&movable, &[&contacts[..], &links[..]].concat());
        let mut roots: Vec<u32> = (0..label.len() as u32).filter(|&i| movable[i as usize] && label[i as usize] == i).collect();
        roots.sort_unstable();
        prop_assert_eq!(groups.len(), roots.len());
        for (group, &root) in groups.iter().zip(&roots) {
            let members = |pairs: &[(u32, u32)]| -> Vec<u32> {
                let inside = |b: u32| movable[b as usize] && label[b as usize] == root;
                (0..pairs.len() as u32).filter(|&i| inside(pairs[i as usize].0) || inside(pairs[i as usize].1)).collect()
            };
            let bodies: Vec<u32> =
                (0..label.len() as u32).filter(|&i| movable[i as usize] && label[i as usize] == root).collect();
            prop_assert_eq!(group.bodies, &bodies[..]);
            prop_assert_eq!(group.contacts, &members(&contacts)[..]);
            prop_assert_eq!(group.links, &members(&links)[..]);
        }
        for body in 0..label.len() as u32 {
            let expected = movable[body as usize].then(|| roots.binary_search(&label[body as usize]).unwrap());
            prop_assert_eq!(groups.group_of_body(body), expected);
        }
    }
}

#[test]
fn unknown_bodies_are_rejected() {
    let mut groups = ContactGroups::default();
    let error = groups.find(&[true, true], &[(0, 1), (0, 2)], &[]).unwrap_err();
    assert_eq!(error, ContactAnalysisError::UnknownBody { what: "contact", index: 1, body: 2, bodies: 2 });
    assert_eq!(error.to_string(), "contact 1 refers to body 2, but there are only 2 bodies");
    groups.find(&[], &[], &[]).unwrap();
    assert!(groups.is_empty());
}
