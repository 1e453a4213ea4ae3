//! Access control.
//!
//! On loopback without a token, the `Host` of a request must be this machine: otherwise a page of another site could
//! resolve its own name to 127.0.0.1 (DNS rebinding) and send requests as if it were our page. With a token, a request
//! must contain it: in `Authorization: Bearer`, in the cookie `burgess`, or in `?token=`, which in the address of the
//! page also sets the cookie. Sockets and requests that change something must not come from a page of another host.
//! Paths that could name another folder are refused before they are used.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN, SET_COOKIE};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::error::ApiError;
use crate::limits::Limits;
use crate::options::{ServerOptions, Tls};
use crate::refusals::Refusals;

/// Time until a wrong token is answered.
const GUESS_DELAY: Duration = Duration::from_millis(500);
/// Number of wrong tokens that are answered at once; further ones wait.
const GUESSES_AT_ONCE: usize = 4;
/// The reason why a wrong token is refused.
const WRONG_TOKEN: &str = "the token is wrong";

/// Name of the cookie that contains the token.
const COOKIE_NAME: &str = "burgess";

/// Decides which requests are accepted.
#[derive(Debug)]
pub(crate) struct Guard {
    token: Option<String>,
    /// Whether only programs of this machine can reach the server.
    loopback: bool,
    encrypted: bool,
    path_bytes: usize,
    guesses: Semaphore,
    /// The path of the run directory, with a separator at its end.
    folder: String,
    pub(crate) refusals: Refusals,
}

impl Guard {
    pub(crate) fn new(options: &ServerOptions) -> Self {
        let Limits { path_bytes, .. } = options.limits;
        Self {
            token: options.token.clone(),
            loopback: options.listen.ip().is_loopback(),
            encrypted: options.tls != Tls::None,
            path_bytes,
            guesses: Semaphore::new(GUESSES_AT_ONCE),
            folder: with_separator(&options.runs),
            refusals: Refusals::new(),
        }
    }

    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
        check_path(uri.path(), self.path_bytes)?;
        match &self.token {
            Some(token) => check_token(token, uri, headers)?,
            None if self.loopback => check_host(headers)?,
            None => {}
        }
        // Another site may link to the page, but must not use the API.
        let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        if changes || is_api(uri.path()) { check_origin(headers, self.encrypted) } else { Ok(()) }
    }

    /// Waits before a wrong token is answered, so that tokens cannot be guessed quickly. The right token never waits.
    async fn delay_guesses(&self) {
        let _turn = self.guesses.acquire().await;
        sleep(GUESS_DELAY).await;
    }

    /// The error without the path of the run directory, which only its owner needs; none if it does not contain it.
    fn without_folder(&self, error: &ApiError) -> Option<ApiError> {
        let is_found = error.error.contains(&self.folder);
        is_found.then(|| ApiError::new(error.status, self.hide_folder(&error.error)))
    }

    /// Returns a text without the path of the run directory.
    pub fn hide_folder(&self, text: &str) -> String {
        text.replace(&self.folder, "")
    }

    /// The cookie to set if the address of the page contains the right token.
    fn cookie(&self, uri: &Uri) -> Option<HeaderValue> {
        let token = self.token.as_ref()?;
        let is_page = !is_api(uri.path());
        if !is_page || !token_in_query(uri).any(|given| equal(given, token)) {
            return None;
        }
        let secure = if self.encrypted { "; Secure" } else { "" };
        HeaderValue::from_str(&format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict{secure}")).ok()
    }
}

/// The real path of a folder, with a separator at its end.
fn with_separator(folder: &Path) -> String {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    real.join("").display().to_string()
}

/// Passes a request on, or responds with the reason why it is refused.
pub(crate) async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0);
    // Without the query, which may contain the token.
    let requested = format!("{} {}", request.method(), request.uri().path());
    if let Err(refused) = guard.check(request.method(), request.uri(), request.headers()) {
        guard.refusals.log(peer, &requested, &refused.error);
        if refused.error == WRONG_TOKEN {
            guard.delay_guesses().await;
        }
        return refusal(refused, request.uri().path());
    }
    let cookie = guard.cookie(request.uri());
    let mut response = next.run(request).await;
    if let Some(plain) = response.extensions().get::<ApiError>().and_then(|error| guard.without_folder(error)) {
        response = plain.into_response();
    }
    let status = response.status();
    if status.is_client_error() && status != StatusCode::NOT_FOUND {
        guard.refusals.log(peer, &requested, status.canonical_reason().unwrap_or_default());
    }
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

