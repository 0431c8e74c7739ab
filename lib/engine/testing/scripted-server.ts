/**
 * A chat server in memory for tests of an interface of your own. It answers what the test scripts, and
 * repeats every other text. It is no copy of the chat server: it refuses what a test tells it to refuse, and
 * nothing else.
 */
import { defaultBasePath } from "../../chat-api/base-path.ts";
import type { Chat } from "../../chat-api/chat.ts";
import type { Collection } from "../../chat-api/collection.ts";
import { bodyOfError, ChatApiError, type ErrorCode } from "../../chat-api/errors.ts";
import type { Message, MessageTurn, File as StoredFile } from "../../chat-api/message.ts";
import { type OperationName, operationPath, operations } from "../../chat-api/operations.ts";
import { aChat, aCollection, aFile, aMessage } from "../../chat-api/testing/builders.ts";
import type { Fetch } from "../../chat-client/connection.ts";

export interface ScriptedServer {
  /** Answers requests, as the `fetch` of `memoryBrowser`. */
  fetch: Fetch;
  /** Scripts the agent's next answer. The reply is in progress until `ends` resolves. */
  reply(message: Partial<Message>, ends?: Promise<unknown>): void;
  /** Refuses the operation's next request. */
  refuse(operation: OperationName, code: ErrorCode, retryAfterSeconds?: number): void;
  /** Carries out the operation's next request and breaks the connection before the response. */
  cut(operation: OperationName): void;
  /** A teammate claims the latest chat and writes. The chat reads it with its next list. */
  write(text: string, name: string): void;
  /** Signs a customer in, or out by null. `chat.start()` asks who it is. */
  signIn(customer: { id: string; name: string } | null): void;
  /** All requests in order. */
  readonly requests: readonly { operation: OperationName | "session"; body: unknown; key: string | null }[];
  /** The messages of the latest chat. */
  readonly messages: readonly Message[];
}

interface StoredChat {
  chat: Chat;
  messages: Message[];
  collection: Collection;
}

