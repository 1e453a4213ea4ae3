//! Identification of subjects by name, extension and content.

use burgess_catalog::{CatalogError, Origin, SpaceOrigin, Subject};

use crate::support::{Folder, MODEL, SCENE, TAKE, recording};

fn error(word: &str) -> String {
    Subject::resolve(word).unwrap_err().to_string()
}

#[test]
fn built_in_subjects_are_found_by_name() {
    assert_eq!(Subject::resolve("walker").unwrap(), Subject::Creature(Origin::Builtin("walker")));
    assert_eq!(Subject::resolve("dominoes").unwrap(), Subject::Scene(Origin::Builtin("dominoes")));
    for name in ["weeks", "lens-7-2"] {
        assert_eq!(Subject::resolve(name).unwrap(), Subject::Space(SpaceOrigin::Builtin(name.to_string())));
    }
}

#[test]
fn files_are_recognized_by_extension_or_content() {
    let folder = Folder::new();
    let of = |name: &str, content: &[u8]| {
        let word = folder.write(name, content);
        Subject::resolve(&word).unwrap()
    };
    let path = |name: &str| folder.path(name);
    assert_eq!(of("mine.toml", SCENE.as_bytes()), Subject::Scene(Origin::File(path("mine.toml"))));
    assert_eq!(of("mine.json", b"{}"), Subject::Creature(Origin::File(path("mine.json"))));
    assert_eq!(of("x.bur", &recording()), Subject::Recording(path("x.bur")));
    assert_eq!(of("motion.dat", &recording()), Subject::Recording(path("motion.dat")));
    assert_eq!(of("x.take.json", TAKE.as_bytes()), Subject::Take(path("x.take.json")));
    assert_eq!(of("broken.take.json", b"nothing"), Subject::Take(path("broken.take.json")));
    assert_eq!(of("renamed.json", TAKE.as_bytes()), Subject::Take(path("renamed.json")));
    assert_eq!(of("crab.xml", b"<mujoco/>"), Subject::Model(path("crab.xml")));
    assert_eq!(of("arm.URDF", MODEL.as_bytes()), Subject::Model(path("arm.URDF")));
    assert_eq!(of("mine.gens", b""), Subject::Space(SpaceOrigin::File(path("mine.gens"))));
    assert_eq!(of("walk-1.burgess", b""), Subject::Run(path("walk-1.burgess")));
    assert_eq!(of("copy.db", b"SQLite format 3\0 and more"), Subject::Run(path("copy.db")));
    let individual = Subject::Individual { run: path("walk-1.burgess"), id: 12 };
    assert_eq!(Subject::resolve(&folder.word("walk-1.burgess#12")).unwrap(), individual);
}

#[test]
fn a_file_of_an_unknown_kind_is_refused_with_the_known_ones() {
    let folder = Folder::new();
    for name in ["crab.dae", "walk.out", "notes.txt"] {
        let message = Subject::resolve(&folder.write(name, "<COLLADA/>")).unwrap_err().to_string();
        assert!(message.contains("kind of file is not known; scenes end in .toml"), "{message}");
    }
}

#[test]
fn a_file_whose_name_contains_a_hash_sign_is_found() {
    let folder = Folder::new();
    let word = folder.write("scene#2.toml", SCENE);
    assert_eq!(Subject::resolve(&word).unwrap(), Subject::Scene(Origin::File(folder.path("scene#2.toml"))));
}

#[test]
fn subjects_are_written_as_users_name_them() {
    let folder = Folder::new();
    folder.write("a.burgess", "");
    for word in ["walker".to_string(), "stack".to_string(), folder.word("a.burgess"), folder.word("a.burgess#3")] {
        assert_eq!(Subject::resolve(&word).unwrap().to_string(), word);
    }
    assert_eq!(Subject::resolve("walker").unwrap().file(), None);
    let run = Subject::resolve(&folder.word("a.burgess#3")).unwrap();
    assert_eq!(run.file(), Some(folder.path("a.burgess").as_path()));
}

#[test]
fn wrong_names_have_suggestions() {
    let lists = "`burgess scenes` and `burgess creatures` list all";
    let expected = |rest: &str| format!("there is no scene or creature called {rest}{lists}");
    assert_eq!(error("wlker"), expected("'wlker'; did you mean 'walker'? "));
    assert_eq!(error("zebra"), expected("'zebra'; "));
    assert!(error("stak").contains("did you mean 'stack' or 'stacks'?"));
    assert!(Subject::resolve("zebra").unwrap_err().is_missing());
}

#[test]
fn wrong_names_of_creatures_have_creatures_as_suggestions() {
    let error = |word| Subject::resolve_creature(word).unwrap_err().to_string();
    let expected =
        "there is no creature called 'grapler'; did you mean 'grappler' or 'leaper'? `burgess creatures` lists all";
    assert_eq!(error("grapler"), expected);
    assert_eq!(error("stak"), "there is no creature called 'stak'; `burgess creatures` lists all");
    assert_eq!(error("no.json"), "no.json: cannot be read: there is no such file");
    assert_eq!(Subject::resolve_creature("walker").unwrap(), Subject::resolve("walker").unwrap());
}

#[test]
fn missing_files_and_folders_are_refused() {
    let folder = Folder::new();
    for name in ["no.toml", "no.json", "no.bur", "no.xml", "no.burgess", "no.take.json", "no.burgess#3", "no/where"] {
        let found = Subject::resolve(&folder.word(name)).unwrap_err();
        assert!(matches!(found, CatalogError::Missing(_)) && found.is_missing(), "{name}: {found}");
    }
    assert_eq!(error("./walker"), "./walker: cannot be read: there is no such file");
    std::fs::create_dir(folder.path("runs")).unwrap();
    std::fs::create_dir(folder.path("odd.json")).unwrap();
    for name in ["runs", "odd.json", "runs#3"] {
        let found = Subject::resolve(&folder.word(name)).unwrap_err();
        assert!(matches!(found, CatalogError::Folder(_)), "{name}: {found}");
    }
}

#[test]
fn ids_must_be_numbers_and_follow_a_run() {
    let folder = Folder::new();
    folder.write("a.burgess", "");
    let found = error(&folder.word("a.burgess#best"));
    assert!(found.ends_with("expected the id of an individual after '#', found 'best'"), "{found}");
    let found = error(&(folder.write("a.toml", SCENE) + "#3"));
    assert!(found.ends_with("is a scene, expected a run before '#'"), "{found}");
}