/// Returns whether a path belongs to the API, not to the page.
pub(crate) fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// The response to a refused request: HTML for the page, JSON for the API.
fn refusal(refused: ApiError, path: &str) -> Response {
    if is_api(path) || refused.status != StatusCode::UNAUTHORIZED {
        return refused.into_response();
    }
    let page = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Burgess</title><p>{}</p><p>Open the address that \
         <code>burgess</code> printed when it started: it ends with <code>?token=</code> and the token.</p>",
        refused.error
    );
    (refused.status, Html(page)).into_response()
}

/// Refuses a path that could name another folder.
fn check_path(path: &str, max_bytes: usize) -> Result<(), ApiError> {
    if path.len() > max_bytes {
        let error = format!("the path has {} bytes, expected at most {max_bytes}", path.len());
        return Err(ApiError::new(StatusCode::URI_TOO_LONG, error));
    }
    let bad = |what: &str| Err(ApiError::bad(format!("the path contains {what}")));
    if !path.starts_with('/') {
        return bad("no '/' at its start");
    }
    for segment in path.split('/') {
        match decoded(segment) {
            None => return bad("an invalid escape"),
            Some(name) if name == ".." || name == "." => return bad("'.' or '..' as a name"),
            Some(name) if name.contains(['/', '\\']) => return bad("a separator inside a name"),
            Some(name) if name.chars().any(char::is_control) => return bad("a control character"),
            Some(_) => {}
        }
    }
    Ok(())
}

