//! The page, which `build.rs` puts into `$OUT_DIR/page` and which is embedded in the program.
//!
//! A path that is not a file of the page returns its start page, which interprets the path itself. The content security
//! policy forbids the browser all requests to other hosts.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use rust_embed::{Embed, EmbeddedFile};

use crate::error::ApiError;
use crate::etag::is_known;
use crate::guard::is_api;

#[derive(Embed)]
#[folder = "$OUT_DIR/page"]
struct Files;

/// Whether the page is part of this build. If not, a placeholder says what to install.
pub const IS_BUILT: bool = cfg!(page_is_built);

/// Content security policy: only content of this server or created by the page itself.
pub(crate) const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
     media-src 'self' data: blob:; connect-src 'self' data: blob:; worker-src 'self' blob:; object-src 'none'; \
     base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
);

/// The page that plays a recording, without one; none if the page is not part of this build.
pub(crate) fn share_template() -> Option<String> {
    String::from_utf8(Files::get("share.html")?.data.into_owned()).ok()
}

/// Responds to all requests that are not for a route of the API.
pub(crate) async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if is_api(path) {
        return ApiError::missing(format!("there is no {path}; /api/openapi.yaml lists the routes")).into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "the page supports only GET and HEAD").into_response();
    }
    if let Some(location) = page_of(&uri) {
        return Redirect::temporary(&location).into_response();
    }
    let name = path.trim_start_matches('/');
    let (name, found) = match Files::get(name) {
        Some(file) => (name, Some(file)),
        None => ("index.html", Files::get("index.html")),
    };
    match found {
        Some(file) => answer(name, file, &headers),
        None => ApiError::failed("this program was built without the page").into_response(),
    }
}

/// The address of a page with a short path: the walls, the control page of the cave, and the page for headsets.
fn page_of(uri: &Uri) -> Option<String> {
    let path = uri.path();
    let is_short = path == "/cave" || path == "/xr" || path.strip_prefix("/wall/").is_some_and(|name| !name.is_empty());
    let query = uri.query().map_or_else(String::new, |query| format!("?{query}"));
    is_short.then(|| format!("/{query}#{path}"))
}

fn answer(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash: String = file.metadata.sha256_hash().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let etag = format!("\"{hash}\"");
    // The names of bundled files contain their hash.
    let caching = if name.starts_with("assets/") { "private, max-age=31536000, immutable" } else { "no-cache" };
    let is_known = is_known(headers, &etag);
    let head = [(ETAG, etag), (CACHE_CONTROL, caching.to_string()), (CONTENT_TYPE, content_type(name).to_string())];
    if is_known {
        return (StatusCode::NOT_MODIFIED, head).into_response();
    }
    let body = match file.data {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    };
    (head, body).into_response()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("wasm") => "application/wasm",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
