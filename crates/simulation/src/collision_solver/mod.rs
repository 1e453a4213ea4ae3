//! Impulses at collisions (004 section 2.1.4).
