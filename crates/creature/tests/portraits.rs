//! Pictures of handmade and random creatures.

use burgess_creature::graph::GraphGenome;
use burgess_creature::{
    AnyGenome, Body, Family, GenomeSettings, Part, PartShape, Physiology, Random, graph, legged, portrait,
};
use burgess_geometry::Pose;
use burgess_pictures::PictureError;
use glam::DVec3;

fn checked(name: &str, svg: &str) {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(document.descendants().filter(|node| node.has_tag_name("path")).count() > 3, "{name}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
    assert!(svg.len() < 60_000, "{name}: {} bytes", svg.len());
    // For inspection.
    std::fs::write(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.svg")), svg).unwrap();
}

#[test]
fn handmade_creatures_have_portraits() {
    let graphs: [(&str, GraphGenome); 2] =
        [("centipede", graph::handmade::centipede()), ("tree", graph::handmade::tree())];
    let made = graphs.map(|(name, genome)| (name, AnyGenome::Graph(genome)));
    let legged = [("quadruped", legged::handmade::quadruped()), ("hexapod", legged::handmade::hexapod())];
    for (name, genome) in made.into_iter().chain(legged.map(|(name, genome)| (name, AnyGenome::Legged(genome)))) {
        let phenotype = genome.grow(&Physiology::default()).unwrap();
        checked(name, &portrait(&phenotype.body, Default::default()).unwrap());
    }
}

#[test]
fn every_viable_body_has_a_portrait() {
    let (settings, mut random) = (GenomeSettings::default(), Random::new(3));
    let mut drawn = 0;
    for index in 0..60 {
        let family = Family::ALL[index % 2];
        if let Ok(phenotype) = family.random(&settings, &mut random).grow(&Physiology::default()) {
            checked(&format!("random-{index}"), &portrait(&phenotype.body, Default::default()).unwrap());
            drawn += 1;
        }
    }
    assert!(drawn > 20, "{drawn}");
}

#[test]
fn invalid_bodies_are_refused() {
    assert!(matches!(portrait(&Body::default(), Default::default()), Err(PictureError::Nothing)));
    let shape = PartShape::Box(DVec3::new(1.0, f64::NAN, 1.0));
    let part = Part { shape, attachment: None, pose: Pose::IDENTITY, mirrored: false, origin: 0 };
    assert!(matches!(portrait(&Body { parts: vec![part] }, Default::default()), Err(PictureError::NotFinite { .. })));
}
