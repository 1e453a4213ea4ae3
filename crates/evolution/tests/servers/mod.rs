//! NATS servers and workers of a test, which end with it, and cheap runs.

#![allow(dead_code)]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use burgess_creature::task::Task;
use burgess_evolution::evaluator::Nats;
use burgess_evolution::evaluator::nats::NatsOptions;

/// A process that is killed when this is dropped.
pub struct Process(pub Child);

impl Process {
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Folder that is unique to a test.
pub fn folder(name: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Argument that starts a server without JetStream.
const PLAIN: &str = "without JetStream";

/// A server on the loopback interface.
pub struct Server {
    pub port: u16,
    folder: PathBuf,
    arguments: Vec<String>,
    process: Process,
}

impl Server {
    /// Starts a server. Returns `None`, with a line that says so, if `nats-server` is not installed. With CI=true it
    /// must be.
    pub fn start(arguments: &[&str]) -> Option<Self> {
        if program().is_none() {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "nats-server is missing");
            eprintln!("left out: nats-server is missing (Debian: apt-get install nats-server)");
            return None;
        }
        let arguments: Vec<String> = arguments.iter().map(|word| word.to_string()).collect();
        let folder = folder("nats");
        // A port that was free before may be taken meanwhile.
        for _ in 0..10 {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            if let Some(process) = launch(port, &folder, &arguments) {
                return Some(Self { port, folder, arguments, process });
            }
        }
        panic!("nats-server does not start");
    }

    /// Starts a server without JetStream.
    pub fn without_jetstream() -> Option<Self> {
        Self::start(&[PLAIN])
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills the server, which is like a power cut except for the page cache.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    pub fn start_again(&mut self) {
        let again = || launch(self.port, &self.folder, &self.arguments);
        self.process = (0..10).find_map(|_| again()).expect("nats-server does not start again");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Debian installs it in a folder that is only in root's path.
fn program() -> Option<&'static str> {
    let runs = |program: &&str| Command::new(program).arg("--version").output().is_ok();
    ["nats-server", "/usr/sbin/nats-server"].into_iter().find(runs)
}

fn launch(port: u16, folder: &Path, arguments: &[String]) -> Option<Process> {
    let mut command = Command::new(program()?);
    command.args(["-a", "127.0.0.1", "-p", &port.to_string()]);
    if !arguments.iter().any(|word| word == PLAIN) {
        command.args(arguments).arg("-js").arg("-sd").arg(folder);
    }
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = Process(command.spawn().unwrap());
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(20) {
        if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some(process);
        }
        if process.0.try_wait().unwrap().is_some() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    None
}

/// Time after which the jobs of a silent worker are delivered to another, in ms.
pub const ACK_WAIT: u64 = 1000;

pub fn options(url: &str) -> NatsOptions {
    NatsOptions { url: url.to_string(), ack_wait: Duration::from_millis(ACK_WAIT), ..NatsOptions::default() }
}

pub fn connect(url: &str, run: &str) -> Nats {
    Nats::connect(&options(url), run).unwrap()
}

/// A worker with `processes` child processes.
pub fn worker(url: &str, processes: usize, faults: &str) -> Process {
    let Some(program) = option_env!("CARGO_BIN_EXE_test_worker") else {
        panic!("for tests of burgess-evolution alone")
    };
    let mut command = Command::new(program);
    command.args(["worker", url, &processes.to_string(), &ACK_WAIT.to_string()]);
    if !faults.is_empty() {
        command.arg(faults);
    }
    Process(command.spawn().unwrap())
}

/// Child processes of a process.
pub fn children_of(pid: u32) -> Vec<u32> {
    let path = format!("/proc/{pid}/task/{pid}/children");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Returns whether a process runs. A zombie does not.
pub fn is_running(pid: &u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Waits until a condition holds, for at most the given time.
pub fn wait_for(what: &str, limit: Duration, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < limit, "waited in vain for: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A task of one second.
pub fn cheap_task() -> Arc<Task> {
    Arc::new(Task { settle: 0.2, duration: 1.0, transient: 0.2, ..Task::preset("walk").unwrap() })
}
