"""Tests in Python: one channel for all of them, and one of its own for each."""

import json
import subprocess
import urllib.request
import uuid

import pytest


def ask(method, url, key, body=None):
    request = urllib.request.Request(url, method=method)
    request.add_header("Authorization", f"Bearer {key}")
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
        request.add_header("Idempotency-Key", str(uuid.uuid4()))
    with urllib.request.urlopen(request) as response:
        text = response.read()
    return json.loads(text)["item"] if text else None


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    options = ["--port", "0", "--database", "memory://", "--lab", "--pace", "0", "--json"]
    data = tmp_path_factory.mktemp("channel")
    command = ["node_modules/.bin/shop-chat-channel", *options, "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        ready = next(line for line in map(json.loads, process.stdout) if line["msg"] == "ready")
        yield {"url": ready["url"], "teamKey": (data / "team-key").read_text().strip()}
        process.terminate()


@pytest.fixture
def channel(program):
    url, team_key = program["url"], program["teamKey"]
    own = ask("POST", f"{url}/lab/channels", team_key, {})
    yield {**own, "lab": f"{url}/lab", "api": f"{url}/v1/channels/{own['channelKey']}"}
    ask("DELETE", f"{url}/lab/channels/{own['channelKey']}", own["teamKey"])


def test_answers_what_the_test_has_scripted(channel):
    chat = ask("POST", f"{channel['api']}/chats", channel["chatKey"], {})
    script = {"chatId": chat["id"], "reply": {"text": "It costs £79."}}
    ask("POST", f"{channel['lab']}/reply", channel["teamKey"], script)
    messages = f"{channel['api']}/chats/{chat['id']}/messages"
    turn = ask("POST", messages, channel["chatKey"], {"text": "How much is it?"})
    assert turn["reply"]["text"] == "It costs £79."


def test_has_no_chat_of_another_test(channel):
    request = urllib.request.Request(f"{channel['lab']}/chats")
    request.add_header("Authorization", f"Bearer {channel['teamKey']}")
    with urllib.request.urlopen(request) as response:
        assert json.load(response) == {"chats": []}
