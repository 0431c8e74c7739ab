"""Every operation of the Chat API with Python's standard library.

CHAT_BASE_URL, CHAT_CHANNEL_KEY and CHAT_KEY name a channel with the sandbox agent.
"""

import json
import os
import urllib.error
import urllib.request
import uuid

BASE = f"{os.environ['CHAT_BASE_URL']}/v1/channels/{os.environ['CHAT_CHANNEL_KEY']}"


def call(method, path, data=None, **headers):
    request = urllib.request.Request(BASE + path, data=data, method=method)
    request.add_header("Authorization", f"Bearer {os.environ['CHAT_KEY']}")
    if method == "POST":
        request.add_header("Idempotency-Key", str(uuid.uuid4()))
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def post(path, body, **headers):
    data = json.dumps(body).encode()
    return call("POST", path, data, Content_Type="application/json", **headers)


def item(answer, status):
    assert answer[0] == status, answer
    return json.loads(answer[1])["item"]


chat = f"/chats/{item(post('/chats', {'userId': 'python-user'}), 201)['id']}"
assert item(call("GET", chat), 200)["mode"] == "agent"

status, stream = post(f"{chat}/messages", {"text": "long"}, Accept="text/event-stream")
events = [line[7:] for line in stream.decode().splitlines() if line.startswith("event: ")]
assert status == 201 and events[0] == "start" and events[-1] == "done" and "delta" in events

part = 'Content-Disposition: form-data; name="file"; filename="note.txt"\r\nContent-Type: text/plain'
form = f"--b\r\n{part}\r\n\r\nA note.\r\n--b--\r\n".encode()
sent = call("POST", f"{chat}/files", form, Content_Type="multipart/form-data; boundary=b")
file_id = item(sent, 201)["id"]
item(post(f"{chat}/messages", {"text": "See the note.", "fileIds": [file_id]}), 201)
assert call("GET", f"{chat}/files/{file_id}") == (200, b"A note.")

item(post(f"{chat}/messages", {"text": "form"}), 201)
collection = item(call("GET", f"{chat}/collection"), 200)
reason = next(field for field in collection["fields"] if field["type"] == "choice")
answers = {"reference": "A-1001", reason["id"]: reason["choices"][0]["id"]}


def submit(read, values):
    keys = {"collectionRequestId": read["request"]["id"], "expectedVersion": read["version"]}
    return item(post(f"{chat}/collection", {**keys, "action": "save", "values": values}), 200)


assert submit(collection, answers)["missing"] == []

offer = item(post(f"{chat}/messages", {"text": "offer form"}), 201)["reply"]["handoffOffer"]
accepted = {"confirmationId": offer["confirmationId"]}
status, refusal = post(f"{chat}/handoff", accepted)
assert json.loads(refusal)["error"]["code"] == "collection_incomplete", (status, refusal)
collection = item(call("GET", f"{chat}/collection"), 200)
submit(collection, {field: "A return" for field in collection["missing"]})
assert item(post(f"{chat}/handoff", accepted), 201)["mode"] == "waiting"

status, page = call("GET", f"{chat}/messages?limit=50")
assert status == 200 and len(json.loads(page)["items"]) >= 8
print("nine operations")
