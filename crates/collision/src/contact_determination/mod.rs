//! Contact determination: from closest points to contacts (004 section 2.2.3).