/// Decodes the `%` escapes of a name; none if they are invalid or the result is not UTF-8.
fn decoded(segment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        let hex = |digit: Option<u8>| char::from(digit?).to_digit(16);
        bytes.push(match byte {
            b'%' => u8::try_from(16 * hex(rest.next())? + hex(rest.next())?).ok()?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn check_token(token: &str, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
    let given: Vec<&str> = bearer(headers).chain(cookies(headers)).chain(token_in_query(uri)).collect();
    if given.iter().any(|given| equal(given, token)) {
        return Ok(());
    }
    let error = if given.is_empty() { "a token is needed" } else { WRONG_TOKEN };
    Err(ApiError::new(StatusCode::UNAUTHORIZED, error))
}

/// Compares in constant time.
fn equal(given: &str, token: &str) -> bool {
    given.as_bytes().ct_eq(token.as_bytes()).into()
}

fn texts(headers: &HeaderMap, name: axum::http::HeaderName) -> impl Iterator<Item = &str> {
    headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok())
}

fn bearer(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    texts(headers, AUTHORIZATION)
        .filter_map(|text| text.split_once(' '))
        .filter_map(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer").then_some(token.trim()))
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    texts(headers, COOKIE)
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter_map(|(name, token)| (name == COOKIE_NAME).then_some(token))
}

fn token_in_query(uri: &Uri) -> impl Iterator<Item = &str> {
    uri.query()
        .into_iter()
        .flat_map(|query| query.split('&'))
        .filter_map(|pair| pair.split_once('='))
        .filter_map(|(name, token)| (name == "token").then_some(token))
}

/// The host and port of a request.
fn requested_host(headers: &HeaderMap) -> Option<Authority> {
    let mut hosts = texts(headers, HOST);
    let host = hosts.next()?.parse().ok()?;
    hosts.next().is_none().then_some(host)
}

/// Returns whether a host name or address is this machine.
fn is_this_machine(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    bare.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn check_host(headers: &HeaderMap) -> Result<(), ApiError> {
    if requested_host(headers).is_some_and(|host| is_this_machine(host.host())) {
        return Ok(());
    }
    let error = "the Host must be 127.0.0.1, [::1] or localhost, unless a token is used";
    Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, error))
}

/// Refuses requests of pages of other hosts or of another scheme. Programs other than browsers send no origin.
fn check_origin(headers: &HeaderMap, encrypted: bool) -> Result<(), ApiError> {
    let foreign = || {
        ApiError::new(
            StatusCode::FORBIDDEN,
            "the Origin is another host: only the page of this server may send this request",
        )
    };
    // Browsers send this header also where they send no Origin, for example for an image in a page.
    if headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site") {
        return Err(foreign());
    }
    let mut origins = headers.get_all(ORIGIN).into_iter().peekable();
    if origins.peek().is_none() {
        return Ok(());
    }
    let (scheme, host) = (scheme(headers, encrypted), requested_host(headers));
    let default = if scheme == "https" { 443 } else { 80 };
    let is_own = |origin: &HeaderValue| {
        let origin: Option<Uri> = origin.to_str().ok().and_then(|text| text.parse().ok());
        let same = |origin: &Uri, host: &Authority| {
            let own = origin.authority().map(|own| (own.host(), own.port_u16().unwrap_or(default)));
            origin.scheme_str() == Some(scheme)
                && own.is_some_and(|(name, port)| {
                    name.eq_ignore_ascii_case(host.host()) && port == host.port_u16().unwrap_or(default)
                })
        };
        origin.zip(host.as_ref()).is_some_and(|(origin, host)| same(&origin, host))
    };
    if origins.all(is_own) { Ok(()) } else { Err(foreign()) }
}

/// The scheme with which a browser reached this server, also through a proxy that encrypts. A page of another site cannot
/// set the header of the proxy.
fn scheme(headers: &HeaderMap, encrypted: bool) -> &'static str {
    let is_forwarded = headers.get("x-forwarded-proto").is_some_and(|scheme| scheme == "https");
    if encrypted || is_forwarded { "https" } else { "http" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |&(name, value): &(&'static str, &str)| {
            (axum::http::HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"))
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn paths_that_could_name_another_folder_are_refused() {
        let bad = [
            "/..",
            "/api/runs/..%2f..%2fetc%2fpasswd",
            "/api/runs/%2e%2e",
            "/api/runs/%2E%2E/secret",
            "/api/runs/%2fetc%2fpasswd",
            "/api/runs/..%5c..%5csecret",
            "/api/runs/a%00b",
            "/api/runs/a%0ab",
            "/api/runs/%ff",
            "/api/runs/%",
            "/api/runs/%+1",
            "/api/runs/%2",
            "*",
        ];
        for path in bad {
            assert!(check_path(path, 1024).is_err(), "{path}");
        }
        for path in ["/", "/api", "/api/runs/walk-1", "/api/runs/m%C3%A4rz%202", "/assets/a..b.js", "/api/runs/..."] {
            assert!(check_path(path, 1024).is_ok(), "{path}");
        }
        assert!(check_path(&format!("/{}", "a".repeat(2000)), 1024).is_err());
    }

    #[test]
    fn on_loopback_the_host_must_be_this_machine() {
        for host in ["127.0.0.1:7380", "localhost", "LOCALHOST:80", "[::1]:7380", "127.3.4.5"] {
            assert!(check_host(&headers(&[("host", host)])).is_ok(), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:7380", "10.0.0.1", "", "a b"] {
            assert!(check_host(&headers(&[("host", host)])).is_err(), "{host}");
        }
        assert!(check_host(&headers(&[])).is_err());
        assert!(check_host(&headers(&[("host", "localhost"), ("host", "evil.example")])).is_err());
    }

    #[test]
    fn an_origin_must_be_the_host_with_its_scheme() {
        let host = ("host", "127.0.0.1:7380");
        let check = |pairs: &[(&'static str, &str)], encrypted: bool| check_origin(&headers(pairs), encrypted);
        assert!(check(&[host], false).is_ok());
        assert!(check(&[host, ("origin", "http://127.0.0.1:7380")], false).is_ok());
        let (name, plain, secure) = (("host", "box.lan"), ("origin", "http://box.lan"), ("origin", "https://box.lan"));
        assert!(check(&[name, secure], true).is_ok());
        assert!(check(&[name, secure], false).is_err());
        assert!(check(&[name, plain], true).is_err());
        assert!(check(&[name, secure, ("x-forwarded-proto", "https")], false).is_ok());
        for origin in ["http://evil.example", "null", "http://127.0.0.1:8000", "http://localhost:7380", "", "file://"] {
            assert!(check(&[host, ("origin", origin)], false).is_err(), "{origin}");
        }
        assert!(check(&[host, ("origin", "https://127.0.0.1:7380")], false).is_err());
    }

    #[test]
    fn a_token_is_accepted_in_three_places() {
        let uri = |text: &str| text.parse::<Uri>().expect("an address");
        let (plain, with_token) = (uri("/api"), uri("/?a=b&token=correct-horse"));
        assert!(check_token("correct-horse", &with_token, &headers(&[])).is_ok());
        assert!(check_token("correct-horse", &plain, &headers(&[("authorization", "Bearer correct-horse")])).is_ok());
        assert!(check_token("correct-horse", &plain, &headers(&[("cookie", "a=b; burgess=correct-horse")])).is_ok());
        for wrong in ["", "correct-hors", "correct-horse1", "Correct-horse"] {
            let wrong = format!("Bearer {wrong}");
            assert!(check_token("correct-horse", &plain, &headers(&[("authorization", &wrong)])).is_err());
        }
        assert!(check_token("correct-horse", &plain, &headers(&[("cookie", "xburgess=correct-horse")])).is_err());
    }
}
