//! Responses that a client need not receive again: each has a tag, and a request with the tag of the current content
//! gets 304 without content.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

/// The client asks each time whether the content has changed.
pub(crate) const ASK: &str = "private, no-cache";
/// The client asks again after ten minutes. For content that only another version of the program changes.
pub(crate) const ASK_LATER: &str = "private, max-age=600";

/// The tag of what a value identifies.
pub(crate) fn tag(of: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

/// Returns whether a request has the content with this tag.
pub(crate) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    known.is_some_and(|known| known.split(',').any(|known| known.trim() == tag))
}

/// The response to a request that has the current content.
pub(crate) fn unchanged(tag: String, caching: &'static str) -> Response {
    (StatusCode::NOT_MODIFIED, [(ETAG, tag), (CACHE_CONTROL, caching.to_string())]).into_response()
}

/// A response with a tag.
pub(crate) fn tagged(tag: String, caching: &'static str, content_type: &'static str, body: Bytes) -> Response {
    let head = [(ETAG, tag), (CACHE_CONTROL, caching.to_string()), (CONTENT_TYPE, content_type.to_string())];
    (head, body).into_response()
}

/// A picture, unless the client has it.
pub(crate) fn picture(headers: &HeaderMap, caching: &'static str, svg: Bytes) -> Response {
    let tag = tag(&svg);
    if is_known(headers, &tag) { unchanged(tag, caching) } else { tagged(tag, caching, "image/svg+xml", svg) }
}
