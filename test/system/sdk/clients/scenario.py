"""The scenario with the Python client of openapi-generator."""
import json
import os
import urllib.parse

import atoll_client
from atoll_client import models
from atoll_client.exceptions import ForbiddenException, NotFoundException, UnauthorizedException

BASE_URL = os.environ["ATOLL_URL"]
IMAGE_MODEL, ORIGINAL_FILE = 24, 16  # of the default site


def client(name=None):
    configuration = atoll_client.Configuration(host=BASE_URL, username=name, password=name)
    return atoll_client.ApiClient(configuration)


ANONYMOUS, EDITOR, VIEWER = client(), client("editor"), client("viewer")
NODES = atoll_client.NodesApi(EDITOR)
CREATED = {}


def new_node():
    model = models.ReferenceInput(models.ReferenceById(target_id=IMAGE_MODEL))
    return models.NodeCreate(
        type=[models.NodeTypeInput(target_id="islandora_object")],
        title=[models.NameItem(value="Made with Python")],
        field_model=[model],
    )


def same(found, wanted):
    if found != wanted:
        raise AssertionError(f"{found!r} is not {wanted!r}")


def refusal(kind, call):
    """The typed error of a refused call."""
    try:
        call()
    except kind as refused:
        same(type(refused.data), models.ErrorMessage)
        return refused.data.message
    raise AssertionError("It was not refused.")


def linked_id(linkset, relation, title):
    """The id to which a link leads. The headers of this client keep one `Link` line of many, the linkset has all."""
    target = next(each for each in linkset.linkset[0].additional_properties[relation] if each.get("title") == title)
    return int(target["href"].rsplit("/", 1)[1])


def create():
    answer = NODES.create_node_with_http_info(new_node(), format="json")
    same(answer.status_code, 201)
    CREATED["id"] = answer.data.nid[0].value
    same(answer.headers["Location"], f"{BASE_URL}/node/{CREATED['id']}")


def read():
    node = atoll_client.NodesApi(ANONYMOUS).get_node(CREATED["id"], "json")
    same(node.title[0].value, "Made with Python")


def patch():
    change = models.NodeUpdate(
        type=[models.NodeTypeInput(target_id="islandora_object")], title=[models.NameItem(value="Changed")]
    )
    same(NODES.update_node(CREATED["id"], change).title[0].value, "Changed")


def upload():
    answer = atoll_client.UploadApi(EDITOR).put_node_media_with_http_info(
        CREATED["id"],
        "file",
        ORIGINAL_FILE,
        b"bytes of Python",
        content_location="public://sdk/python.txt",
        _headers={"Content-Type": "text/plain"},
    )
    same(answer.status_code, 201)


def follow():
    linkset = atoll_client.NavigationApi(EDITOR).get_node_linkset(CREATED["id"])
    media_id = linked_id(linkset, "related", "Original File")
    media = atoll_client.MediaApi(EDITOR).get_media(media_id, "json")
    path = urllib.parse.urlparse(media.field_media_file[0].url).path.removeprefix("/sites/default/files/")
    content = atoll_client.BinaryContentApi(EDITOR).get_public_content(urllib.parse.unquote(path))
    same(bytes(content), b"bytes of Python")


def delete():
    same(NODES.delete_node_with_http_info(CREATED["id"]).status_code, 204)


def not_found():
    message = refusal(NotFoundException, lambda: NODES.get_node(CREATED["id"], "json"))
    same(message.startswith('The "node" parameter was not converted'), True)


def unauthorized():
    message = refusal(UnauthorizedException, lambda: atoll_client.NodesApi(ANONYMOUS).create_node(new_node()))
    same(message, "No authentication credentials provided.")


def forbidden():
    refusal(ForbiddenException, lambda: atoll_client.NodesApi(VIEWER).create_node(new_node()))


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
