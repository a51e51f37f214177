"""Fills the generated FastAPI server for nodes: accounts, permissions, records in memory, links. It shares no code with Atoll."""

import base64
import contextvars
import datetime
import json
import re
import uuid

from fastapi.responses import JSONResponse

from repository.apis.nodes_api_base import BaseNodesApi
from repository.models.node_record import NodeRecord
from repository.models.node_create import NodeCreate

RELATIONS = "https://drupal.org/link-relations"
ALWAYS = {
    "Cache-Control": "must-revalidate, no-cache, private",
    "Expires": "Sun, 19 Nov 1978 05:00:00 GMT",
    "Content-language": "en",
    "X-Content-Type-Options": "nosniff",
}
MEDIA_TYPES = {"jsonld": "application/ld+json", "json": "application/json"}
# Name to id, password, and whether it may write nodes; the first may do everything.
ACCOUNTS = {"admin": (1, "islandora", True), "editor": (2, "editor", True), "viewer": (3, "viewer", False)}
MODELS = {
    23: ("Collection", "6a3b293d-4617-417b-99d2-23d75b57f7c2", "http://purl.org/dc/dcmitype/Collection"),
    24: ("Image", "e7560b68-e95a-4e76-9671-2a3041cd9800", "http://purl.org/coar/resource_type/c_c513"),
}
TYPE = {"target_id": "islandora_object", "target_type": "node_type", "target_uuid": str(uuid.UUID(int=7))}
FIELDS = list(NodeRecord.model_fields)
PROTECTED = {
    "nid": " The entity ID cannot be changed.",
    "uuid": " The entity UUID cannot be changed.",
    "changed": "",
    "revision_timestamp": "",
    "revision_uid": "",
}
ADMINISTERED = ("created", "uid", "promote", "sticky", "status")
current = contextvars.ContextVar("request")
nodes = {}
counter = 0


class Refusal(Exception):
    def __init__(self, status, message, **headers):
        self.status, self.message, self.headers = status, message, headers


def account_of(request):
    """The name of the account, or None; and whether there were credentials at all."""
    header = request.headers.get("authorization", "")
    try:
        name, password = base64.b64decode(header.removeprefix("Basic ")).decode().split(":", 1)
    except ValueError:
        return None, False
    return (name if name in ACCOUNTS and ACCOUNTS[name][1] == password else None), True


def may(request, operation):
    name, has_credentials = account_of(request)
    if name is not None and ACCOUNTS[name][2]:
        return
    if not has_credentials:
        raise Refusal(401, "No authentication credentials provided.", **{"WWW-Authenticate": 'Basic realm="Foreign"'})
    raise Refusal(403, f"The '{operation} any islandora_object content' permission is required." if operation else "")


def is_visible(node, request):
    return node["status"][0]["value"] or account_of(request)[0] == "admin"


def check(request, body):
    """What a generated server does not check before it reads the body, in the order of the contract."""
    path, method = request.url.path, request.method
    found = re.fullmatch(r"/node(?:/([^/]+))?", path)
    if found is None:
        return
    allow = "POST" if found[1] is None else "DELETE, GET, HEAD, PATCH"
    if method not in allow:
        base = str(request.base_url).rstrip("/")
        text = f'No route found for "{method} {base}{path}": Method Not Allowed (Allow: {allow})'
        raise Refusal(405, text, Allow=allow)
    kind = request.headers.get("content-type", "").split(";")[0].strip()
    if method in ("POST", "PATCH") and kind != "application/json":
        raise Refusal(415, f'No route found that matches "Content-Type: {kind}"')
    wanted = request.query_params.get("_format")
    allowed = MEDIA_TYPES if method in ("GET", "HEAD") else ("json", None)
    if wanted not in allowed:
        raise Refusal(406, f"No route found for the specified format {wanted or 'html'}. Supported formats: jsonld, json.")
    if found[1] is not None:
        named = int(found[1]) if re.fullmatch(r"[1-9]\d*", found[1]) else None
        if named not in nodes:
            verb = "GET" if method == "HEAD" else method
            text = f'The "node" parameter was not converted for the path "/node/{{node}}" (route name: "rest.entity.node.{verb}")'
            raise Refusal(404, text)
    if method in ("GET", "HEAD"):
        if not is_visible(nodes[named], request):
            may(request, "")
            raise Refusal(403, "")
        return
    may(request, {"POST": "", "PATCH": "edit", "DELETE": "delete"}[method])
    if method != "DELETE":
        check_body(method, request, body, nodes.get(named) if found[1] else None)


def check_body(method, request, body, before):
    if body == b"":
        raise Refusal(400, "No entity content received.")
    try:
        sent = json.loads(body)
    except ValueError:
        raise Refusal(400, "Syntax error") from None
    request.state.sent = sent
    if not isinstance(sent, dict) or "type" not in sent:
        raise Refusal(422, 'Could not determine entity type bundle: "type" field is missing.')
    unknown = [name for name in sent if name not in FIELDS]
    missing = [name for name in ("title", "field_model") if method == "POST" and not sent.get(name)]
    lines = [f"{name}: This field does not exist on islandora_object." for name in unknown]
    lines += [f"{name}: This value should not be null." for name in missing]
    for name in ("field_member_of", "field_model"):
        known = nodes if name == "field_member_of" else MODELS
        items = sent[name] if isinstance(sent.get(name), list) else []
        wrong = [item.get("target_id") for item in items if isinstance(item, dict) and item.get("target_id") not in known]
        lines += [f"{name}.0.target_id: The referenced entity ({target}) does not exist." for target in wrong]
    is_admin = account_of(request)[0] == "admin"
    for name, reason in PROTECTED.items():
        if name in sent and (before is None and name != "uuid" or before is not None and sent[name] != before[name]):
            verb, reason = ("updating", reason) if before else ("creating", "")
            raise Refusal(403, f"Access denied on {verb} field '{name}'.{reason}")
    for name in ADMINISTERED:
        if name in sent and not is_admin and (before is None or sent[name] != before[name]):
            raise Refusal(403, f"Access denied on updating field '{name}'. The 'administer nodes' permission is required.")
    if lines:
        raise Refusal(422, "\n".join(["Unprocessable Entity: validation failed.", *lines, ""]))


