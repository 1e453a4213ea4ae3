//! Broad phase: which pairs of boxes overlap (000 section 2.3, 004 section 2.2.1).
