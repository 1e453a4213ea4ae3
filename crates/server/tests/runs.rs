//! Routes of runs, with small simulated runs: responses, refusals, and interventions.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

use crate::client::viewer::block_on;
use crate::client::{TIMEOUT, get, options, post, start};
use burgess_creature::evaluation::{EvaluationOptions, evaluate_with};
use burgess_creature::task::Task;
use burgess_evolution::algorithm::MapElitesSettings;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{AlgorithmConfig, Archive, ChampionSettings, RecordedResult, Run, RunConfig};
use burgess_server::{Handle, ServerOptions};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio_tungstenite::client_async;

/// More than the founders and those in flight, so that the last ones have parents.
pub const COUNT: u64 = 80;

/// Number of creatures in flight.
const WINDOW: u64 = 8;

pub fn config(seed: u64) -> RunConfig {
    let task = Task { settle: 0.1, duration: 0.4, transient: 0.1, ..Task::preset("walk").unwrap() };
    let map = MapElitesSettings { founders: 20, generation: 20, window: WINDOW, ..Default::default() };
    // A short run tests a champion with few draws only.
    let champions = ChampionSettings { draws: 2, window: WINDOW, ..Default::default() };
    RunConfig {
        seed,
        evaluations: COUNT,
        algorithm: AlgorithmConfig::MapElites(map),
        champions,
        ..RunConfig::for_task(task)
    }
}

pub fn make_run(folder: &Path, name: &str, seed: u64) -> u64 {
    std::fs::create_dir_all(folder).unwrap();
    let archive = Archive::create(&folder.join(format!("{name}.burgess")), &config(seed), &[]).unwrap();
    let mut run = Run::new(archive).unwrap();
    run.advance(&mut Threads::new(2), &mut |_: &RecordedResult| ()).unwrap();
    run.archive().hash()
}

/// Starts a server with one finished run. Returns the hash of the run, too.
fn server_with_run() -> (Handle, ServerOptions, u64) {
    let options = options();
    let hash = make_run(&options.runs, "one", 1);
    (start(options.clone()), options, hash)
}

fn ids(answer: &Value) -> Vec<u64> {
    answer["individuals"].as_array().unwrap().iter().map(|one| one["id"].as_u64().unwrap()).collect()
}

