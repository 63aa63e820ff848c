"""What all Python servers of the benchmark ask the database: one read-only connection a thread."""

import os
import sqlite3
import threading

QUERY = "SELECT count(*) FROM comment WHERE url = ? AND published IS NOT NULL"

_local = threading.local()


def count(url):
    """The published comments of an article; sqlite3 keeps the prepared statement."""
    connection = getattr(_local, "connection", None)
    if connection is None:
        file = f"file:{os.environ['BENCH_DATABASE']}?mode=ro"
        connection = _local.connection = sqlite3.connect(file, uri=True)
    return connection.execute(QUERY, (url,)).fetchone()[0]
