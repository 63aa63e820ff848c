"""The same as an ASGI application. The query takes some 20 µs: less than to hand it to a thread."""

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from counts import count


async def answer(request):
    return JSONResponse({"count": count(request.query_params.get("url", ""))})


app = Starlette(routes=[Route("/api/comments/count", answer)])
