"""Sends dummy credentials. Passes over the failures that are none: refusals that say that the document has none, and the document's own faults."""

import collections
import json
import os
import pathlib
import tomllib

import schemathesis

_NAME = os.environ["ATOLL_FOREIGN_DOCUMENT"]
_CREDENTIALS = json.loads(os.environ["ATOLL_FOREIGN_CREDENTIALS"])
_RULES = [
    rule
    for rule in tomllib.loads(pathlib.Path(__file__).with_name("allowed.toml").read_text(encoding="utf-8"))["allowed"]
    if rule["document"] == _NAME
]
_EXAMPLES = json.loads(pathlib.Path(os.environ["ATOLL_FOREIGN_EXAMPLES"]).read_text(encoding="utf-8"))
_counts = collections.Counter()

_OF_STATUS = {"UndefinedStatusCode", "UndefinedContentType"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """A request keeps what it has: another value for a header is a case of its own."""
    for name, value in _CREDENTIALS["headers"].items():
        case.headers.setdefault(name, value)
    for name, value in _CREDENTIALS["query"].items():
        case.query.setdefault(name, value)
    for name, value in _CREDENTIALS["cookies"].items():
        case.cookies.setdefault(name, value)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """True keeps a failure. Those that are allowed are counted by rule."""
    kind = type(failure).__name__
    if kind in _OF_STATUS and _header(response, "atoll-refusal") == "undocumented":
        return _count("marked as undocumented")
    if kind == "JsonSchemaError" and _is_example(case, response):
        return _count("examples of the document that break the schema beside them")
    if kind == "JsonSchemaError" and _has_inexact(case.body):
        return _count("whole numbers that no double holds, sent back with an exponent")
    for rule in _RULES:
        if kind in rule["failures"] and case.operation.label in rule["operations"] and response.status_code in rule["statuses"]:
            return _count(rule["reason"])
    return True


def _is_example(case, response):
    """Whether the answer is, member by member, what the document writes for it."""
    by_status = _EXAMPLES.get(case.operation.label, {})
    written = by_status.get(str(response.status_code), by_status.get(f"{response.status_code // 100}XX", by_status.get("default", [])))
    try:
        return json.loads(response.content) in written
    except ValueError:
        return False


def _has_inexact(value):
    """Whether a body has a whole number beyond 2^53: JSON in JavaScript writes the nearest double (RFC 8259 §6)."""
    if isinstance(value, dict):
        return any(_has_inexact(each) for each in value.values())
    if isinstance(value, list):
        return any(_has_inexact(each) for each in value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53


def _count(reason):
    _counts[reason] += 1
    pathlib.Path(os.environ["ATOLL_FOREIGN_ALLOWED"]).write_text(json.dumps(_counts), encoding="utf-8")
    return False


def _header(response, name):
    values = next((value for key, value in response.headers.items() if key.lower() == name), [])
    return values[0] if isinstance(values, list) and values else values
