//! Certificates: generated at the start, or read from files.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::error::ServerError;
use crate::options::Tls;

type Identity = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

/// The TLS configuration; none without encryption.
pub(crate) fn config(tls: &Tls, listen: IpAddr) -> Result<Option<Arc<ServerConfig>>, ServerError> {
    let (certificates, key) = match tls {
        Tls::None => return Ok(None),
        Tls::SelfSigned => self_signed(listen)?,
        Tls::Files { certificate, key } => from_files(certificate, key)?,
    };
    let refused = |error: rustls::Error| ServerError::Tls(error.to_string());
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(refused)?;
    let mut config = builder.with_no_client_auth().with_single_cert(certificates, key).map_err(refused)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Some(Arc::new(config)))
}

fn self_signed(listen: IpAddr) -> Result<Identity, ServerError> {
    let names = ["localhost".to_string(), "127.0.0.1".to_string(), "::1".to_string(), listen.to_string()];
    let made = rcgen::generate_simple_self_signed(names).map_err(|error| ServerError::Tls(error.to_string()))?;
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    Ok((vec![made.cert.der().clone()], key.into()))
}

fn from_files(certificate: &Path, key: &Path) -> Result<Identity, ServerError> {
    let bad = |file: &Path, why: String| ServerError::Certificate { file: file.to_path_buf(), why };
    let found = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = found.map_err(|error| bad(certificate, format!("cannot read certificates: {error}")))?;
    if chain.is_empty() {
        return Err(bad(certificate, "contains no PEM certificate".to_string()));
    }
    let found = PrivateKeyDer::from_pem_file(key);
    Ok((chain, found.map_err(|error| bad(key, format!("cannot read a private key: {error}")))?))
}
