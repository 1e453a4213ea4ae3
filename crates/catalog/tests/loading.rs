//! Loading of subjects, and the arena of creatures.

use burgess_catalog::{Arena, CatalogError, Creature, Scene, Subject, find_task};
use burgess_creature::evaluation::Side;
use burgess_creature::store::CreatureFile;
use burgess_creature::task::Task;
use burgess_scene::RunOptions;

use crate::support::{Folder, MODEL, SCENE, TAKE, recording, write_run};

#[test]
fn scenes_and_models_are_loaded() {
    let folder = Folder::new();
    let words = ["dominoes".to_string(), folder.write("mine.toml", SCENE), folder.write("arm.urdf", MODEL)];
    let scenes = words.map(|word| Subject::resolve(&word).unwrap().scene().unwrap());
    assert_eq!(scenes.each_ref().map(Scene::name), ["dominoes", "mine", "arm"]);
    for scene in &scenes {
        scene.run(&RunOptions::default()).unwrap();
    }
}

#[test]
fn creatures_are_loaded_from_every_origin() {
    let folder = Folder::new();
    write_run(&folder.path("walk-1.burgess"));
    let walker = Subject::resolve("walker").unwrap().creature().unwrap();
    walker.file.write(folder.path("mine.json")).unwrap();
    let mine = Subject::resolve(&folder.word("mine.json")).unwrap().creature().unwrap();
    assert_eq!(mine.file, walker.file);
    assert_eq!((mine.task, mine.id), (None, None));
    let champion = Subject::resolve(&folder.word("walk-1.burgess")).unwrap().creature().unwrap();
    let id = champion.id.unwrap();
    let same = Subject::resolve(&folder.word(&format!("walk-1.burgess#{id}"))).unwrap().creature().unwrap();
    assert_eq!((&same.file, &same.task), (&champion.file, &champion.task));
    assert_eq!(same.file.name, format!("walk-1-{id}"));
    assert_eq!(same.task.unwrap().duration, 0.4, "the task of the run, not the built-in one");
    let missing = Subject::resolve(&folder.word("walk-1.burgess#999")).unwrap().creature().unwrap_err();
    assert!(missing.is_missing(), "{missing}");
}

#[test]
fn subjects_of_the_wrong_kind_are_refused() {
    let folder = Folder::new();
    let (bur, take) = (folder.write("x.bur", recording()), folder.write("x.take.json", TAKE));
    let resolve = |word: &str| Subject::resolve(word).unwrap();
    let creature = |word: &str| resolve(word).creature().unwrap_err().to_string();
    let scene = |word: &str| resolve(word).scene().unwrap_err().to_string();
    assert!(creature("dominoes").starts_with("'dominoes' is a scene, expected a built-in creature"));
    assert!(creature(&bur).contains("is a recording, expected a built-in creature"));
    assert!(creature(&take).contains("is a take, expected a built-in creature"));
    assert_eq!(scene("walker"), "'walker' is a creature, expected a scene or a model");
    assert!(scene(&bur).contains("is a recording, expected a scene"));
    // A file of another kind under a wrong name is refused by its reader, which says where.
    let scene_as_creature = folder.write("scene.json", SCENE);
    assert!(matches!(resolve(&scene_as_creature).creature(), Err(CatalogError::Creature(_))));
    let picture = folder.write("picture.toml", [0x89, b'P', b'N', b'G', 0xff]);
    assert!(matches!(resolve(&picture).scene(), Err(CatalogError::Scene(_))));
    let rubbish = folder.write("rubbish.burgess", "no database");
    assert!(matches!(resolve(&rubbish).creature(), Err(CatalogError::Run(_))));
}

#[test]
fn built_in_names_have_suggestions_of_their_kind() {
    let scene = Scene::builtin("walkr").unwrap_err().to_string();
    assert_eq!(scene, "there is no scene called 'walkr'; `burgess scenes` lists all");
    let creature = Creature::builtin("walkr").unwrap_err().to_string();
    assert!(creature.contains("no creature called 'walkr'; did you mean 'walker'?"), "{creature}");
}

#[test]
fn arenas_honour_the_choice_of_the_user_then_the_creature() {
    let walker = Creature::builtin("walker").unwrap();
    let (task, seed) = Arena::default().task_and_seed(&walker).unwrap();
    assert_eq!((Some(task.name), seed), (walker.file.task.clone(), walker.file.seed.unwrap_or(0)));
    let arena = Arena { task: Some("swim".to_string()), seed: Some(5) };
    let (task, seed) = arena.task_and_seed(&walker).unwrap();
    assert_eq!((task.name.as_str(), seed), ("swim", 5));
    assert_eq!(arena.show(&walker).unwrap().task().name, "swim");
    let mut stranger = walker.clone();
    stranger.file.task = Some("wolk".to_string());
    let error = Arena::default().task_and_seed(&stranger).unwrap_err().to_string();
    assert!(error.contains("'wolk'; did you mean 'walk'; choose a task with --task"), "{error}");
}

#[test]
fn a_creature_of_a_contest_meets_the_opponent_of_its_file() {
    let folder = Folder::new();
    let contest = |opponent: Option<&str>, side: Option<Side>| {
        let opponent = opponent.map(|name| Creature::builtin(name).unwrap().file.genome);
        let walker = Creature::builtin("walker").unwrap().file;
        CreatureFile { task: Some("contest".to_string()), side, opponent, ..walker }
    };
    let shown = |file: &CreatureFile, task: Option<&str>| {
        file.write(folder.path("mine.json")).unwrap();
        let creature = Subject::resolve(&folder.word("mine.json")).unwrap().creature().unwrap();
        Arena { task: task.map(str::to_string), seed: None }.show(&creature)
    };
    let parts = |name: &str| {
        let genome = Creature::builtin(name).unwrap().file.genome;
        genome.grow(&Task::preset("contest").unwrap().physiology).unwrap().body.parts.len()
    };
    let (own, other) = (parts("walker"), parts("hexapod"));
    assert_ne!(own, other);
    // The second creature begins after the parts of the first.
    let length_of_first = |file: &CreatureFile| {
        let preview = shown(file, None).unwrap();
        let roots = preview.roots();
        assert_eq!(preview.root(), roots[usize::from(file.side == Some(Side::Second))]);
        roots[1] - roots[0]
    };
    assert_eq!(length_of_first(&contest(Some("hexapod"), None)), own);
    assert_eq!(length_of_first(&contest(Some("hexapod"), Some(Side::Second))), other);
    assert_eq!(length_of_first(&contest(None, Some(Side::Second))), own, "the limp twin");
    assert_eq!(length_of_first(&contest(None, None)), own, "the limp twin");
    // Another contest needs an opponent.
    assert_eq!(shown(&contest(Some("hexapod"), None), Some("sumo")).unwrap().roots().len(), 2);
    assert!(matches!(shown(&contest(None, None), Some("sumo")), Err(CatalogError::NoOpponent { .. })));
}

#[test]
fn tasks_are_found_by_name_or_file() {
    let folder = Folder::new();
    let (_, text) = Task::preset_texts().find(|(name, _)| *name == "walk").unwrap();
    let file = folder.write("mine.toml", text);
    assert_eq!(find_task(&file).unwrap(), find_task("walk").unwrap());
    let error = |word: &str| find_task(word).unwrap_err().to_string();
    assert_eq!(error("swin"), "there is no task called 'swin'; did you mean 'swim'? `burgess tasks` lists all");
    assert!(error(&folder.word("no.toml")).contains("no.toml: cannot be read"));
    assert!(error(&folder.word("")).contains("it is a folder"));
}
