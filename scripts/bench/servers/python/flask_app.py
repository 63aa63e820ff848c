"""The count API of Stacosys, which is a Flask application itself."""

from flask import Flask, jsonify, request

from counts import count

app = Flask(__name__)


@app.get("/api/comments/count")
def answer():
    return jsonify(count=count(request.args.get("url", "")))