export function scriptedServer({ api = defaultBasePath } = {}): ScriptedServer {
  const chats = new Map<string, StoredChat>();
  const files = new Map<string, StoredFile>();
  /** The results of keys. */
  const results = new Map<string, unknown>();
  const replies: { message: Partial<Message>; ends: Promise<unknown> }[] = [];
  const faults: { operation: OperationName; error?: ChatApiError }[] = [];
  const requests: ScriptedServer["requests"][number][] = [];
  let customer: { id: string; name: string } | null = null;
  let made = 0;

  const newId = (kind: string) => `${kind}_${String(++made).padStart(8, "0")}`;
  const now = () => new Date().toISOString();
  const latest = () => [...chats.values()].at(-1);

  function append(stored: StoredChat, message: Partial<Message>): Message {
    const own = { id: newId("message"), chatId: stored.chat.id, createdAt: now() };
    const appended = aMessage({ ...own, ...message });
    stored.messages.push(appended);
    stored.chat = { ...stored.chat, updatedAt: appended.createdAt ?? stored.chat.updatedAt };
    return appended;
  }

  function takeTurn(stored: StoredChat, body: { text?: string; fileIds?: string[] }) {
    const sent = (body.fileIds ?? []).flatMap((id) => files.get(id) ?? []);
    const message = append(stored, { role: "visitor", text: body.text ?? "", files: sent });
    const isAgents = stored.chat.mode === "agent";
    const { message: said, ends } = (isAgents ? replies.shift() : undefined) ?? {
      message: { text: `Echo: ${message.text}` },
      ends: Promise.resolve(),
    };
    const id = newId("message");
    const end = ends.then((): MessageTurn => {
      if (!isAgents) return { message, reply: null, chat: stored.chat };
      const reply = append(stored, { id, role: "agent", ...said });
      stored.collection = reply.collection ?? stored.collection;
      return { message, reply, chat: stored.chat };
    });
    return { message, replyId: isAgents ? id : null, text: isAgents ? (said.text ?? "") : "", end };
  }

  function streamed({ message, replyId, text, end }: ReturnType<typeof takeTurn>): Response {
    const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const { chatId } = message;
    const start = event("start", { chatId, requestId: "request", messageId: message.id, replyId });
    const deltas = text.match(/\S+\s*/g)?.map((word) => event("delta", { text: word })) ?? [];
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode([start, ...deltas].join("")));
        controller.enqueue(new TextEncoder().encode(event("done", { item: await end })));
        controller.close();
      },
    });
    return new Response(body, { status: 201, headers: { "content-type": "text/event-stream" } });
  }

  function submit({ collection }: StoredChat, body: { action: string; values?: Record<string, string> }) {
    const stamp = { status: "accepted", actor: "visitor", updatedAt: now() } as const;
    const saved = Object.entries(body.action === "save" ? (body.values ?? {}) : {});
    const values = saved.map(([fieldId, value]) => ({ fieldId, value, ...stamp }));
    const { version, fields } = collection;
    return aCollection({ version: version + 1, fields, values });
  }

  async function answer(operation: OperationName, ids: Record<string, string>, call: Call): Promise<unknown> {
    if (operation === "createChat") {
      const chat = aChat({ id: newId("chat"), createdAt: now(), updatedAt: now() });
      chats.set(chat.id, { chat, messages: [], collection: aCollection() });
      return { item: chat };
    }
    const stored = chats.get(ids["chatId"] ?? "");
    if (stored === undefined) throw new ChatApiError("chat_not_found");
    const body = call.body as never;
    switch (operation) {
      case "getChat":
        return { item: stored.chat };
      case "listMessages":
        return { items: stored.messages, nextCursor: null };
      case "sendMessage":
        return takeTurn(stored, body);
      case "uploadFile": {
        const { name: filename, type: mediaType, size: byteSize } = call.file ?? new File([], "");
        const file = aFile({ id: newId("file"), chatId: stored.chat.id, filename, mediaType, byteSize });
        files.set(file.id, file);
        return { item: file };
      }
      case "getCollection":
        return { item: stored.collection };
      case "submitCollection":
        stored.collection = submit(stored, body);
        return { item: stored.collection };
      case "handoff":
        stored.chat = { ...stored.chat, mode: "waiting", updatedAt: now() };
        return { item: stored.chat };
      default:
        throw new ChatApiError("file_not_found");
    }
  }

  function startSession(): Response {
    requests.push({ operation: "session", body: {}, key: null });
    return Response.json({ item: { caller: customer === null ? "guest" : `tag-${customer.id}`, customer } });
  }

  async function respond(address: string, init: RequestInit): Promise<Response> {
    const { pathname } = new URL(address, "https://shop.example");
    // The server's own path for the newest page lists all here.
    const path = pathname.slice(api.length).replace(/\/(?:before|news)$/, "");
    const method = init.method ?? "GET";
    if (path === "/session") return startSession();
    const [operation, ids] = operationOf(method, path) ?? [];
    if (operation === undefined || ids === undefined) return refusal(new ChatApiError("not_found"));
    const headers = new Headers(init.headers);
    const key = headers.get("idempotency-key");
    const call = readCall(init);
    requests.push({ operation, body: call.body, key });
    const at = faults.findIndex((fault) => fault.operation === operation);
    const [fault] = at < 0 ? [] : faults.splice(at, 1);
    if (fault?.error !== undefined) return refusal(fault.error);
    try {
      const isKnown = key !== null && results.has(key);
      const result = isKnown ? results.get(key) : await answer(operation, ids, call);
      if (key !== null) results.set(key, result);
      if (fault !== undefined) throw new TypeError("fetch failed");
      if (operation !== "sendMessage") return Response.json(result, { status: isKnown ? 200 : 201 });
      const turn = result as ReturnType<typeof takeTurn>;
      if (headers.get("accept")?.includes("text/event-stream")) return streamed(turn);
      return Response.json({ item: await turn.end }, { status: isKnown ? 200 : 201 });
    } catch (error) {
      if (error instanceof ChatApiError) return refusal(error);
      throw error;
    }
  }

  return {
    fetch: respond,
    requests,
    get messages() {
      return latest()?.messages ?? [];
    },
    reply: (message, ends = Promise.resolve()) => void replies.push({ message, ends }),
    refuse: (operation, code, retryAfterSeconds) =>
      void faults.push({ operation, error: new ChatApiError(code, { retryAfterSeconds }) }),
    cut: (operation) => void faults.push({ operation }),
    write(text, name) {
      const stored = latest();
      if (stored === undefined) throw new Error("There is no chat yet");
      stored.chat = { ...stored.chat, mode: "teammate", teammate: { name } };
      append(stored, { role: "teammate", text, author: { name } });
    },
    signIn(next) {
      customer = next;
    },
  };
}

interface Call {
  body: unknown;
  file: File | undefined;
}

function readCall({ body }: RequestInit): Call {
  const part = body instanceof FormData ? body.get("file") : null;
  const file = part instanceof File ? part : undefined;
  return { body: typeof body === "string" ? JSON.parse(body) : null, file };
}

function refusal(error: ChatApiError): Response {
  return Response.json(bodyOfError(error, "request"), {
    status: error.status,
    headers: error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) },
  });
}

/** The operation of a path, with the IDs in it. */
function operationOf(method: string, path: string): [OperationName, Record<string, string>] | undefined {
  const names = Object.keys(operations) as OperationName[];
  for (const name of names) {
    const pattern = decodeURIComponent(
      operationPath(name, { chatId: "(?<chatId>[^/]+)", fileId: "(?<fileId>[^/]+)" }),
    );
    const found = new RegExp(`^${pattern}$`).exec(path);
    if (found !== null && operations[name].method === method) return [name, { ...found.groups }];
  }
  return undefined;
}
