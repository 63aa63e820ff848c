//! The count API of Stacosys in Rust, straight from its database: `count-server DATABASE PORT THREADS`.
//! With `cached` at the end it asks for a count once in five minutes, as the Go proxy does.
use std::{cell::RefCell, env, net::Ipv4Addr, time::Duration};

use axum::{
    extract::{Query, State},
    http::StatusCode,
    routing::get,
    serve::ListenerExt,
    Json, Router,
};
use moka::sync::Cache;
use rusqlite::{Connection, OpenFlags};
use serde::{Deserialize, Serialize};

const QUERY: &str = "SELECT count(*) FROM comment WHERE url = ? AND published IS NOT NULL";

#[derive(Deserialize)]
struct Asked {
    url: String,
}

#[derive(Serialize)]
struct Answer {
    count: i64,
}

#[derive(Clone)]
struct Counts {
    database: &'static str,
    cache: Option<Cache<String, i64>>,
}

thread_local! {
    static CONNECTION: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

impl Counts {
    fn of(&self, url: &str) -> rusqlite::Result<i64> {
        let Some(cache) = &self.cache else {
            return query(self.database, url);
        };
        if let Some(known) = cache.get(url) {
            return Ok(known);
        }
        let count = query(self.database, url)?;
        cache.insert(url.to_owned(), count);
        Ok(count)
    }
}

/// One connection a thread, which keeps the prepared statement. It takes some 10 µs: less than to hand
/// it to another thread.
fn query(database: &str, url: &str) -> rusqlite::Result<i64> {
    CONNECTION.with_borrow_mut(|connection| {
        if connection.is_none() {
            *connection = Some(Connection::open_with_flags(
                database,
                OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )?);
        }
        let connection = connection.as_ref().expect("opened above");
        connection.prepare_cached(QUERY)?.query_row([url], |row| row.get(0))
    })
}

async fn answer(
    State(counts): State<Counts>,
    Query(asked): Query<Asked>,
) -> Result<Json<Answer>, (StatusCode, String)> {
    match counts.of(&asked.url) {
        Ok(count) => Ok(Json(Answer { count })),
        Err(error) => Err((StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
    }
}

async fn serve(counts: Counts, port: u16) -> std::io::Result<()> {
    let app = Router::new()
        .route("/api/comments/count", get(answer))
        .with_state(counts);
    // Answers are small, and each is to leave at once, as Go and nginx have it
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await?
        .tap_io(|connection| connection.set_nodelay(true).expect("a TCP connection"));
    axum::serve(listener, app).await
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = env::args().collect();
    let [_, database, port, threads, rest @ ..] = args.as_slice() else {
        return Err("usage: count-server DATABASE PORT THREADS [cached]".into());
    };
    let cache = rest.iter().any(|arg| arg == "cached").then(|| {
        Cache::builder()
            .max_capacity(10_000)
            .time_to_live(Duration::from_secs(300))
            .build()
    });
    let counts = Counts { database: database.clone().leak(), cache };
    let threads: usize = threads.parse()?;
    let mut runtime = match threads {
        1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    if threads > 1 {
        runtime.worker_threads(threads);
    }
    Ok(runtime.enable_io().build()?.block_on(serve(counts, port.parse()?))?)
}
