"""Serves the generated and filled server on a port: `serve.py PORT`. The generated parts ask for all kinds of credentials at once."""

import sys

import uvicorn
from fastapi import Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from repository import security_api
from repository.impl import nodes
from repository.main import app

for name in ("basic_auth", "cookie", "csrf", "jwt_auth"):
    app.dependency_overrides[getattr(security_api, f"get_token_{name}")] = lambda: None


def refusal(status, message, headers=None):
    return JSONResponse({"message": message}, status, {**nodes.ALWAYS, **(headers or {})})


@app.middleware("http")
async def around(request, call_next):
    nodes.current.set(request)
    try:
        nodes.check(request, await request.body())
    except nodes.Refusal as refused:
        return refusal(refused.status, refused.message, refused.headers)
    reply = await call_next(request)
    return Response(status_code=204, headers=nodes.ALWAYS) if reply.status_code == 204 else reply


@app.exception_handler(RequestValidationError)
async def unprocessable(request, error):
    lines = [f"{'.'.join(str(part) for part in each['loc'][1:])}: {each['msg']}." for each in error.errors()]
    return refusal(422, "\n".join(["Unprocessable Entity: validation failed.", *lines, ""]))


@app.exception_handler(HTTPException)
async def failed(request, error):
    return refusal(error.status_code, str(error.detail), error.headers)


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
