"""The same with Sanic. The query takes some 20 µs: less than to hand it to a thread."""

import os

from cachetools import TTLCache
from sanic import Sanic
from sanic.response import json

from counts import count

app = Sanic("counts")

CACHED = TTLCache(maxsize=10_000, ttl=300) if os.environ.get("BENCH_CACHED") else None


@app.get("/api/comments/count")
async def answer(request):
    url = request.args.get("url", "")
    return json({"count": count(url) if CACHED is None else cached(url)})


def cached(url):
    known = CACHED.get(url)
    if known is None:
        known = CACHED[url] = count(url)
    return known
