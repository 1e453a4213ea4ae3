//! The server: it binds an address, responds on its own threads, and stops when its handle is stopped or dropped.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto;
use rustls::ServerConfig;
use tokio::runtime;
use tokio::time::MissedTickBehavior;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::api;
use crate::connection_limit::ConnectionLimit;
use crate::error::{ApiError, ServerError};
use crate::guard::guard;
use crate::hub::Hub;
use crate::limits::Limits;
use crate::options::ServerOptions;
use crate::page;
use crate::tls;
use crate::walls;

/// Name of the threads that respond to requests, as shown by the operating system.
pub const THREAD_NAME: &str = "burgess-http";

/// Number of threads that respond to requests. This is little work; other cores are left to simulations.
const THREADS: usize = 2;
/// Number of blocking threads for short file operations, besides those for expensive operations.
const SPARE_BLOCKING_THREADS: usize = 2;
/// Time between two checks for sessions that nobody watches.
const IDLE_CHECK_PERIOD: Duration = Duration::from_secs(5);
/// Time that open requests have when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// A server that listens but does not respond yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Option<String>,
    tls: Option<Arc<ServerConfig>>,
    /// Receives the datagrams of trackers.
    tracker: Option<UdpSocket>,
    hub: Arc<Hub>,
}

impl Server {
    /// Binds the address. Connections wait until [`run_in_background`](Self::run_in_background).
    pub fn bind(options: ServerOptions) -> Result<Self, ServerError> {
        options.check()?;
        let tls = tls::config(&options.tls, options.listen.ip())?;
        let listen = |source: io::Error| match source.kind() {
            io::ErrorKind::AddrInUse => ServerError::Taken(options.listen),
            _ => ServerError::Listen { address: options.listen, source },
        };
        let listener = TcpListener::bind(options.listen).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        // Accepted connections inherit the size.
        let buffer = socket2::SockRef::from(&listener).set_send_buffer_size(options.limits.send_buffer_bytes);
        buffer.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let tracker = options.tracker.map(bind_tracker).transpose()?;
        let hub = Arc::new(Hub::new(&options));
        let server = Self { listener, address, token: options.token, tls, tracker, hub };
        if let Some(ip) = outward_address(address.ip()) {
            server.hub.walls.set_address(server.url_at(ip, "/"));
        }
        Ok(server)
    }

    /// Address at which datagrams of trackers are received.
    pub fn tracker_address(&self) -> Option<SocketAddr> {
        self.tracker.as_ref().and_then(|socket| socket.local_addr().ok())
    }

    /// The address, with the actual port if 0 was requested.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// URL of the page on this machine, with the token if there is one.
    pub fn url(&self) -> String {
        self.url_of("/")
    }

    /// URL of a part of the page, such as `/stage/s1`, on this machine.
    pub fn url_of(&self, path_on_page: &str) -> String {
        self.url_at(reachable(self.address.ip()), path_on_page)
    }

    fn url_at(&self, ip: IpAddr, path_on_page: &str) -> String {
        let address = SocketAddr::new(ip, self.address.port());
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let token = self.token.as_ref().map_or_else(String::new, |token| format!("?token={token}"));
        let fragment = if path_on_page == "/" { String::new() } else { format!("#{path_on_page}") };
        format!("{scheme}://{address}/{token}{fragment}")
    }

    /// The shared state, for a program that opens sessions itself.
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// Responds to requests on its own threads until the handle is stopped or dropped.
    pub fn run_in_background(self) -> Result<Handle, ServerError> {
        let (url, address, hub) = (self.url(), self.address, Arc::clone(&self.hub));
        let stop = axum_server::Handle::new();
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .max_blocking_threads(self.hub.limits.heavy + SPARE_BLOCKING_THREADS)
            .thread_name(THREAD_NAME)
            .enable_all()
            .build()
            .map_err(ServerError::Start)?;
        let handle = stop.clone();
        let run = move || {
            if let Err(error) = runtime.block_on(self.serve(handle)) {
                tracing::error!("the server stopped: {error}");
            }
            runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        };
        let thread =
            std::thread::Builder::new().name(THREAD_NAME.to_string()).spawn(run).map_err(ServerError::Start)?;
        Ok(Handle { url, address, hub, stop, thread: Some(thread) })
    }

