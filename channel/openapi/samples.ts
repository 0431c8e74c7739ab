/**
 * Programs that call an operation, in curl, Node and Python. Each is complete and makes what it needs first,
 * so that it runs as it stands. Their messages, such as `form`, are words of the sandbox agent.
 */
import type { OperationName } from "#lib/chat-api/operations.ts";

/** How a program on this machine reaches the channel. */
export interface Caller {
  /** Scheme, host and port. */
  origin: string;
  channelKey: string;
  /** The file with the chat key; the variable `CHAT_KEY` if absent. */
  chatKeyFile?: string | undefined;
}

export interface Sample {
  lang: string;
  label: string;
  source: string;
}

type SampleName = OperationName | "stream";

interface Language {
  lang: string;
  label: string;
  /** Sets the address and the key, and defines what the steps call. */
  begin: (caller: Caller) => string;
  /** Steps before the operation. */
  before: Readonly<Record<"chat" | "file" | "form" | "offer", string>>;
  calls: Readonly<Record<SampleName, string>>;
}

const needs: Readonly<Record<SampleName, readonly (keyof Language["before"])[]>> = {
  createChat: [],
  getChat: ["chat"],
  sendMessage: ["chat"],
  stream: ["chat"],
  listMessages: ["chat"],
  uploadFile: ["chat"],
  downloadFile: ["chat", "file"],
  getCollection: ["chat"],
  submitCollection: ["chat", "form"],
  handoff: ["chat", "offer"],
};

export function samplesOf(name: SampleName, caller: Caller): Sample[] {
  return [curl, node, python].map(({ lang, label, begin, before, calls }) => ({
    lang,
    label,
    source: [begin(caller), ...needs[name].map((step) => before[step]), calls[name]].join("\n"),
  }));
}

const baseOf = ({ origin, channelKey }: Caller) => `${origin}/v1/channels/${channelKey}`;

const inShell = (text: string) =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const postInCurl = (path: string, body: string) => `curl -sS "$BASE${path}" \\
  -H "Authorization: Bearer $KEY" \\
  -H "Idempotency-Key: $(openssl rand -hex 16)" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;
const createInCurl = postInCurl("/chats", '{"userId":"customer-1","locale":"en"}');
const sendInCurl = (text: string) => postInCurl("/chats/$CHAT/messages", `{"text":"${text}"}`);

const uploadInCurl = `printf 'A note.' | curl -sS "$BASE/chats/$CHAT/files" \\
  -H "Authorization: Bearer $KEY" \\
  -H "Idempotency-Key: $(openssl rand -hex 16)" \\
  -F "file=@-;filename=note.txt;type=text/plain"`;

/** Takes the first group of the pattern from the response. */
const taking = (pattern: string) => `sed -n 's/.*${pattern}.*/\\1/p'`;
const idOfItem = taking(String.raw`"item":{"id":"\([^"]*\)`);

const curl: Language = {
  lang: "sh",
  label: "curl",
  begin: (caller) => `BASE=${baseOf(caller)}
KEY=${caller.chatKeyFile === undefined ? "$CHAT_KEY" : `$(cat ${inShell(caller.chatKeyFile)})`}
`,
  before: {
    chat: `CHAT=$(${createInCurl} | ${idOfItem})
`,
    file: `FILE=$(${uploadInCurl} | ${idOfItem})
`,
    form: `${sendInCurl("form")} > /dev/null
FORM=$(curl -sS "$BASE/chats/$CHAT/collection" -H "Authorization: Bearer $KEY")
REQUEST=$(printf '%s' "$FORM" | ${taking(String.raw`"request":{"id":"\([^"]*\)`)})
VERSION=$(printf '%s' "$FORM" | ${taking(String.raw`"version":\([0-9]*\)`)})
`,
    offer: `CONFIRMATION=$(${sendInCurl("offer email")} | ${taking(String.raw`"confirmationId":"\([^"]*\)`)})
