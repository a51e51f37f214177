"""Which failures of Schemathesis are expected answers of this service: those that `expected.toml` names, and no others."""

import collections
import fnmatch
import json
import os
import pathlib
import re
import tomllib

import schemathesis

_RULES = tomllib.loads(pathlib.Path(__file__).with_name("expected.toml").read_text(encoding="utf-8"))["rule"]
_counts = collections.Counter()


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """True keeps a failure: one that any part of the answer's message has no rule for. The others are counted by rule."""
    rules = [_rule_of(part, failure, case, response) for part in _parts(response)]
    if None in rules:
        return True
    _counts.update(rule["name"] for rule in rules)
    pathlib.Path(os.environ["ATOLL_FUZZ_EXPECTED"]).write_text(json.dumps(_counts), encoding="utf-8")
    return False


def _rule_of(part, failure, case, response):
    return next((rule for rule in _RULES if _allows(rule, part, failure, case, response)), None)


def _allows(rule, part, failure, case, response):
    operation = case.operation.definition.raw["operationId"]
    return (
        type(failure).__name__ in rule["failures"]
        and any(fnmatch.fnmatchcase(operation, pattern) for pattern in rule.get("operations", ["*"]))
        and response.status_code in rule["statuses"]
        and re.search(rule.get("detail", ""), failure.message) is not None
        and re.search(rule.get("path", ""), response.request.path_url) is not None
        and any(re.fullmatch(text, part, re.DOTALL) for text in rule.get("texts", [".*"]))
    )


def _parts(response):
    """One for each broken rule that the message lists; what has no message is a single empty part."""
    message = _message(response)
    listed = re.match(r"Unprocessable Entity: (?:file )?validation failed\.\n", message)
    if listed is None:
        return [message]
    return re.split(r"\n(?=[a-z_]*[.:]|Only |The file)", message[listed.end() :].rstrip("\n"))


def _message(response):
    """Empty where there is none; that an answer has the wrong shape is another check's to say."""
    try:
        return str(json.loads(response.content)["message"])
    except (ValueError, KeyError, TypeError):
        return ""
