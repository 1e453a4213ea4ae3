//! Access control, and requests that are refused.

use crate::client;
use std::io::{Read, Write};
use std::time::Duration;

use crate::client::{ask, assert_alive, get, options, post, start, start_with};
use burgess_server::{Limits, Server, ServerError, ServerOptions, Tls};
use serde_json::json;

const TOKEN: &str = "correct-horse-battery";

#[test]
fn the_server_describes_itself() {
    let server = start(ServerOptions { command: "bin/burgess".to_string(), ..options() });
    let answer = get(server.address(), "/api");
    assert_eq!(answer.status, 200);
    let about = answer.json();
    assert_eq!((&about["program"], &about["command"]), (&"burgess".into(), &"bin/burgess".into()));
    assert_eq!(about["page"], burgess_server::IS_BUILT);
    assert!(about["folder"].as_str().is_some_and(|folder| folder.contains("runs-")));
    server.stop();
}

#[test]
fn the_page_has_its_security_headers_and_is_cached() {
    let server = start(options());
    for path in ["/", "/index.html", "/some/where/else", "/apiary"] {
        let page = get(server.address(), path);
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'self'") && !policy.contains("http"), "{policy}");
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(page.header("access-control-allow-origin"), None);
        let etag = page.header("etag").expect("an etag").to_string();
        let again = ask(server.address(), "GET", path, &[("If-None-Match", &etag)], b"");
        assert_eq!((again.status, again.body.len()), (304, 0));
    }
    assert_eq!(ask(server.address(), "POST", "/", &[], b"").status, 405);
    let missing = get(server.address(), "/api/nothing");
    assert_eq!(missing.status, 404);
    assert!(missing.error().contains("/api/nothing"));
    assert_eq!(ask(server.address(), "DELETE", "/api/scenes", &[], b"").status, 405);
}

#[test]
fn a_foreign_host_is_refused_on_loopback() {
    let server = start(options());
    for host in ["evil.example", "evil.example:7380", "127.0.0.1.evil.example", "192.168.0.1"] {
        for path in ["/", "/api", "/api/scenes"] {
            assert_eq!(ask(server.address(), "GET", path, &[("Host", host)], b"").status, 421, "{host}{path}");
        }
    }
    for host in ["localhost:8000", "127.0.0.1", "[::1]:7380"] {
        assert_eq!(ask(server.address(), "GET", "/api", &[("Host", host)], b"").status, 200, "{host}");
    }
}