def now():
    return {"value": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "format": r"Y-m-d\TH:i:sP"}


def stored(name, item):
    if name == "type":
        return TYPE
    target = item.get("target_id")
    if name == "field_member_of":
        return {"target_id": target, "target_type": "node", "target_uuid": nodes[target]["uuid"][0]["value"], "url": f"/node/{target}"}
    if name == "field_model":
        return {"target_id": target, "target_type": "taxonomy_term", "target_uuid": MODELS[target][1], "url": f"/taxonomy/term/{target}"}
    return item


def fields_of(sent):
    """What was sent, as it is stored. The generated models lose references, so they only check the body."""
    return {name: [stored(name, item) for item in items] for name, items in sent.items()}


def links(node, wanted, request):
    base = str(request.base_url).rstrip("/")
    own = f"{base}/node/{node['nid'][0]['value']}"
    number = own.rsplit("/", 1)[1]
    for rel, target in (
        ("canonical", own),
        (f"{RELATIONS}/delete-form", f"{own}/delete"),
        (f"{RELATIONS}/delete-multiple-form", f"{base}/admin/content/node/delete?node={number}"),
        ("edit-form", f"{own}/edit"),
        ("version-history", f"{own}/revisions"),
        (f"{RELATIONS}/revision", own),
        (f"{RELATIONS}/create", f"{base}/node?node={number}"),
    ):
        yield f'<{target}>; rel="{rel}"'
    for item in node["field_member_of"]:
        target = nodes.get(item["target_id"])
        if target is not None and is_visible(target, request):
            yield f'<{base}{item["url"]}>; rel="related"; title="Member of"'
    for item in node["field_model"]:
        label, _, address = MODELS[item["target_id"]]
        yield f'<{address}>; rel="tag"; title="{label}"'
    for name, media_type in MEDIA_TYPES.items():
        if name != wanted:
            yield f'<{own}?_format={name}>; rel="alternate"; type="{media_type}"'


def jsonld(node, request):
    base = str(request.base_url).rstrip("/")
    own, when = f"{base}/node/{node['nid'][0]['value']}", "http://www.w3.org/2001/XMLSchema#dateTime"
    types = ["http://pcdm.org/models#Object", *(MODELS[item["target_id"]][2] for item in node["field_model"])]
    thing = {"@id": own, "@type": types, "http://purl.org/dc/terms/title": [{"@value": node["title"][0]["value"], "@language": "en"}]}
    for name, term in (("created", "dateCreated"), ("changed", "dateModified")):
        thing[f"http://schema.org/{term}"] = [{"@value": node[name][0]["value"], "@type": when}]
    thing["http://schema.org/author"] = [{"@id": f"{base}/user/{node['uid'][0]['target_id']}"}]
    return {"@graph": [thing, {"@id": thing["http://schema.org/author"][0]["@id"], "@type": ["http://schema.org/Person"]}]}


def answer(node, status=200, wanted="json", with_links=False, **headers):
    request = current.get()
    NodeRecord.model_validate(node)
    body = jsonld(node, request) if wanted == "jsonld" else node
    reply = JSONResponse(body, status, {**ALWAYS, **headers}, MEDIA_TYPES[wanted])
    for link in links(node, wanted, request) if with_links else ():
        reply.headers.append("Link", link)
    return reply


class Nodes(BaseNodesApi):
    async def create_node(self, node_create: NodeCreate, format):
        global counter
        counter += 1
        request, moment = current.get(), now()
        owner = ACCOUNTS[account_of(request)[0]][0]
        user = {"target_id": owner, "target_type": "user", "target_uuid": str(uuid.UUID(int=owner)), "url": f"/user/{owner}"}
        node = {name: [] for name in FIELDS}
        for name in ("status", "promote", "default_langcode", "revision_translation_affected"):
            node[name] = [{"value": True}]
        for name in ("sticky", "content_translation_outdated"):
            node[name] = [{"value": False}]
        node |= {"uid": [user], "revision_uid": [user], "langcode": [{"value": "en"}], "content_translation_source": [{"value": "und"}]}
        node |= {"uuid": [{"value": str(uuid.uuid4())}], "created": [moment], "changed": [moment], "revision_timestamp": [moment]}
        node |= fields_of(request.state.sent) | {"nid": [{"value": counter}], "vid": [{"value": counter}]}
        nodes[counter] = node
        return answer(node, 201, Location=f"{str(request.base_url).rstrip('/')}/node/{counter}")

    async def get_node(self, node_id, format):
        return answer(nodes[node_id], wanted=format, with_links=True)

    head_node = get_node

    async def update_node(self, node_id, node_update, format):
        node = nodes[node_id]
        sent = {name: items for name, items in fields_of(current.get().state.sent).items() if name not in PROTECTED}
        if any(node[name] != items for name, items in sent.items()):
            node |= sent | {"changed": [now()]}
        return answer(node)

    async def delete_node(self, node_id, format):
        del nodes[node_id]
        return JSONResponse(None, 204, ALWAYS)
