//! The table files in the folder of the command line: listed and removed.

use super::at_once::{Reply, aside};
use super::refusal::Refusal;
use super::server::Server;
use crate::tables::{remove_table, stem};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use fewest::Failure;
use fewest::pdb::file::{TableErrorKind, TableInfo, TableStore};
use serde_json::{Value, json};
use std::sync::Arc;

fn store(server: &Server) -> TableStore {
    TableStore::new(server.settings.tables.clone().unwrap_or_default())
}

fn told(table: &TableInfo) -> Value {
    json!({"table": stem(&table.path), "bytes": table.payload_bytes, "entries": table.entries,
           "encoding": table.encoding, "verified": table.verified})
}

/// Lists the files, and why some of them are refused.
pub(super) async fn list(State(server): State<Arc<Server>>) -> Reply {
    aside(move || {
        let store = store(&server);
        let files = store.list().map_err(Failure::File)?;
        let tables: Vec<Value> = files
            .into_iter()
            .map(|file| match file {
                Ok(table) => told(&table),
                Err(error) => json!({"table": stem(error.path()), "error": error.to_string()}),
            })
            .collect();
        let unfinished: u64 =
            store.leftovers().map_err(Failure::File)?.iter().map(|left| left.bytes).sum();
        Ok(Json(json!({"folder": store.folder, "tables": tables, "unfinished": unfinished})))
    })
    .await
}

/// Removes a file. A search that has mapped the table keeps it until it ends.
pub(super) async fn remove(State(server): State<Arc<Server>>, Path(table): Path<String>) -> Reply {
    aside(move || {
        let store = store(&server);
        let files = store.list().map_err(Failure::File)?;
        let mut names = files.iter().map(|file| match file {
            Ok(table) => stem(&table.path),
            Err(error) => stem(error.path()),
        });
        if !names.any(|known| known == table) {
            let message = format_args!("no table {table:?}: GET /api/tables lists them");
            return Err(Refusal::new(StatusCode::NOT_FOUND, message));
        }
        server.puzzles.drop_unused();
        let removed = remove_table(&store, &table).map_err(|error| match error.kind() {
            TableErrorKind::Locked => Refusal::new(StatusCode::CONFLICT, error),
            _ => Failure::File(error).into(),
        })?;
        Ok(Json(json!({"table": table, "removed": removed})))
    })
    .await
}
