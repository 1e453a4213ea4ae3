//! Encrypted connections.

use crate::client;
use std::io::{Read, Write};
use std::sync::Arc;

use crate::client::{connect, options, own_folder, start};
use burgess_server::{Server, ServerOptions, Tls};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

#[test]
fn a_certificate_from_files_is_used() {
    let folder = own_folder();
    std::fs::create_dir_all(&folder).expect("a folder");
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    let made = rcgen::generate_simple_self_signed(["localhost".to_string()]).expect("a certificate");
    std::fs::write(&certificate, made.cert.pem()).expect("a file");
    std::fs::write(&key, made.signing_key.serialize_pem()).expect("a file");
    let server = start(ServerOptions {
        tls: Tls::Files { certificate: certificate.clone(), key },
        token: Some("correct-horse".to_string()),
        ..options()
    });
    assert!(server.url().starts_with("https://127.0.0.1:"), "{}", server.url());

    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate).expect("a certificate")).expect("it can be trusted");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().expect("versions");
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("a name");
    let connection = ClientConnection::new(Arc::new(config), name).expect("a client");
    let mut stream = StreamOwned::new(connection, connect(server.address()));
    let request = "GET /?token=correct-horse HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("SameSite=Strict; Secure"), "{answer}");
}

#[test]
fn plain_requests_to_a_server_with_a_generated_certificate_fail() {
    let server = Server::bind(ServerOptions { tls: Tls::SelfSigned, ..options() }).expect("a certificate is generated");
    let server = server.run_in_background().expect("threads");
    let answer = client::send(server.address(), b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(!answer.starts_with(b"HTTP/1.1 200"), "there is no unencrypted answer");
}
