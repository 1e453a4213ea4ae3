//! Authentication at the NATS server, and error messages. The keys in `tests/tls` are for these tests only.

use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::servers::{Server, cheap_task, folder, options, wait_for};
use burgess_creature::evaluation::Side;
use burgess_creature::{Family, GenomeSettings, Random};
use burgess_evolution::Version;
use burgess_evolution::evaluator::nats::{ChildCommand, NatsOptions, Worker, WorkerOptions};
use burgess_evolution::evaluator::{Evaluator, Job, Nats, evaluate};

/// Longest time that a test waits. It is reached only if something is wrong.
const MAX_WAIT: Duration = Duration::from_secs(60);

fn job() -> Job {
    let genome = Family::Legged.random(&GenomeSettings::default(), &mut Random::new(5));
    Job { id: 0, genome, side: Side::First, opponents: Vec::new(), task: cheap_task(), seed: 1 }
}

fn worker_options() -> WorkerOptions {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_test_worker"));
    WorkerOptions { processes: 1, ..WorkerOptions::new(ChildCommand { program, arguments: vec!["child".to_string()] }) }
}

/// Checks that a run and a worker with these options evaluate a creature.
fn check_access(options: &NatsOptions) {
    let (end, is_over) = channel::<()>();
    let worker = Worker::new(options.clone(), worker_options());
    let thread = std::thread::spawn(move || worker.work(|_| is_over.try_recv().is_ok()));
    let mut nats = Nats::connect(options, "access").unwrap();
    nats.submit(job()).unwrap();
    let answer = (0..3000).find_map(|_| nats.next().unwrap());
    assert_eq!(answer, Some((0, evaluate(&job()))));
    end.send(()).unwrap();
    assert_eq!(thread.join().unwrap().unwrap().results, 1);
}

fn refusal(options: &NatsOptions) -> String {
    let worker = Worker::new(options.clone(), worker_options()).work(|_| false).unwrap_err().to_string();
    let Err(run) = Nats::connect(options, "access") else { panic!("it was let in") };
    assert_eq!(worker, run.to_string());
    worker
}

/// Checks that the refusal contains these words.
fn check_refusal(options: &NatsOptions, words: &[&str]) {
    let refusal = refusal(options);
    for word in words {
        assert!(refusal.contains(word), "'{word}' is missing: {refusal}");
    }
    assert!(!refusal.contains("secret"), "{refusal}");
}

#[test]
fn users_authenticate_with_a_password() {
    let Some(server) = Server::start(&["--user", "me", "--pass", "se/cret"]) else { return };
    let options = options(&server.url());
    let some = |word: &str| Some(word.to_string());
    check_access(&NatsOptions { user: some("me"), password: some("se/cret"), ..options.clone() });
    check_access(&NatsOptions { url: format!("nats://me:se%2Fcret@127.0.0.1:{}", server.port), ..options.clone() });
    let with_user = format!("nats://me:wrong@127.0.0.1:{}", server.port);
    check_access(&NatsOptions { url: with_user, password: some("se/cret"), ..options.clone() });
    check_refusal(&options, &["rejected the credentials", "password"]);
    check_refusal(
        &NatsOptions { user: some("me"), password: some("secret"), ..options.clone() },
        &["rejected the credentials"],
    );
    check_refusal(&NatsOptions { user: some("me"), ..options.clone() }, &["needs a password"]);
    check_refusal(&NatsOptions { password: some("secret"), ..options.clone() }, &["needs a user"]);
    check_refusal(&NatsOptions { password: some("secret"), token: some("x"), ..options.clone() }, &["needs a user"]);
    check_refusal(&NatsOptions { user: some("me"), token: some("x"), ..options }, &["only one of"]);
}

#[test]
fn tokens_are_accepted() {
    let Some(server) = Server::start(&["--auth", "open"]) else { return };
    let options = options(&server.url());
    check_access(&NatsOptions { token: Some("open".to_string()), ..options.clone() });
    check_access(&NatsOptions { url: format!("nats://open@127.0.0.1:{}", server.port), ..options.clone() });
    check_refusal(&NatsOptions { token: Some("secret".to_string()), ..options }, &["rejected the credentials"]);
}

#[test]
fn nkeys_are_accepted() {
    let folder = folder("nkey");
    let (own, other) = (nkeys::KeyPair::new_user(), nkeys::KeyPair::new_user());
    let config = folder.join("server.conf");
    std::fs::write(&config, format!("authorization {{ users: [ {{ nkey: {} }} ] }}\n", own.public_key())).unwrap();
    let Some(server) = Server::start(&["-c", config.to_str().unwrap()]) else { return };
    let with = |name: &str, content: &str| {
        let file = folder.join(name);
        std::fs::write(&file, content).unwrap();
        NatsOptions { nkey: Some(file), ..options(&server.url()) }
    };
    check_access(&with("own.nk", &format!("{}\n", own.seed().unwrap())));
    check_refusal(&with("other.nk", &other.seed().unwrap()), &["rejected the credentials"]);
    check_refusal(&with("empty.nk", "nothing\n"), &["empty.nk", "seed"]);
    check_refusal(
        &NatsOptions { nkey: Some("/nowhere.nk".into()), ..options(&server.url()) },
        &["/nowhere.nk", "cannot be read"],
    );
}

