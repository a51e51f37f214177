"""The scenario with openapi-python-client."""
import base64
import json
import os
import urllib.parse
from io import BytesIO

from atoll_client import AuthenticatedClient, Client
from atoll_client.api.binary_content import get_public_content
from atoll_client.api.media import get_media
from atoll_client.api.navigation import get_node_linkset
from atoll_client.api.nodes import create_node, delete_node, get_node, update_node
from atoll_client.api.upload import put_node_media
from atoll_client.models import (
    CreateNodeFormat,
    ErrorMessage,
    GetMediaFormat,
    GetNodeFormat,
    NameItem,
    NodeCreate,
    NodeTypeInput,
    NodeUpdate,
    ReferenceById,
)
from atoll_client.types import File

BASE_URL = os.environ["ATOLL_URL"]
IMAGE_MODEL, ORIGINAL_FILE = 24, 16  # of the default site


def client(name):
    token = base64.b64encode(f"{name}:{name}".encode()).decode()
    return AuthenticatedClient(base_url=BASE_URL, token=token, prefix="Basic")


ANONYMOUS, EDITOR, VIEWER = Client(base_url=BASE_URL), client("editor"), client("viewer")
TYPE = [NodeTypeInput(target_id="islandora_object")]
CREATED = {}


def new_node():
    return NodeCreate(
        type_=TYPE,
        title=[NameItem(value="Made with openapi-python-client")],
        field_model=[ReferenceById(target_id=IMAGE_MODEL)],
    )


def same(found, wanted):
    if found != wanted:
        raise AssertionError(f"{found!r} is not {wanted!r}")


def refusal(answer, status):
    """The message of the typed error of a refused call."""
    same((int(answer.status_code), type(answer.parsed)), (status, ErrorMessage))
    return answer.parsed.message


def create():
    answer = create_node.sync_detailed(client=EDITOR, body=new_node(), field_format_=CreateNodeFormat.JSON)
    same(int(answer.status_code), 201)
    CREATED["id"] = answer.parsed.nid[0].value
    same(answer.headers["Location"], f"{BASE_URL}/node/{CREATED['id']}")


def read():
    node = get_node.sync(CREATED["id"], client=ANONYMOUS, field_format_=GetNodeFormat.JSON)
    same(node.title[0].value, "Made with openapi-python-client")


def patch():
    change = NodeUpdate(type_=TYPE, title=[NameItem(value="Changed")])
    same(update_node.sync(CREATED["id"], client=EDITOR, body=change).title[0].value, "Changed")


def upload():
    answer = put_node_media.sync_detailed(
        CREATED["id"],
        "file",
        ORIGINAL_FILE,
        client=EDITOR,
        body=File(payload=BytesIO(b"bytes of openapi-python-client")),
        content_location="public://sdk/openapi-python-client.txt",
    )
    same(int(answer.status_code), 201)


def follow():
    linkset = get_node_linkset.sync(CREATED["id"], client=EDITOR)
    related = linkset.to_dict()["linkset"][0]["related"]
    target = next(each for each in related if each.get("title") == "Original File")
    media_id = int(target["href"].rsplit("/", 1)[1])
    media = get_media.sync(media_id, client=EDITOR, field_format_=GetMediaFormat.JSON)
    path = urllib.parse.urlparse(media.field_media_file[0].url).path.removeprefix("/sites/default/files/")
    content = get_public_content.sync(urllib.parse.unquote(path), client=EDITOR)
    same(content.payload.read(), b"bytes of openapi-python-client")


def delete():
    same(int(delete_node.sync_detailed(CREATED["id"], client=EDITOR).status_code), 204)


def not_found():
    answer = get_node.sync_detailed(CREATED["id"], client=EDITOR, field_format_=GetNodeFormat.JSON)
    same(refusal(answer, 404).startswith('The "node" parameter was not converted'), True)


def unauthorized():
    answer = create_node.sync_detailed(client=ANONYMOUS, body=new_node())
    same(refusal(answer, 401), "No authentication credentials provided.")


def forbidden():
    refusal(create_node.sync_detailed(client=VIEWER, body=new_node()), 403)


for name, run in {
    "create": create,
    "read": read,
    "patch": patch,
    "upload": upload,
    "follow": follow,
    "delete": delete,
    "404": not_found,
    "401": unauthorized,
    "403": forbidden,
}.items():
    try:
        run()
        print(json.dumps({"step": name, "ok": True}), flush=True)
    except Exception as error:  # the next steps are told all the same
        print(json.dumps({"step": name, "ok": False, "why": f"{type(error).__name__}: {error}"[:500]}), flush=True)
