//! XML, as far as models of other programs need it.

mod writer;

pub(crate) use writer::XmlWriter;