    async fn serve(self, handle: axum_server::Handle<SocketAddr>) -> io::Result<()> {
        let limits = self.hub.limits.clone();
        let guard = Arc::clone(&self.hub.guard);
        tokio::spawn(end_idle_sessions(Arc::clone(&self.hub)));
        tokio::spawn(walls::drive(Arc::clone(&self.hub)));
        if let Some(tracker) = self.tracker {
            let socket = tokio::net::UdpSocket::from_std(tracker)?;
            tokio::spawn(walls::receive_tracking(Arc::clone(&self.hub), socket, self.token.clone()));
        }
        let service = router(self.hub).into_make_service_with_connect_info::<SocketAddr>();
        let limit = ConnectionLimit::new(&limits, guard);
        let mut server = axum_server::from_tcp(self.listener)?.handle(handle);
        *server.http_builder() = http_builder(&limits);
        match self.tls {
            None => server.acceptor(limit).serve(service).await,
            Some(config) => {
                let tls = RustlsAcceptor::new(RustlsConfig::from_config(config)).handshake_timeout(limits.head);
                server.acceptor(tls.acceptor(limit)).serve(service).await
            }
        }
    }
}

/// Ends sessions that nobody watches, until the server stops.
async fn end_idle_sessions(hub: Arc<Hub>) {
    let mut closing = hub.closing();
    let mut check = tokio::time::interval(IDLE_CHECK_PERIOD);
    check.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            _ = check.tick() => hub.sessions.end_idle(Instant::now()),
        };
    }
}

/// A running server. It stops when this is dropped.
#[derive(Debug)]
pub struct Handle {
    url: String,
    address: SocketAddr,
    hub: Arc<Hub>,
    stop: axum_server::Handle<SocketAddr>,
    thread: Option<JoinHandle<()>>,
}

impl Handle {
    /// The address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// URL of the page on this machine, with the token if there is one.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The shared state.
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// Number of open connections, without sockets.
    pub fn connections(&self) -> usize {
        self.stop.connection_count()
    }

    /// Stops the server and all sessions. Sockets are closed, and open requests have a short time to finish.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.hub.close();
        self.hub.sessions.close_all();
        self.stop.graceful_shutdown(Some(SHUTDOWN_TIMEOUT));
        if let Some(thread) = self.thread.take() {
            // The thread has logged its error.
            let _ = thread.join();
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.end();
    }
}

/// The address at which a browser of this machine reaches a server that listens on all addresses.
fn reachable(listen: IpAddr) -> IpAddr {
    match listen {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        other => other,
    }
}

/// The address at which other machines reach the server; none if it listens on loopback only.
fn outward_address(listen: IpAddr) -> Option<IpAddr> {
    if !listen.is_unspecified() {
        return (!listen.is_loopback()).then_some(listen);
    }
    // Connecting a UDP socket sends nothing. It selects the address of the route to other machines; the destination is
    // reserved for documentation.
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

fn bind_tracker(address: SocketAddr) -> Result<UdpSocket, ServerError> {
    let listen = |source: io::Error| match source.kind() {
        io::ErrorKind::AddrInUse => ServerError::Taken(address),
        _ => ServerError::Listen { address, source },
    };
    let socket = UdpSocket::bind(address).map_err(listen)?;
    socket.set_nonblocking(true).map_err(listen)?;
    Ok(socket)
}

/// HTTP/1.1 only: WebSockets need it, and it is simpler.
fn http_builder(limits: &Limits) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(limits.head_bytes)
        .max_headers(limits.headers);
    builder
}

/// All layers and routes, from the outside in: headers, panics, access, timeout, body size, routes, the page.
fn router(hub: Arc<Hub>) -> Router {
    let limits = hub.limits.clone();
    let set = |name: HeaderName, value: HeaderValue| SetResponseHeaderLayer::overriding(name, value);
    let fixed = HeaderValue::from_static;
    let layers = ServiceBuilder::new()
        .layer(set(CONTENT_SECURITY_POLICY, page::POLICY))
        .layer(set(X_CONTENT_TYPE_OPTIONS, fixed("nosniff")))
        .layer(set(X_FRAME_OPTIONS, fixed("DENY")))
        .layer(set(REFERRER_POLICY, fixed("no-referrer")))
        .layer(set(HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin")))
        .layer(set(HeaderName::from_static("cross-origin-opener-policy"), fixed("same-origin")))
        .layer(CatchPanicLayer::custom(|_| ApiError::failed("internal error; the server continues").into_response()))
        .layer(from_fn_with_state(Arc::clone(&hub.guard), guard))
        .layer(from_fn_with_state(limits.request, with_timeout))
        .layer(DefaultBodyLimit::max(limits.body_bytes));
    api::routes()
        .into_router()
        .method_not_allowed_fallback(not_allowed)
        .fallback(page::page)
        .layer(layers)
        .with_state(hub)
}

async fn with_timeout(State(limit): State<Duration>, request: Request, next: Next) -> Response {
    let late = |_| ApiError::busy(format!("the request took longer than {} s", limit.as_secs_f64())).into_response();
    tokio::time::timeout(limit, next.run(request)).await.unwrap_or_else(late)
}

async fn not_allowed(method: Method, uri: Uri) -> Response {
    let error = format!("{} does not support {method}; /api/openapi.yaml lists the methods", uri.path());
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, error).into_response()
}