/// Waits until a condition holds.
pub fn wait_until(mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < TIMEOUT, "timeout");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn all_data_of_a_run_are_served() {
    let (server, options, hash) = server_with_run();
    let ask = |path: &str| {
        let answer = get(server.address(), path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer
    };
    let runs = ask("/api/runs").json();
    let one = &runs[0];
    assert_eq!((&one["name"], &one["state"], &one["algorithm"]), (&json!("one"), &json!("done"), &json!("map_elites")));
    assert_eq!((&one["count"], &one["evaluations"], &one["seed"]), (&json!(COUNT), &json!(COUNT), &json!(1)));
    let champion = one["champion"].as_u64().unwrap();
    let full = ask("/api/runs/one").json();
    assert_eq!(full["hash"], json!(format!("{hash:016x}")));
    assert_eq!(full["hash"], ask("/api/runs/one").json()["hash"], "the second response is cached");
    assert!(full["config"].as_str().unwrap().contains("favour = 0.25"));
    assert!(full["creature_seconds"].as_f64().unwrap() > 1.0 && full["faulty"].is_u64());
    let spread = &full["best_spread"];
    assert!(spread["draws"].as_u64().unwrap() > 1 && full["retests"].as_u64().unwrap() > 1, "{full}");
    assert!(spread["lowest"].as_f64() <= full["best_fitness"].as_f64(), "{full}");
    assert!(full["best_fitness"].as_f64() <= spread["highest"].as_f64(), "{full}");
    assert_eq!(spread["quantile"], json!(0.1));

    let curve = ask("/api/runs/one/curve").json();
    let generations = curve["generations"].as_array().unwrap();
    assert_eq!(generations.len() as u64, COUNT.div_ceil(20));
    assert!(generations[0]["best"].as_f64() >= generations[0]["median"].as_f64());
    assert!((0.0..=1.0).contains(&generations[0]["diversity"].as_f64().unwrap()), "{curve}");

    assert_eq!(ask("/api/runs/one/contest").json(), json!({"sides": []}));

    let best = ask("/api/runs/one/individuals?limit=5").json();
    // Births that test candidates again are not listed.
    let listed = best["total"].as_u64().unwrap();
    assert!((COUNT / 2..COUNT).contains(&listed) && ids(&best).len() == 5, "{listed}");
    // The champion leads by a low quantile of its draws, the list by the first of them.
    assert!(best["individuals"][0]["fitness"].as_f64() >= full["best_fitness"].as_f64(), "{best}");
    let by_id = ask(&format!("/api/runs/one/individuals?sort=id&order=asc&offset={}", listed - 2)).json();
    assert!(ids(&by_id).len() == 2 && ids(&by_id).is_sorted(), "{by_id}");
    let heavy = ask("/api/runs/one/individuals?sort=mass&limit=160").json();
    let masses: Vec<f64> =
        heavy["individuals"].as_array().unwrap().iter().filter_map(|one| one["descriptors"]["mass"].as_f64()).collect();
    assert!(masses.len() > 10 && masses.is_sorted_by(|a, b| a >= b), "{masses:?}");
    let random = ask("/api/runs/one/individuals?operator=random").json();
    assert!(random["total"].as_u64().unwrap() >= 20);
    let least = best["individuals"][4]["fitness"].as_f64().unwrap();
    assert_eq!(ask(&format!("/api/runs/one/individuals?least={least}")).json()["total"], json!(5));
    assert_eq!(ask("/api/runs/one/individuals?favourites=1").json()["total"], json!(0));

    let one = ask(&format!("/api/runs/one/individuals/{champion}")).json();
    assert_eq!(one["spread"], full["best_spread"]);
    assert!(one["parts"].as_u64().unwrap() > 1 && one["neurons"].as_u64().unwrap() > 0 && one["family"] == "legged");
    let line = ask(&format!("/api/runs/one/individuals/{champion}/lineage")).json();
    assert_eq!(ids(&line)[0], champion);
    let young = ids(&ask("/api/runs/one/individuals?sort=id&order=desc&limit=20").json());
    let lineage = |id: u64| ask(&format!("/api/runs/one/individuals/{id}/lineage")).json();
    let parent_of = |youngest: &Value| youngest["individuals"][0]["parents"][0].as_u64();
    let with_parent = |id: u64| Some((id, lineage(id))).filter(|(_, youngest)| parent_of(youngest).is_some());
    let (last, youngest) = young.into_iter().find_map(with_parent).expect("most have parents");
    let parent = parent_of(&youngest).unwrap();
    assert!(ids(&youngest).contains(&parent));
    let children = ask(&format!("/api/runs/one/individuals/{parent}")).json()["children"].clone();
    assert!(children.as_array().unwrap().contains(&json!(last)));

    let map = ask("/api/runs/one/map").json();
    assert_eq!(map["dimensions"][0]["descriptor"], json!("parts"));
    let best_of_list = json!(ids(&best)[0]);
    assert!(map["cells"].as_array().unwrap().iter().any(|cell| cell["id"] == best_of_list), "{map}");
    let other = ask("/api/runs/one/map?x=mass&y=height").json();
    assert_eq!(
        (&other["dimensions"][0]["descriptor"], &other["dimensions"][1]["descriptor"]),
        (&json!("mass"), &json!("height"))
    );

    let brain = ask(&format!("/api/runs/one/individuals/{champion}/brain")).json();
    assert!(!brain["spectra"].as_array().unwrap().is_empty(), "a legged creature has spectra: {brain}");
    let portrait = ask(&format!("/api/runs/one/individuals/{champion}/portrait.svg"));
    assert_eq!(portrait.header("content-type"), Some("image/svg+xml"));
    assert!(portrait.body.starts_with(b"<svg"));
    let creature = ask(&format!("/api/runs/one/individuals/{champion}/export?to=json"));
    assert_eq!(creature.json()["format"], json!("burgess-creature"));
    let xml = ask(&format!("/api/runs/one/individuals/{champion}/export?to=mjcf"));
    assert!(String::from_utf8_lossy(&xml.body).contains("<mujoco"));
    drop(server);
    std::fs::remove_dir_all(options.runs).unwrap();
}

#[test]
fn a_clip_has_the_bits_of_the_evaluation() {
    let (server, options, _) = server_with_run();
    let archive = Archive::open_read_only(&options.runs.join("one.burgess")).unwrap();
    let champion = archive.champion().unwrap();
    let path = format!("/api/runs/one/individuals/{}/clip?rate=100", champion.id);
    let answer = get(server.address(), &path);
    assert_eq!(answer.status, 200, "{answer:?}");
    let length = u32::from_le_bytes(answer.body[..4].try_into().unwrap()) as usize;
    assert_eq!((4 + length) % 4, 0);
    let head: Value = serde_json::from_slice(&answer.body[4..4 + length]).unwrap();
    let (frames, bodies) = (head["frames"].as_u64().unwrap() as usize, head["bodies"].as_u64().unwrap() as usize);
    assert_eq!(answer.body.len(), 4 + length + frames * bodies * 28);
    // Frames of 0.5 s, including both ends.
    assert_eq!((frames, head["hashes"].as_array().unwrap().len()), (51, 6));
    assert_eq!(head["appearance"]["bodies"].as_array().unwrap().len(), bodies);
    assert_eq!(head["fitness"], json!(champion.result.fitness));
    // The last frame is at the end of the trial, and has its hash unless the trial stopped early.
    let task = archive.task_of(&champion).unwrap();
    let evaluation = evaluate_with(&champion.genome, &task, champion.seed, &EvaluationOptions::default());
    assert_eq!(evaluation.hash(), champion.result.hash);
    let trial = &evaluation.trials[0];
    assert!(trial.stopped.is_none(), "the champion moves");
    assert_eq!(head["hashes"][5], json!(format!("{:016x}", trial.state_hash)));
    // What is kept is the same.
    assert_eq!(get(server.address(), &path).body, answer.body);
    assert_eq!(get(server.address(), &path.replace("100", "0")).status, 400);
    assert_eq!(get(server.address(), &path.replace("100", "many")).status, 400);
    drop((server, archive));
    std::fs::remove_dir_all(options.runs).unwrap();
}

#[test]
fn missing_and_invalid_names_are_refused() {
    let (server, options, _) = server_with_run();
    std::fs::write(options.runs.join("text.burgess"), "no database").unwrap();
    std::fs::write(options.runs.join("empty.burgess"), "").unwrap();
    let outside = options.runs.with_extension("outside.burgess");
    std::fs::copy(options.runs.join("one.burgess"), &outside).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, options.runs.join("link.burgess")).unwrap();
    let address = server.address();
    let status = |path: &str| {
        let answer = get(address, path);
        assert!(answer.status < 500 && !answer.error().is_empty(), "{path}: {answer:?}");
        answer.status
    };
    for name in ["none", "..%2fone", "%2e%2e", ".one", "one%00", "sub%2fone", "link", "C:one", &"x".repeat(300)] {
        for rest in ["", "/curve", "/individuals", "/individuals/0/clip", "/socket"] {
            assert!([400, 404].contains(&status(&format!("/api/runs/{name}{rest}"))), "{name}{rest}");
        }
        let marked = post(address, &format!("/api/runs/{name}/favourite"), &json!({"id": 0, "on": true}));
        assert!([400, 404].contains(&marked.status), "{name}: {marked:?}");
    }
    assert_eq!([status("/api/runs/text"), status("/api/runs/empty/curve")], [400, 400]);
    for rest in ["", "/lineage", "/clip", "/brain", "/portrait.svg", "/export?to=json"] {
        assert_eq!(status(&format!("/api/runs/one/individuals/1000{rest}")), 404, "{rest}");
        assert_eq!(status(&format!("/api/runs/one/individuals/-1{rest}")), 400, "{rest}");
    }
    for query in
        ["sort=beauty", "sort=id;drop", "order=up", "operator=magic", "least=much", "limit=-1", "favourites=yes"]
    {
        assert_eq!(status(&format!("/api/runs/one/individuals?{query}")), 400, "{query}");
    }
    assert_eq!(status("/api/runs/one/map?x=beauty"), 400);
    assert_eq!(status("/api/runs/one/tournament?generations=0"), 400);
    let refused = get(address, "/api/runs/one/tournament");
    assert_eq!(refused.status, 400);
    assert!(refused.error().starts_with("the run is not a contest"), "{refused:?}");
    assert_eq!(status("/api/runs/one/individuals/0/export?to=exe"), 400);
    // Unreadable files are listed with the reason, also a link to a file outside.
    let runs = get(address, "/api/runs").json();
    let unreadable = runs.as_array().unwrap().iter().filter(|run| run["state"] == "unreadable");
    let names: Vec<&str> = unreadable.map(|run| run["name"].as_str().unwrap()).collect();
    assert_eq!(names, if cfg!(unix) { &["empty", "link", "text"][..] } else { &["empty", "text"] });
    for body in [
        json!({}),
        json!({"task": "fly to the moon"}),
        json!({"task": "walk", "evaluations": 0}),
        json!({"task": "walk", "algorithm": "luck"}),
        json!({"task": "walk", "family": "elves"}),
    ] {
        let answer = post(address, "/api/runs", &body);
        assert!((400..500).contains(&answer.status), "{body}: {answer:?}");
    }
    // The run does not evolve, so births are refused and marks are accepted.
    for (route, body) in
        [("pause", json!({})), ("breed", json!({"parents": [0, 1]})), ("inject", json!({"creature": {}}))]
    {
        assert_eq!(post(address, &format!("/api/runs/one/{route}"), &body).status, 409, "{route}");
    }
    let again = post(address, "/api/runs/one/go-on", &json!({}));
    assert_eq!(again.status, 409, "{again:?}");
    assert!(again.error().contains(&format!("{COUNT} evaluations are done")), "{again:?}");
    let unknown = post(address, "/api/runs/one/remove", &json!({"id": COUNT}));
    assert_eq!(
        (unknown.status, unknown.error()),
        (404, format!("there is no individual {COUNT}; {COUNT} have been evaluated so far, numbered from 0"))
    );
    drop(server);
    std::fs::remove_dir_all(&options.runs).unwrap();
    std::fs::remove_file(outside).unwrap();
}

