//! The page of the viewer, as `serve`, `watch` and `evolve` open it: a server in the background, its address on stdout, and a
//! browser where there is one.

use std::io::IsTerminal;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use burgess_server::{DEFAULT_ADDRESS, Handle, Server, ServerError, ServerOptions, Tls};
use clap::Args;

use crate::notices::Notices;
use crate::output::print;
use crate::{Failed, interruption};

/// Where the page is, and who may see it.
#[derive(Args, Debug, Default, Clone)]
#[command(next_help_heading = "The page")]
pub struct PageArguments {
    /// Where the page is served; port 0 takes a free one [default: 127.0.0.1:7380]
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    listen: Option<SocketAddr>,
    /// What everybody who asks must know; needed where other machines can reach the address
    #[arg(long, value_name = "TOKEN", env = "BURGESS_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Let other machines in without a token: everybody on the network may do everything
    #[arg(long)]
    insecure_no_token: bool,
    /// Encrypt, with a certificate made now; browsers ask before they trust it
    #[arg(long, conflicts_with = "tls_certificate")]
    tls: bool,
    /// Encrypt, with this certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_certificate: Option<PathBuf>,
    /// The private key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
    /// Open no browser
    #[arg(long)]
    no_browser: bool,
}

/// Where to listen, by numbers or by name.
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
            runs: runs.to_path_buf(),
            token: self.token.clone(),
            insecure_no_token: self.insecure_no_token,
            tls,
            ..ServerOptions::default()
        }
    }

    /// Was it said where it is to be?
    pub fn is_placed(&self) -> bool {
        self.listen.is_some()
    }

    /// Listens at the wanted address.
    pub fn bind(&self, runs: &Path) -> Result<Server> {
        Server::bind(self.options(runs)).map_err(told)
    }

    /// Listens at the wanted address; where none is wanted and the usual one is taken, at a free port.
    pub fn bind_anywhere(&self, runs: &Path) -> Result<Server> {
        match Server::bind(self.options(runs)) {
            Err(ServerError::Taken(_)) if self.listen.is_none() => {
                let free = SocketAddr::new(DEFAULT_ADDRESS.ip(), 0);
                Server::bind(ServerOptions { listen: free, ..self.options(runs) }).map_err(told)
            }
            bound => bound.map_err(told),
        }
    }
}

/// Whose fault it is: the input's, or that of the world.
fn told(error: ServerError) -> anyhow::Error {
    match error {
        ServerError::TokenNeeded(_) | ServerError::BadToken | ServerError::Certificate { .. } => error.into(),
        _ => Failed(error.into()).into(),
    }
}

/// The page, until it is dropped.
#[derive(Debug)]
pub struct Page {
    handle: Handle,
}

impl Page {
    /// Opens the page at a place such as `/stage/s1`, or `/` for the overview; prints where it is.
    pub fn open(server: Server, path_on_page: &str, arguments: &PageArguments) -> Result<Self> {
        log_to_stderr();
        let (url, elsewhere) = (server.url_of(path_on_page), elsewhere(&server));
        let handle = server.run_in_background().map_err(told)?;
        let missing =
            "This program was built without the page: install Node.js 20 or newer, with npm, and build again.\n";
        let missing = if burgess_server::IS_BUILT { "" } else { missing };
        let open =
            "Everybody who can reach this address may do everything here: --token lets in only those who know it.\n";
        let open = if arguments.insecure_no_token && !handle.address().ip().is_loopback() { open } else { "" };
        print(&format!("Burgess is at {url}\n{elsewhere}{open}{missing}"))?;
        if !arguments.no_browser && has_browser() {
            // Who has none opens the address elsewhere.
            let _ = open::that_detached(&url);
        }
        Ok(Self { handle })
    }

    /// Goes on until Ctrl-C.
    pub fn stay(self) -> Result<()> {
        print("Ctrl-C ends it.\n")?;
        interruption::wait();
        self.handle.stop();
        Ok(())
    }
}

/// For a server that other machines can reach.
fn elsewhere(server: &Server) -> String {
    let address = server.address();
    if !address.ip().is_unspecified() {
        return String::new();
    }
    let url = server.url();
    let rest = url.split_once(&format!(":{}/", address.port())).map_or("", |(_, rest)| rest);
    let scheme = url.split("://").next().unwrap_or("http");
    format!("From other machines: {scheme}://NAME-OF-THIS-MACHINE:{}/{rest}\n", address.port())
}

/// A person at a terminal with a display.
fn has_browser() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_display = !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    std::io::stdout().is_terminal() && has_display
}

/// What was refused is told on stderr.
fn log_to_stderr() {
    let subscriber = tracing_subscriber::fmt().with_writer(|| Notices).with_max_level(tracing::Level::WARN);
    // One that is there already stays.
    let _ = subscriber.with_target(false).with_ansi(std::io::stderr().is_terminal()).try_init();
}

/// The place of a session on the page.
pub fn stage(id: &str) -> String {
    format!("/stage/{id}")
}

/// The place of a run on the page.
pub fn run_page(name: &str) -> String {
    let escaped = name.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    });
    format!("/run/{}", escaped.collect::<String>())
}

/// The folder that a file is in.
pub fn folder_of(file: &Path) -> Result<PathBuf> {
    let whole = std::path::absolute(file).with_context(|| format!("{}: cannot be found", file.display()))?;
    Ok(whole.parent().unwrap_or(&whole).to_path_buf())
}
