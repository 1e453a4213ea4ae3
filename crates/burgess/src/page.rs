//! The page of the viewer, as `serve`, `watch` and `evolve` open it: a server in the background, its address on
//! stdout, and a browser if there is one.

use std::io::IsTerminal;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use burgess_server::{DEFAULT_ADDRESS, DEFAULT_IDLE, Handle, Server, ServerError, ServerOptions, Tls};
use clap::Args;

use crate::notices::{Notices, notice};
use crate::output::print;
use crate::program::{NAME, program};
use crate::{Failed, interruption};

/// Longest time that a world can be kept without viewers, in minutes: ten years.
const MAX_IDLE_MINUTES: f64 = 5_256_000.0;

/// Address of the page, and access to it.
#[derive(Args, Debug, Default, Clone)]
#[command(next_help_heading = "The page")]
pub struct PageArguments {
    /// Serve the page at this address; port 0 selects a free port [default: 127.0.0.1:7380]
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    listen: Option<SocketAddr>,
    /// Require this token from every client; needed if other machines can reach the address [default: none]
    #[arg(long, value_name = "TOKEN", env = "BURGESS_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Accept other machines without a token: anyone on the network then has full control
    #[arg(long)]
    insecure_no_token: bool,
    /// Use TLS with a new self-signed certificate, which browsers warn about [default: no TLS]
    #[arg(long, conflicts_with = "tls_certificate")]
    tls: bool,
    /// Use TLS with this certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_certificate: Option<PathBuf>,
    /// Use this private key for the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
    /// End worlds that were opened on the page and that nobody has watched for this time; 0 keeps them
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    #[arg(default_value_t = DEFAULT_IDLE.as_secs_f64() / 60.0)]
    idle: f64,
    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,
}

/// Parses a number of minutes.
fn minutes(text: &str) -> Result<f64, String> {
    let found = text.parse::<f64>().ok().filter(|minutes| (0.0..=MAX_IDLE_MINUTES).contains(minutes));
    found.ok_or_else(|| format!("expected a number of minutes from 0 to {MAX_IDLE_MINUTES}"))
}

/// Parses an address, which may contain a host name.
fn address(text: &str) -> Result<SocketAddr, String> {
    let expected = "expected an address and a port, such as 127.0.0.1:7380";
    let mut found = text.to_socket_addrs().map_err(|error| format!("{error}; {expected}"))?;
    found.next().ok_or_else(|| format!("nothing has that name; {expected}"))
}

impl PageArguments {
    fn options(&self, runs: &Path) -> ServerOptions {
        let tls = match (&self.tls_certificate, &self.tls_key) {
            (Some(certificate), Some(key)) => Tls::Files { certificate: certificate.clone(), key: key.clone() },
            _ if self.tls => Tls::SelfSigned,
            _ => Tls::None,
        };
        ServerOptions {
            listen: self.listen.unwrap_or(DEFAULT_ADDRESS),
            command: command_on_page(),
            runs: runs.to_path_buf(),
            token: self.token.clone(),
            insecure_no_token: self.insecure_no_token,
            tls,
            idle: (self.idle > 0.0).then(|| Duration::from_secs_f64(60.0 * self.idle)),
            ..ServerOptions::default()
        }
    }

    /// Returns whether an address is given.
    pub fn has_address(&self) -> bool {
        self.listen.is_some()
    }

    /// Listens at the address, and for datagrams of trackers at another one.
    pub fn bind_with_tracker(&self, runs: &Path, tracker: Option<SocketAddr>) -> Result<Server> {
        Server::bind(ServerOptions { tracker, ..self.options(runs) }).map_err(server_error)
    }

    /// Listens at the address. If none is given and the default is in use, a free port is taken.
    pub fn bind_anywhere(&self, runs: &Path) -> Result<Server> {
        match Server::bind(self.options(runs)) {
            Err(ServerError::Taken(_)) if self.listen.is_none() => {
                let free = SocketAddr::new(DEFAULT_ADDRESS.ip(), 0);
                let bound = Server::bind(ServerOptions { listen: free, ..self.options(runs) }).map_err(server_error)?;
                let (usual, port) = (DEFAULT_ADDRESS.port(), bound.address().port());
                notice(&format!("port {usual} is in use, so the page is at port {port}; --listen chooses another"));
                Ok(bound)
            }
            bound => bound.map_err(server_error),
        }
    }
}

