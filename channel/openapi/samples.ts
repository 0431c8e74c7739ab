/**
 * Commands that call an operation. Each is complete and makes what it needs first, so that it runs as it
 * stands. Their messages, such as `form`, are words of the sandbox agent.
 */
import { type OperationName, operations } from "#lib/chat-api/operations.ts";

/** The channel of `npm run channel` from the repository, for which the reference stands in `docs/`. */
export const repository = {
  origin: "http://127.0.0.1:2428",
  channelKey: "dep_demo_shop",
  chatKey: "$(cat .data/chat-key)",
};

/** The operation as a command: `$CHAT` and `$FILE` are the IDs of its path. */
function curl(name: OperationName, sent = "", options = ""): string {
  const { path, writes } = operations[name];
  const url = `"$BASE${path.replace("{chatId}", "$CHAT").replace("{fileId}", "$FILE")}"`;
  if (!writes) return `curl -sS ${url} -H "Authorization: Bearer $KEY"`;
  const body = sent.startsWith("-F") ? sent : `-H "Content-Type: application/json" \\\n  -d '${sent}'`;
  return `curl -sS${options} ${url} \\
  -H "Authorization: Bearer $KEY" \\
  -H "Idempotency-Key: $(openssl rand -hex 16)" \\
  ${body}`;
}

const send = (text: string, options?: string) => curl("sendMessage", `{"text":"${text}"}`, options);
const create = curl("createChat", '{"userId":"customer-1","locale":"en"}');
const upload = `printf 'A note.' | ${curl("uploadFile", '-F "file=@-;filename=note.txt;type=text/plain"')}`;

/** Takes the first group of the pattern from the response. */
const taking = (pattern: string) => `sed -n 's/.*${pattern}.*/\\1/p'`;
const idOfItem = taking(String.raw`"item":{"id":"\([^"]*\)`);

/** Steps before the operation, after the chat was created. */
const before: Partial<Record<OperationName, string>> = {
  downloadFile: `FILE=$(${upload} | ${idOfItem})\n`,
  submitCollection: `${send("form")} > /dev/null
FORM=$(${curl("getCollection")})
REQUEST=$(printf '%s' "$FORM" | ${taking(String.raw`"request":{"id":"\([^"]*\)`)})
VERSION=$(printf '%s' "$FORM" | ${taking(String.raw`"version":\([0-9]*\)`)})
`,
  handoff: `CONFIRMATION=$(${send("offer email")} | ${taking(String.raw`"confirmationId":"\([^"]*\)`)})\n`,
};

const calls: Partial<Record<OperationName, string>> = {
  createChat: create,
  sendMessage: send("Do you deliver to Ireland?"),
  uploadFile: upload,
  submitCollection: curl(
    "submitCollection",
    `{"collectionRequestId":"'"$REQUEST"'","expectedVersion":'"$VERSION"',
       "action":"save","values":{"reference":"A-1001","reason":"damaged"}}`,
  ),
  handoff: curl("handoff", `{"confirmationId":"'"$CONFIRMATION"'","email":"ana@example.com"}`),
};

export function sampleOf(name: OperationName | "stream"): string {
  const { origin, channelKey, chatKey } = repository;
  const chat = name === "createChat" ? [] : [`CHAT=$(${create} | ${idOfItem})\n`];
  const steps =
    name === "stream"
      ? [send("Do you deliver to Ireland?", 'N -H "Accept: text/event-stream"')]
      : [before[name] ?? [], calls[name] ?? curl(name)].flat();
  return [`BASE=${origin}/v1/channels/${channelKey}`, `KEY=${chatKey}\n`, ...chat, ...steps].join("\n");
}
