//! Extractors of handlers, whose rejections are JSON errors.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query};

use crate::error::ApiError;

/// The body, parsed as JSON.
#[derive(Debug, FromRequest)]
#[from_request(via(Json), rejection(ApiError))]
pub struct JsonBody<T>(pub T);

/// The query parameters.
#[derive(Debug, FromRequestParts)]
#[from_request(via(Query), rejection(ApiError))]
pub struct Parameters<T>(pub T);

/// The parameters in the path.
#[derive(Debug, FromRequestParts)]
#[from_request(via(Path), rejection(ApiError))]
pub struct PathName<T>(pub T);

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl From<PathRejection> for ApiError {
    fn from(rejection: PathRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}