#[test]
fn requests_of_a_foreign_origin_are_refused() {
    let server = start(options());
    let own = format!("http://{}", server.address());
    let body = br#"{"source": {"type": "scene", "name": "no such scene"}}"#;
    let with = |origin: &str, method: &str, path: &str| {
        let headers = [("Origin", origin), ("Content-Type", "application/json")];
        ask(server.address(), method, path, &headers, body).status
    };
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost"] {
        assert_eq!(with(origin, "POST", "/api/sessions"), 403, "{origin}");
        assert_eq!(with(origin, "DELETE", "/api/sessions/s1"), 403, "{origin}");
    }
    assert_ne!(with(&own, "POST", "/api/sessions"), 403);
    // A foreign page cannot use the API, but it can link to the page.
    assert_eq!(with("http://evil.example", "GET", "/api/scenes"), 403);
    let crossing = [("Sec-Fetch-Site", "cross-site")];
    assert_eq!(ask(server.address(), "GET", "/api/scenes", &crossing, b"").status, 403);
    assert_eq!(ask(server.address(), "GET", "/", &crossing, b"").status, 200);
    let socket = |origin: &str| {
        let headers = [
            ("Origin", origin),
            ("Upgrade", "websocket"),
            ("Connection", "upgrade"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        ask(server.address(), "GET", "/api/sessions/s1/socket", &headers, b"").status
    };
    assert_eq!(socket("http://evil.example"), 403);
    assert_eq!(socket(&own), 404, "there is no session");
}

#[test]
fn requests_without_the_token_are_refused() {
    let server = start(ServerOptions { token: Some(TOKEN.to_string()), ..options() });
    let address = server.address();
    let status = |path: &str, headers: &[(&str, &str)]| ask(address, "GET", path, headers, b"").status;
    for path in ["/", "/api", "/api/openapi.yaml", "/api/sessions", "/api/sessions/s1/socket"] {
        assert_eq!(status(path, &[]), 401, "{path}");
        assert_eq!(status(path, &[("Authorization", "Bearer wrong-horse-battery")]), 401, "{path}");
        assert_eq!(status(path, &[("Cookie", "burgess=")]), 401, "{path}");
    }
    assert_eq!(status(&format!("/api?token={TOKEN}x"), &[]), 401);
    assert_eq!(status("/api", &[("Authorization", &format!("Bearer {TOKEN}"))]), 200);
    assert_eq!(status("/api", &[("Cookie", &format!("other=1; burgess={TOKEN}"))]), 200);
    assert_eq!(status(&format!("/api?token={TOKEN}"), &[("Host", "any.example")]), 200);

    let page = get(address, &format!("/?token={TOKEN}"));
    assert_eq!(page.status, 200);
    let cookie = page.header("set-cookie").expect("a cookie");
    assert_eq!(cookie, format!("burgess={TOKEN}; Path=/; HttpOnly; SameSite=Strict"));
    assert_eq!(get(address, &format!("/api?token={TOKEN}")).header("set-cookie"), None);
    assert_eq!(server.url(), format!("http://{address}/?token={TOKEN}"));

    let refused = get(address, "/");
    assert!(String::from_utf8_lossy(&refused.body).contains("?token="), "the page says how to give the token");
    assert_eq!(get(address, "/api").error(), "a token is needed");
}

#[test]
fn an_address_beyond_loopback_needs_a_token() {
    let everywhere = ServerOptions { listen: "0.0.0.0:0".parse().expect("an address"), ..options() };
    let refused = Server::bind(everywhere.clone()).expect_err("it has no token");
    assert!(matches!(refused, ServerError::TokenNeeded(_)));
    assert!(Server::bind(ServerOptions { token: Some(TOKEN.to_string()), ..everywhere.clone() }).is_ok());
    let open = start(ServerOptions { insecure_no_token: true, ..everywhere });
    assert!(open.url().starts_with("http://127.0.0.1:"), "{}", open.url());
}

#[test]
fn a_port_in_use_is_reported() {
    let first = Server::bind(options()).expect("a free port");
    let second = ServerOptions { listen: first.address(), ..options() };
    let taken = Server::bind(second).expect_err("it is taken");
    assert!(matches!(taken, ServerError::Taken(address) if address == first.address()));
    assert!(taken.to_string().contains("--listen 127.0.0.1:0"), "{taken}");
}

#[test]
fn no_path_leads_out_of_the_run_directory() {
    let options = options();
    let folder = options.runs.clone();
    std::fs::create_dir_all(&folder).expect("a folder");
    let secret = folder.with_extension("secret");
    std::fs::write(&secret, "BURGESSR the secret").expect("a file");
    let name = secret.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
    let server = start(options);
    let tricks = [
        format!("/../{name}"),
        format!("/..%2f{name}"),
        format!("/%2e%2e/{name}"),
        format!("/api/runs/..%2f{name}"),
        format!("/api/runs/..%5c{name}"),
        format!("/api/runs/%2e%2e%2f{name}/curve"),
        format!("/api/runs/{}", secret.display().to_string().replace('/', "%2f")),
        format!("/{}", secret.display()),
        format!("/api/runs/{name}%00.burgess"),
        "/api/runs/%c0%ae%c0%ae".to_string(),
        format!("/api/runs/{}", "a".repeat(5000)),
        format!("/{}", "../".repeat(300)),
        "/etc/passwd".to_string(),
        "//etc/passwd".to_string(),
    ];
    for trick in tricks {
        let answer = get(server.address(), &trick);
        assert!(matches!(answer.status, 200 | 400 | 404 | 414), "{trick}: {}", answer.status);
        let said = String::from_utf8_lossy(&answer.body);
        assert!(!said.contains("the secret") && !said.contains("root:"), "{trick}: {said}");
    }
    let names = [
        format!("../{name}"),
        format!("..\\{name}"),
        secret.display().to_string(),
        format!("./../{name}"),
        format!("{name}\0"),
        "..".to_string(),
        ".".to_string(),
        String::new(),
        "/".to_string(),
        "a".repeat(5000),
    ];
    for name in names {
        for source in [json!({"type": "recording", "name": name}), json!({"type": "individual", "run": name})] {
            let answer = post(server.address(), "/api/sessions", &json!({ "source": source }));
            assert!((400..500).contains(&answer.status), "{name:?}: {answer:?}");
            assert!(!answer.error().contains("the secret"));
        }
    }
    assert_alive(server.address());
    std::fs::remove_file(secret).expect("the file still exists");
}

#[test]
fn oversized_requests_are_refused() {
    let server = start_with(Limits { body_bytes: 10_000, ..Limits::default() });
    let address = server.address();
    let body = format!("{{\"source\": \"{}\"}}", "a".repeat(20_000));
    let answer = ask(address, "POST", "/api/sessions", &[("Content-Type", "application/json")], body.as_bytes());
    assert_eq!(answer.status, 413);
    assert!(!answer.error().is_empty());
    let long = "a".repeat(40_000);
    assert_eq!(ask(address, "GET", "/api", &[("X-Long", &long)], b"").status, 431);
    let many: Vec<(String, &str)> = (0..200).map(|number| (format!("X-{number}"), "a")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!(ask(address, "GET", "/api", &many, b"").status, 431);
    assert_alive(address);
}

#[test]
fn connections_beyond_the_limit_are_closed() {
    let server = start_with(Limits { connections: 4, head: client::TIMEOUT, ..Limits::default() });
    let ask = b"GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut burst: Vec<_> = (0..20).map(|_| client::connect(server.address())).collect();
    burst.iter_mut().for_each(|stream| drop(stream.write_all(ask)));
    burst.retain_mut(|stream| stream.read(&mut [0; 16]).is_ok_and(|read| read > 0));
    assert_eq!(burst.len(), 4, "the limit of a burst");
    for _ in 0..100 {
        assert!(client::send(server.address(), ask).is_empty(), "a fifth is closed without an answer");
    }
    drop(burst);
    let answered = (0..2000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !client::send(server.address(), b"GET /api HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").is_empty()
    });
    assert!(answered, "connections are accepted again");
}

#[test]
fn invalid_certificates_are_reported() {
    let missing = Tls::Files { certificate: "no-such.pem".into(), key: "no-such.key".into() };
    let error = Server::bind(ServerOptions { tls: missing, ..options() }).expect_err("no file");
    assert!(error.to_string().contains("no-such.pem"), "{error}");
    let folder = client::own_folder();
    std::fs::create_dir_all(&folder).expect("a folder");
    let garbage = folder.join("garbage.pem");
    std::fs::write(&garbage, "garbage").expect("a file");
    let tls = Tls::Files { certificate: garbage.clone(), key: garbage };
    let error = Server::bind(ServerOptions { tls, ..options() }).expect_err("no certificate");
    assert!(error.to_string().contains("garbage.pem"), "{error}");
}

#[test]
fn wrong_tokens_are_delayed_and_the_right_one_is_not() {
    let server = start(ServerOptions { token: Some(TOKEN.to_string()), ..options() });
    let address = server.address();
    let guesses: Vec<_> = (0..12)
        .map(|index| {
            let guess = format!("/api?token=wrong-guess-{index}");
            std::thread::spawn(move || get(address, &guess).status)
        })
        .collect();
    // The guesses are answered four at a time. No request with the right token waits for them.
    for _ in 0..20 {
        assert_eq!(get(address, &format!("/api?token={TOKEN}")).status, 200);
    }
    assert!(guesses.into_iter().all(|guess| guess.join().unwrap() == 401));
    server.stop();
}

#[test]
fn answers_do_not_contain_the_path_of_the_run_directory() {
    let folder = client::own_folder();
    std::fs::create_dir_all(&folder).unwrap();
    let server = start(ServerOptions { runs: folder.clone(), ..options() });
    std::fs::write(folder.join("broken.burgess"), "this is no run").unwrap();
    let path = folder.canonicalize().unwrap().display().to_string();
    for request in ["/api", "/api/runs", "/api/runs/broken", "/api/runs/missing", "/api/runs/broken/individuals/0"] {
        let answer = get(server.address(), request);
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(!text.contains(&path), "{request}: {text}");
    }
    assert!(get(server.address(), "/api/runs/broken").error().contains("broken.burgess"));
    server.stop();
    std::fs::remove_dir_all(folder).unwrap();
}