/// What starts this program, for command lines on the page: as it was typed, but no path from the root. The page does
/// not tell where files are.
fn command_on_page() -> String {
    let program = program();
    let is_absolute = Path::new(program.trim_start_matches('\'')).is_absolute();
    if is_absolute { NAME.to_string() } else { program }
}

/// Decides whether an error was caused by the input (exit code 2) or not (1).
fn server_error(error: ServerError) -> anyhow::Error {
    match error {
        ServerError::TokenNeeded(_) | ServerError::BadToken | ServerError::Certificate { .. } => error.into(),
        _ => Failed(error.into()).into(),
    }
}

/// The page, served until this is dropped.
#[derive(Debug)]
pub struct Page {
    handle: Handle,
}

impl Page {
    /// Opens the page at a path such as `/stage/s1`, or `/` for the overview, and prints its address.
    pub fn open(server: Server, path_on_page: &str, arguments: &PageArguments) -> Result<Self> {
        log_to_stderr();
        let (url, elsewhere) = (server.url_of(path_on_page), remote_address(&server));
        let handle = server.run_in_background().map_err(server_error)?;
        let missing = "This program was built without the page: install Node.js 20.19, or 22.12 or newer, with npm, and build again.\n";
        let missing = if burgess_server::IS_BUILT { "" } else { missing };
        let open = "Everyone who can reach this address can do everything here; restrict access with --token.\n";
        let open = if arguments.insecure_no_token && !handle.address().ip().is_loopback() { open } else { "" };
        print(&format!("Burgess is at {url}\n{elsewhere}{open}{missing}"))?;
        if !arguments.no_browser && has_browser() {
            // Without a browser here, the address can be opened elsewhere.
            let _ = open::that_detached(&url);
        }
        Ok(Self { handle })
    }

    /// Serves until Ctrl-C.
    pub fn stay(self) -> Result<()> {
        print("Press Ctrl-C to stop.\n")?;
        interruption::wait();
        self.handle.stop();
        Ok(())
    }
}

/// Returns the address for other machines, if they can reach the server.
fn remote_address(server: &Server) -> String {
    let address = server.address();
    if !address.ip().is_unspecified() {
        return String::new();
    }
    let url = server.url();
    let rest = url.split_once(&format!(":{}/", address.port())).map_or("", |(_, rest)| rest);
    let scheme = url.split("://").next().unwrap_or("http");
    format!("From other machines: {scheme}://NAME-OF-THIS-MACHINE:{}/{rest}\n", address.port())
}

/// Returns whether the program runs on a terminal with a display.
fn has_browser() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_display = !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    std::io::stdout().is_terminal() && has_display
}

/// Logs refused requests on stderr.
fn log_to_stderr() {
    let subscriber = tracing_subscriber::fmt().with_writer(|| Notices).with_max_level(tracing::Level::WARN);
    // An existing logger stays.
    let _ = subscriber.with_target(false).with_ansi(std::io::stderr().is_terminal()).try_init();
}

/// Path of a session on the page.
pub fn session_path(id: &str) -> String {
    format!("/stage/{id}")
}

/// Path of a history of vortex tubes on the page.
pub fn flow_path(id: &str) -> String {
    format!("/flow/{id}")
}

/// Path of a run on the page.
pub fn run_page(name: &str) -> String {
    format!("/run/{}", escaped(name))
}

/// Path of a curved space on the page.
pub fn space_page(name: &str) -> String {
    format!("/space/{}", escaped(name))
}

/// Escapes a name for an address.
fn escaped(name: &str) -> String {
    let escape = |byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    name.bytes().map(escape).collect()
}

/// Returns the folder of a file.
pub fn folder_of(file: &Path) -> Result<PathBuf> {
    let whole = std::path::absolute(file).with_context(|| format!("{}: cannot be found", file.display()))?;
    Ok(whole.parent().unwrap_or(&whole).to_path_buf())
}
