//! A router whose routes can be listed, so that a test can compare them with the documentation.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, on};

use crate::hub::Hub;

/// A router and the list of its routes. Paths are in the syntax of axum: `/api/sessions/{id}`.
#[derive(Debug, Default)]
pub struct Routes {
    router: Router<Arc<Hub>>,
    list: Vec<(Method, &'static str)>,
}

impl Routes {
    /// Creates an empty router.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a GET route.
    pub fn get<T: 'static, H: Handler<T, Arc<Hub>>>(self, path: &'static str, handler: H) -> Self {
        self.on(Method::GET, MethodFilter::GET, path, handler)
    }

    /// Adds a POST route.
    pub fn post<T: 'static, H: Handler<T, Arc<Hub>>>(self, path: &'static str, handler: H) -> Self {
        self.on(Method::POST, MethodFilter::POST, path, handler)
    }

    /// Adds a DELETE route.
    pub fn delete<T: 'static, H: Handler<T, Arc<Hub>>>(self, path: &'static str, handler: H) -> Self {
        self.on(Method::DELETE, MethodFilter::DELETE, path, handler)
    }

    /// Adds all routes of another router.
    pub fn merge(mut self, others: Self) -> Self {
        self.list.extend(others.list);
        Self { router: self.router.merge(others.router), list: self.list }
    }

    /// Method and path of each route.
    pub fn list(&self) -> &[(Method, &'static str)] {
        &self.list
    }

    pub(crate) fn into_router(self) -> Router<Arc<Hub>> {
        self.router
    }

    fn on<T: 'static, H>(mut self, method: Method, filter: MethodFilter, path: &'static str, handler: H) -> Self
    where
        H: Handler<T, Arc<Hub>>,
    {
        self.list.push((method, path));
        Self { router: self.router.route(path, on(filter, handler)), list: self.list }
    }
}
