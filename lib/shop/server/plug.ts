/**
 * "Pull the plug": breaks the demo's own channel on purpose, through its lab, and tells what became of a
 * message. Needs the key that the launchers give a demo on this machine, so it is never in front of a live
 * channel.
 */
import { readProcessConfig } from "#lib/bff/pages.ts";
import { attemptsOf, labKey } from "./attempts.ts";
import { chat } from "./chat.ts";
import { localChannel } from "./local-channel.ts";

/** The fault that the chat's next message meets, by its button. */
const faults: Readonly<Record<string, object>> = {
  cut: { fault: "drop", afterDeltas: 5 },
  slow: { fault: "stall", afterDeltas: 5, milliseconds: 8_000 },
  busy: { fault: "error", code: "rate_limited", milliseconds: 6_000 },
};

export function hasPlug(): boolean {
  return labKey !== undefined && localChannel() !== null;
}

/** Rejects with a TypeError while the channel is down. */
function lab(path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${labKey}`, "content-type": "application/json" };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return fetch(`${localChannel()}${path}`, { headers, signal: AbortSignal.timeout(5_000), ...init });
}

const refusal = (status: number) => new Response(null, { status });

/** A route for the shop's own pages: browsers say which page sends a request. */
function plugRoute(respond: (request: Request, query: URLSearchParams) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    if (!hasPlug()) return refusal(404);
    const { method, headers, url } = request;
    const isOwn =
      headers.get("sec-fetch-site") === "same-origin" &&
      (method === "GET" || headers.get("origin") === readProcessConfig().appOrigin);
    if (!isOwn) return refusal(403);
    const response = await respond(request, new URL(url).searchParams);
    response.headers.set("Cache-Control", "private, no-store");
    return response;
  };
}

/** `?what=…&chat=…`: kills the channel, or lets the chat's next message meet a fault. */
export const pullPlug = plugRoute(async (request, query) => {
  const [what, chatId] = [query.get("what") ?? "", query.get("chat") ?? undefined];
  const fault = faults[what];
  if (fault === undefined && what !== "kill") return refusal(400);
  const owns = chatId === undefined || (await ownsChat(request, chatId));
  if (owns !== true) return refusal(owns === false ? 404 : 503);
  if (fault === undefined) {
    // A killed channel does not answer.
    await lab("/lab/kill", {}).catch(() => undefined);
    return refusal(204);
  }
  const fail = { operation: "sendMessage", chatId, ...fault };
  const isSet = await lab("/lab/faults", fail).then(
    (response) => response.ok,
    () => false,
  );
  return refusal(isSet ? 204 : 503);
});

/**
 * `?chat=…&since=…&request=…`: how many of the customer's messages the channel has stored since then, null
 * while it cannot be asked; and the attempts of each request at the Chat API.
 */
export const readPlug = plugRoute(async (request, query) => {
  const chatId = query.get("chat") ?? "";
  const owns = await ownsChat(request, chatId);
  if (owns === false) return refusal(404);
  const attempts = query.getAll("request").map((id) => [id, attemptsOf(id)]);
  const messages = owns === true ? await storedMessages(chatId).catch(() => null) : null;
  const since = Number(query.get("since"));
  const isRecent = ({ role, createdAt }: StoredMessage) =>
    role === "visitor" && createdAt !== null && Date.parse(createdAt) >= since;
  const stored = messages?.filter(isRecent).length ?? null;
  return Response.json({ stored, attempts: Object.fromEntries(attempts) });
});

interface StoredMessage {
  role: string;
  createdAt: string | null;
}

async function storedMessages(chatId: string): Promise<readonly StoredMessage[] | null> {
  const response = await lab(`/team/chats/${encodeURIComponent(chatId)}`);
  return response.ok ? (await response.json()).item.messages : null;
}

/** Whether the chat is the caller's, which the chat server decides; undefined while it cannot tell. */
async function ownsChat({ url, headers }: Request, chatId: string): Promise<boolean | undefined> {
  const address = new URL(`${chat.basePath}/chats/${encodeURIComponent(chatId)}`, url);
  const own = new Headers({ "x-chat-client": "1" });
  for (const name of ["cookie", "sec-fetch-site", "x-forwarded-for"])
    if (headers.has(name)) own.set(name, headers.get(name) ?? "");
  const { status } = await chat.handle(new Request(address, { headers: own }));
  return status === 200 || (status < 500 && status !== 429 ? false : undefined);
}