/// Reads messages of a run until one fulfils a condition.
async fn wait_for_message(address: SocketAddr, run: &str, mut fits: impl FnMut(&Value) -> bool) {
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let (mut socket, _) = client_async(format!("ws://{address}/api/runs/{run}/socket"), stream).await.unwrap();
    let listen = async {
        loop {
            let message = socket.next().await.unwrap().unwrap();
            if message.is_text() && fits(&serde_json::from_str(message.to_text().unwrap()).unwrap()) {
                return;
            }
        }
    };
    tokio::time::timeout(TIMEOUT, listen).await.unwrap();
}

#[test]
fn interventions_in_a_live_run_are_recorded_and_repeatable() {
    let (server, options, _) = server_with_run();
    make_run(&options.runs, "other", 2);
    let address = server.address();
    let run = || get(address, "/api/runs/one").json();
    let act = |route: &str, body: Value| {
        let answer = post(address, &format!("/api/runs/one/{route}"), &body);
        assert_eq!(answer.status, 200, "{route}: {answer:?}");
        answer.json()
    };
    let best = get(address, "/api/runs/one/individuals?limit=4").json();
    let (listed, best) = (best["total"].as_u64().unwrap(), ids(&best));
    // Marks are written to the file while the run does not evolve.
    act("favourite", json!({"id": best[0], "on": true}));
    act("remove", json!({"id": best[3]}));
    assert_eq!(ids(&get(address, "/api/runs/one/individuals?favourites=1").json()), [best[0]]);
    assert_eq!(get(address, "/api/runs/one/individuals?removed=0").json()["total"], json!(listed - 1));
    assert_eq!(ids(&get(address, "/api/runs/one/individuals?removed=1").json()), [best[3]]);

    // With so many evaluations the run does not end before it is told to.
    act("go-on", json!({"evaluations": 1_000_000}));
    wait_until(|| run()["count"].as_u64() > Some(COUNT));
    act("pause", json!({}));
    let paused = run();
    assert_eq!((&paused["state"], &paused["hash"]), (&json!("paused"), &Value::Null));
    let child = act("breed", json!({"parents": [best[0], best[1]]}))["child"].as_u64().unwrap();
    let children = act("merge", json!({"run": "other", "most": 3}))["children"].clone();
    assert_eq!(children, json!([child + 1, child + 2, child + 3]));
    let creature = get(address, &format!("/api/runs/other/individuals/{}/export?to=json", 0)).json();
    let injected = act("inject", json!({"creature": creature}))["child"].as_u64().unwrap();
    assert_eq!(injected, child + 4);
    let strange = post(address, "/api/runs/one/inject", &json!({"creature": {"format": "something"}}));
    assert_eq!(strange.status, 400, "{strange:?}");
    let removed = post(address, "/api/runs/one/breed", &json!({"parents": [best[0], best[3]]}));
    assert_eq!((removed.status, removed.error()), (409, format!("individual {} was removed", best[3])));
    assert_eq!(
        get(address, &format!("/api/runs/one/individuals/{injected}")).status,
        404,
        "the run is paused, so the child is not evaluated"
    );

    act("go-on", json!({}));
    wait_until(|| run()["count"].as_u64() > Some(injected));
    let found = get(address, &format!("/api/runs/one/individuals/{child}")).json();
    assert_eq!((&found["operator"], &found["parents"]), (&json!("by_hand"), &json!([best[0], best[1]])));
    let joined = get(address, &format!("/api/runs/one/individuals/{}", child + 1)).json();
    assert_eq!((&joined["operator"], &joined["parents"]), (&json!("immigrant"), &json!([])));
    // Messages arrive without requests.
    block_on(wait_for_message(address, "one", |message| {
        message["say"] == "progress" && message["state"] == "evolving" && message["per_second"].as_f64() > Some(0.0)
    }));
    block_on(wait_for_message(address, "one", |message| {
        message["say"] == "born" && message["individuals"][0]["id"].as_u64() > Some(injected)
    }));
    // Reduce the number of evaluations so that the run ends soon.
    act("pause", json!({}));
    wait_until(|| run()["state"] == "paused");
    std::thread::sleep(std::time::Duration::from_millis(100));
    let count = run()["count"].as_u64().unwrap();
    let too_few = post(address, "/api/runs/one/go-on", &json!({"evaluations": 10}));
    assert_eq!(too_few.status, 400, "{too_few:?}");
    act("go-on", json!({"evaluations": count + 40}));
    wait_until(|| run()["state"] == "done");
    let hash = run()["hash"].as_str().unwrap().to_string();

    // A repetition with the same interventions before the same births gives the same hash.
    let archive = Archive::open_read_only(&options.runs.join("one.burgess")).unwrap();
    let config = archive.config().unwrap();
    let mut again = Archive::create(&options.runs.join("again.burgess"), &config, &[]).unwrap();
    archive.interventions().for_each(|(at, what)| again.intervene(at, what).unwrap());
    let mut again = Run::new(again).unwrap();
    again.advance(&mut Threads::new(1), &mut |_: &RecordedResult| ()).unwrap();
    assert_eq!(format!("{:016x}", again.archive().hash()), hash);
    block_on(wait_for_message(address, "one", |message| message["say"] == "progress" && message["state"] == "done"));
    drop((server, archive, again));
    std::fs::remove_dir_all(options.runs).unwrap();
}

#[test]
fn a_run_can_be_started_and_stops_with_the_server() {
    let options = options();
    let server = start(options.clone());
    let body =
        json!({"task": "walk", "seed": 3, "evaluations": 100_000, "algorithm": "age-fitness", "family": "graph"});
    let started = post(server.address(), "/api/runs", &body);
    assert_eq!(started.status, 201, "{started:?}");
    let run = started.json();
    assert_eq!(
        (&run["name"], &run["state"], &run["algorithm"]),
        (&json!("walk-3"), &json!("evolving"), &json!("age_fitness"))
    );
    assert_eq!(post(server.address(), "/api/runs", &body).json()["name"], json!("walk-3-2"));
    assert_eq!(post(server.address(), "/api/runs/walk-3-2/pause", &json!({})).status, 200);
    wait_until(|| get(server.address(), "/api/runs/walk-3").json()["count"].as_u64() > Some(0));
    server.stop();
    // The file is unlocked, and there are no other files of the run.
    let mut archive = Archive::open(&options.runs.join("walk-3.burgess")).unwrap();
    archive.check().unwrap();
    drop(archive);
    let left: Vec<String> = std::fs::read_dir(&options.runs)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
    std::fs::remove_dir_all(options.runs).unwrap();
}
