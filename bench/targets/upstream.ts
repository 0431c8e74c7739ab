/**
 * The synthetic Chat API of the benchmarks: answers from memory, at the pace that a message asks for, with
 * less CPU time than any measured server. Listens on `PORT`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { limits } from "#lib/chat-api/limits.ts";
import { aChat, aFile, aMessage, aTurn } from "#lib/chat-api/testing/builders.ts";
import { encodeTurnEvent, keepAliveComment } from "#lib/chat-api/turn-events.ts";
import { readPace, stamp } from "../support/pace.ts";

const prefix = /^\/v1\/channels\/[^/]+/;
const fileBytes = Buffer.alloc(4 * 1024 * 1024, "x");

/** The response of `getChat`, serialised once for each chat. */
const chats = new Map<string, Buffer>();

const item = (value: object) => Buffer.from(JSON.stringify({ item: value }));

function send(response: ServerResponse, status: number, body: Buffer, type = "application/json"): void {
  response.writeHead(status, { "content-type": type, "content-length": body.length });
  response.end(body);
}

function createChat(userId: string): Buffer {
  const id = `chat_${String(chats.size + 1).padStart(8, "0")}`;
  const body = item(aChat({ id, userId }));
  chats.set(id, body);
  return body;
}

/** Every chat has a page of messages. */
function listMessages(chatId: string): Buffer {
  const items = Array.from({ length: limits.messagesPerPage.default }, (_, index) =>
    aMessage({ id: `message_${index}`, chatId, role: index % 2 === 0 ? "visitor" : "agent" }),
  );
  return Buffer.from(JSON.stringify({ items, nextCursor: null }));
}

/** Streams that wait for their next delta, by the millisecond of the second in which it is due. */
const slots = Array.from({ length: 1_000 }, () => new Set<() => void>());
let lastSlot = Math.floor(performance.now());
let isPaused = false;

setInterval(() => {
  const now = Math.floor(performance.now());
  if (isPaused) lastSlot = now;
  for (let at = lastSlot + 1; at <= now; at += 1) for (const tick of slots[at % slots.length] ?? []) tick();
  lastSlot = now;
}, 1);

let nextPhase = 0;
/** Streams that the target has not closed. */
let openStreams = 0;

function streamTurn(chatId: string, text: string, response: ServerResponse): void {
  const { deltas, perSecond, bytes } = readPace(text);
  const turn = aTurn("");
  const reply = aMessage({ id: "reply_1", chatId, role: "agent", text: "" });
  const done = { ...turn, message: { ...turn.message, chatId }, reply, chat: aChat({ id: chatId }) };
  const start = { chatId, requestId: "req_upstream", messageId: "message_1", replyId: "reply_1" };
  response.writeHead(201, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(encodeTurnEvent({ type: "start", ...start }));
  const filler = "x".repeat(bytes);
  let sent = 0;

  const mine: Set<() => void>[] = [];
  const keepAlive = setInterval(() => response.write(keepAliveComment), limits.keepAliveInterval);
  const end = () => {
    clearInterval(keepAlive);
    for (const slot of mine) slot.delete(tick);
  };
  const tick = () => {
    if (sent < deltas) {
      sent += 1;
      response.write(encodeTurnEvent({ type: "delta", text: `${stamp()}${filler}` }));
    }
    if (sent < deltas) return;
    end();
    response.end(encodeTurnEvent({ type: "done", item: done }));
  };
  openStreams += 1;
  response.on("close", () => {
    openStreams -= 1;
    end();
  });
  if (perSecond === 0) {
    do tick();
    while (sent < deltas);
    return;
  }
  // Each stream starts in another slot, so that the streams do not send all at once. A stream of less than
  // one delta per second gets no slot and stays idle.
  const phase = nextPhase;
  nextPhase = (nextPhase + 7) % slots.length;
  for (let index = 0; index < Math.floor(perSecond); index += 1) {
    const slot = slots[(phase + Math.floor((index * slots.length) / perSecond)) % slots.length];
    if (slot === undefined) continue;
    slot.add(tick);
    mine.push(slot);
  }
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (/^\/(?:count|pause|resume)$/.test(request.url ?? "")) {
    if (request.url !== "/count") isPaused = request.url === "/pause";
    return send(response, 200, Buffer.from(String(openStreams)));
  }
  const [path = ""] = (request.url ?? "").replace(prefix, "").split("?", 1);
  const [, , chatId = "", resource, fileId] = path.split("/");
  if (request.method === "GET") {
    if (resource === "messages") return send(response, 200, listMessages(chatId));
    if (fileId !== undefined) return send(response, 200, fileBytes, "application/pdf");
    return send(response, 200, chats.get(chatId) ?? item(aChat({ id: chatId })));
  }
  if (resource === "files") {
    let size = 0;
    for await (const piece of request) size += (piece as Buffer).length;
    return send(response, 201, item(aFile({ chatId, byteSize: size })));
  }
  const body = await textOf(request);
  if (resource !== "messages") return send(response, 201, createChat(JSON.parse(body).userId));
  if (request.headers.accept?.includes("text/event-stream"))
    return streamTurn(chatId, JSON.parse(body).text, response);
  send(response, 201, item({ ...aTurn("Yes."), message: aMessage({ chatId }), chat: aChat({ id: chatId }) }));
}

const server = createServer((request, response) => void respond(request, response));
// Longer than any client keeps a connection: a suspended target would not notice that one was closed.
server.keepAliveTimeout = 24 * 60 * 60 * 1_000;
server.listen(Number(process.env["PORT"]), "127.0.0.1");
