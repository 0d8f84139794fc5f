//! Pattern databases: ranking, parallel builders, packed tables, table files.