#[test]
fn connections_can_be_encrypted() {
    let file = |name: &str| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tls").join(name);
    let name = |name: &str| file(name).to_str().unwrap().to_string();
    let (certificate, key, ca) = (name("server.pem"), name("server-key.pem"), name("ca.pem"));
    let arguments = ["--tlsverify", "--tlscert", &certificate, "--tlskey", &key, "--tlscacert", &ca];
    let Some(server) = Server::start(&arguments) else { return };
    let options = options(&format!("tls://127.0.0.1:{}", server.port));
    let certificate = Some(file("client.pem"));
    let trusting = NatsOptions { ca: Some(file("ca.pem")), ..options.clone() };
    check_access(&NatsOptions {
        certificate: certificate.clone(),
        key: Some(file("client-key.pem")),
        ..trusting.clone()
    });
    check_refusal(&options, &["no encrypted connection", "--nats-ca"]);
    check_refusal(&NatsOptions { certificate, ..trusting }, &["must be given together"]);
}

#[test]
fn errors_name_their_cause() {
    check_refusal(&options("http://host"), &["http://host", "nats://host:4222"]);
    check_refusal(&options("nats://me:secret@"), &["not the address"]);
    // Port 9 is the discard service, and nothing listens there.
    check_refusal(
        &options("nats://me:secret@127.0.0.1:9"),
        &["no NATS server answers at 127.0.0.1:9", "nats-server -js"],
    );
    let Some(server) = Server::without_jetstream() else { return };
    check_refusal(&options(&server.url()), &["has no JetStream", "nats-server -js"]);
}

/// Error of a worker that would otherwise end at once.
fn start_and_end(options: &NatsOptions) -> Result<(), String> {
    let worked = Worker::new(options.clone(), worker_options()).work(|_| true);
    worked.map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn another_version_is_refused_only_at_the_start() {
    let Some(server) = Server::start(&[]) else { return };
    let notices = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&notices);
    let notice = move |notice: &str| heard.lock().unwrap().push(notice.to_string());
    let options = NatsOptions { notice: Arc::new(notice), ..options(&server.url()) };
    let (end, is_over) = channel::<()>();
    let early = Worker::new(options.clone(), worker_options());
    let early = std::thread::spawn(move || early.work(|_| is_over.try_recv().is_ok()));
    let mut own = Nats::connect(&options, "own").unwrap();
    own.submit(job()).unwrap();
    wait_for("the early worker's result", MAX_WAIT, || own.next().unwrap().is_some());

    let theirs = Version { release: "9.9.9".to_string(), physics: 1 };
    let mut nats = Nats::connect_as(&options, "version", &theirs).unwrap();
    nats.submit(job()).unwrap();
    // A worker stays while a run of its version is connected, even without jobs.
    assert_eq!(start_and_end(&options), Ok(()));
    drop(own);
    let mut refusal = Ok(());
    wait_for("a refusal", MAX_WAIT, || {
        refusal = start_and_end(&options);
        refusal.is_err()
    });
    let refusal = refusal.unwrap_err();
    assert!(refusal.contains("burgess 9.9.9") && refusal.contains(env!("CARGO_PKG_VERSION")), "{refusal}");

    let notice_count = || notices.lock().unwrap().iter().filter(|notice| notice.contains("burgess 9.9.9")).count();
    wait_for("the early worker's notice", MAX_WAIT, || notice_count() > 0);
    end.send(()).unwrap();
    assert_eq!(early.join().unwrap().unwrap().results, 1);
    assert_eq!(notice_count(), 1);
}

#[test]
fn jobs_of_a_killed_run_do_not_keep_workers_out() {
    let Some(server) = Server::start(&[]) else { return };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let config = async_nats::jetstream::stream::Config {
            name: "burgess-jobs-0_0_1-1-0".to_string(),
            subjects: vec!["burgess.0_0_1-1-0.jobs.>".to_string()],
            ..Default::default()
        };
        context.create_stream(config).await.unwrap();
        context.publish("burgess.0_0_1-1-0.jobs.run.7", "a job".into()).await.unwrap().await.unwrap();
    });
    assert_eq!(start_and_end(&options(&server.url())), Ok(()));
    check_access(&options(&server.url()));
}
