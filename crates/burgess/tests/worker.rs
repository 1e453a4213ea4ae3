//! Workers on the command line.

#[path = "../../evolution/tests/servers/mod.rs"]
mod servers;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{burgess, path, refusal, text};
use servers::{Process, Server, children_of, folder, is_running, wait_for};

fn worker(url: &str) -> Process {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burgess"));
    command.args(["worker", "--nats", url, "--processes", "2"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    Process(command.spawn().unwrap())
}

fn archive_hash(run: &Path, options: &[&str]) -> serde_json::Value {
    let task = run.with_extension("toml");
    let content = "name = 'short'\nfitness = 'steady_distance'\nsettle = 0.1\nduration = 0.4\ntransient = 0.1\n";
    std::fs::write(&task, content).unwrap();
    let all = ["evolve", path(&task), "--evaluations", "120", "--run", path(run), "--json", "--headless"];
    let output = burgess(&[&all, options].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["evaluations"], 120);
    report["archive_hash"].clone()
}

#[test]
fn workers_and_threads_come_to_the_same_and_workers_end_well() {
    let Some(server) = Server::start(&[]) else { return };
    let folder = folder("burgess-worker");
    let mut workers = [worker(&server.url()), worker(&server.url())];
    let elsewhere = archive_hash(&folder.join("elsewhere.burgess"), &["--nats", &server.url()]);
    assert_eq!(elsewhere, archive_hash(&folder.join("here.burgess"), &["--threads", "1"]));
    let children: Vec<u32> = workers.iter().flat_map(|worker| children_of(worker.0.id())).collect();
    assert!(!children.is_empty());
    let mut evaluated = 0;
    for worker in &mut workers {
        Command::new("kill").args(["-INT", &worker.0.id().to_string()]).status().unwrap();
        wait_for("the end of a worker", Duration::from_secs(20), || worker.0.try_wait().unwrap().is_some());
        assert_eq!(worker.0.wait().unwrap().code(), Some(0));
        let output = std::io::read_to_string(worker.0.stdout.take().unwrap()).unwrap();
        evaluated += output.split(' ').next().unwrap().parse::<u64>().unwrap();
    }
    assert!(evaluated >= 120, "{evaluated}");
    wait_for("the end of the children", Duration::from_secs(20), || !children.iter().any(is_running));
}

#[test]
fn what_is_wrong_is_said() {
    assert!(refusal(&["worker"]).contains("--nats URL"));
    assert!(refusal(&["worker", "--nats", "nats://host", "--processes", "0"]).contains("from 1 to"));
    assert!(refusal(&["evolve", "walk", "--threads", "2", "--nats", "nats://host"]).contains("--threads"));
    let output = burgess(&["worker", "--nats", "nats://127.0.0.1:9"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no NATS server answers at 127.0.0.1:9"), "{}", text(&output.stderr));
}