`,
  },
  calls: {
    createChat: createInCurl,
    getChat: `curl -sS "$BASE/chats/$CHAT" -H "Authorization: Bearer $KEY"`,
    sendMessage: sendInCurl("Do you deliver to Ireland?"),
    stream: sendInCurl("Do you deliver to Ireland?").replace(
      "curl -sS",
      'curl -sSN -H "Accept: text/event-stream"',
    ),
    listMessages: `curl -sS "$BASE/chats/$CHAT/messages?limit=50" -H "Authorization: Bearer $KEY"`,
    uploadFile: uploadInCurl,
    downloadFile: `curl -sS "$BASE/chats/$CHAT/files/$FILE" -H "Authorization: Bearer $KEY"`,
    getCollection: `curl -sS "$BASE/chats/$CHAT/collection" -H "Authorization: Bearer $KEY"`,
    submitCollection: postInCurl(
      "/chats/$CHAT/collection",
      `{"collectionRequestId":"'"$REQUEST"'","expectedVersion":'"$VERSION"',
       "action":"save","values":{"reference":"A-1001","reason":"damaged"}}`,
    ),
    handoff: postInCurl(
      "/chats/$CHAT/handoff",
      `{"confirmationId":"'"$CONFIRMATION"'","email":"ana@example.com"}`,
    ),
  },
};

const uploadInNode = `const form = new FormData();
form.append("file", new File(["A note."], "note.txt", { type: "text/plain" }));
const { item: file } = await (await post(\`/chats/\${chat.id}/files\`, form)).json();`;

const node: Language = {
  lang: "js",
  label: "Node",
  begin: (caller) => `${
    caller.chatKeyFile === undefined ? "" : `import { readFileSync } from "node:fs";\n\n`
  }const base = ${JSON.stringify(baseOf(caller))};
const key = ${
    caller.chatKeyFile === undefined
      ? "process.env.CHAT_KEY"
      : `readFileSync(${JSON.stringify(caller.chatKeyFile)}, "utf8").trim()`
  };

async function call(path, { headers, ...init } = {}) {
  const authorization = { Authorization: \`Bearer \${key}\` };
  const response = await fetch(base + path, { ...init, headers: { ...authorization, ...headers } });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

function post(path, body, headers) {
  const type = body instanceof FormData ? {} : { "Content-Type": "application/json" };
  return call(path, {
    method: "POST",
    headers: { "Idempotency-Key": crypto.randomUUID(), ...type, ...headers },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
}
`,
  before: {
    chat: `const { item: chat } = await (await post("/chats", { userId: "customer-1" })).json();`,
    file: uploadInNode,
    form: `await post(\`/chats/\${chat.id}/messages\`, { text: "form" });
const { item: collection } = await (await call(\`/chats/\${chat.id}/collection\`)).json();`,
    offer: `const asked = await post(\`/chats/\${chat.id}/messages\`, { text: "offer email" });
const { handoffOffer } = (await asked.json()).item.reply;`,
  },
  calls: {
    createChat: `const { item: chat } = await (await post("/chats", { userId: "customer-1", locale: "en" })).json();
console.log(chat);`,
    getChat: `const response = await call(\`/chats/\${chat.id}\`);
console.log((await response.json()).item);`,
    sendMessage: `const response = await post(\`/chats/\${chat.id}/messages\`, { text: "Do you deliver to Ireland?" });
const { item: turn } = await response.json();
console.log(turn.reply?.text);`,
    stream: `const message = { text: "Do you deliver to Ireland?" };
const response = await post(\`/chats/\${chat.id}/messages\`, message, { Accept: "text/event-stream" });
let buffered = "";
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  const blocks = (buffered + text).split("\\n\\n");
  buffered = blocks.pop();
  for (const block of blocks) {
    const [, event, data] = /^event: (.*)\\ndata: (.*)$/.exec(block) ?? [];
    if (event !== undefined) console.log(event, JSON.parse(data));
  }
}`,
    listMessages: `await post(\`/chats/\${chat.id}/messages\`, { text: "Hello" });
let cursor = "";
do {
  const page = await (await call(\`/chats/\${chat.id}/messages?limit=50\${cursor}\`)).json();
  for (const { role, text } of page.items) console.log(role, text);
  cursor = page.nextCursor && \`&cursor=\${page.nextCursor}\`;
} while (cursor);`,
    uploadFile: `${uploadInNode}
const message = { text: "See the note.", fileIds: [file.id] };
console.log(await (await post(\`/chats/\${chat.id}/messages\`, message)).json());`,
    downloadFile: `const response = await call(\`/chats/\${chat.id}/files/\${file.id}\`);
console.log(response.headers.get("Content-Type"), await response.text());`,
    getCollection: `const response = await call(\`/chats/\${chat.id}/collection\`);
console.log((await response.json()).item);`,
    submitCollection: `const response = await post(\`/chats/\${chat.id}/collection\`, {
  collectionRequestId: collection.request.id,
  expectedVersion: collection.version,
  action: "save",
  values: { reference: "A-1001", reason: "damaged" },
});
console.log((await response.json()).item.values);`,
    handoff: `const { confirmationId } = handoffOffer;
const response = await post(\`/chats/\${chat.id}/handoff\`, { confirmationId, email: "ana@example.com" });
console.log((await response.json()).item.handoff);`,
  },
};

const uploadInPython = `part = 'Content-Disposition: form-data; name="file"; filename="note.txt"\\r\\nContent-Type: text/plain'
form = f"--limit\\r\\n{part}\\r\\n\\r\\nA note.\\r\\n--limit--\\r\\n".encode()
kind = {"Content-Type": "multipart/form-data; boundary=limit"}
file = json.load(post(f"/chats/{chat['id']}/files", form, kind))["item"]`;

const python: Language = {
  lang: "python",
  label: "Python",
  begin: (caller) => `import json${caller.chatKeyFile === undefined ? ", os" : ""}, urllib.request, uuid

base = ${JSON.stringify(baseOf(caller))}
key = ${
    caller.chatKeyFile === undefined
      ? 'os.environ["CHAT_KEY"]'
      : `open(${JSON.stringify(caller.chatKeyFile)}).read().strip()`
  }


def call(path, data=None, headers={}):
    headers = {"Authorization": f"Bearer {key}", **headers}
    return urllib.request.urlopen(urllib.request.Request(base + path, data, headers))


def post(path, body, headers={}):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    first = {"Idempotency-Key": str(uuid.uuid4()), "Content-Type": "application/json"}
    return call(path, data, {**first, **headers})

`,
  before: {
    chat: `chat = json.load(post("/chats", {"userId": "customer-1"}))["item"]`,
    file: uploadInPython,
    form: `post(f"/chats/{chat['id']}/messages", {"text": "form"})
collection = json.load(call(f"/chats/{chat['id']}/collection"))["item"]`,
    offer: `turn = json.load(post(f"/chats/{chat['id']}/messages", {"text": "offer email"}))["item"]
offer = turn["reply"]["handoffOffer"]`,
  },
  calls: {
    createChat: `chat = json.load(post("/chats", {"userId": "customer-1", "locale": "en"}))["item"]
print(chat)`,
    getChat: `print(json.load(call(f"/chats/{chat['id']}"))["item"])`,
    sendMessage: `message = {"text": "Do you deliver to Ireland?"}
turn = json.load(post(f"/chats/{chat['id']}/messages", message))["item"]
print(turn["reply"] and turn["reply"]["text"])`,
    stream: `message = {"text": "Do you deliver to Ireland?"}
path, accept = f"/chats/{chat['id']}/messages", {"Accept": "text/event-stream"}
event = None
for line in post(path, message, accept):
    name, _, value = line.decode().rstrip("\\n").partition(": ")
    if name == "event":
        event = value
    if name == "data":
        print(event, json.loads(value))`,
    listMessages: `post(f"/chats/{chat['id']}/messages", {"text": "Hello"})
cursor = ""
while cursor is not None:
    page = json.load(call(f"/chats/{chat['id']}/messages?limit=50{cursor}"))
    for message in page["items"]:
        print(message["role"], message["text"])
    cursor = page["nextCursor"] and f"&cursor={page['nextCursor']}"`,
    uploadFile: `${uploadInPython}
message = {"text": "See the note.", "fileIds": [file["id"]]}
print(json.load(post(f"/chats/{chat['id']}/messages", message)))`,
    downloadFile: `with call(f"/chats/{chat['id']}/files/{file['id']}") as response:
    print(response.headers["Content-Type"], response.read().decode())`,
    getCollection: `print(json.load(call(f"/chats/{chat['id']}/collection"))["item"])`,
    submitCollection: `form = {
    "collectionRequestId": collection["request"]["id"],
    "expectedVersion": collection["version"],
    "action": "save",
    "values": {"reference": "A-1001", "reason": "damaged"},
}
print(json.load(post(f"/chats/{chat['id']}/collection", form))["item"]["values"])`,
    handoff: `accepted = {"confirmationId": offer["confirmationId"], "email": "ana@example.com"}
print(json.load(post(f"/chats/{chat['id']}/handoff", accepted))["item"]["handoff"])`,
  },
};
