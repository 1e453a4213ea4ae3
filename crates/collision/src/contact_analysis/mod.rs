//! Contact analysis: contact groups and support points (004 section 2.2.4).
