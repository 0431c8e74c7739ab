/** Customers who send "hello" to a channel and read each answer to its end. */
import { randomBytes } from "node:crypto";
import { Wire, type WireRequest } from "./wire.ts";

export const channelKey = "dep_benchmark";
export const chatKey = "ck_benchmark";

const headers = { authorization: `Bearer ${chatKey}`, "content-type": "application/json" };
const path = `/v1/channels/${channelKey}/chats`;

interface Sender {
  wire: Wire;
  chatId: string;
}

function post(pathBelow: string, accept: string, body: object): WireRequest {
  const all = { ...headers, accept, "idempotency-key": randomBytes(12).toString("hex") };
  return { method: "POST", path: `${path}${pathBelow}`, headers: all, body: JSON.stringify(body) };
}

export async function openSenders(port: number, count: number): Promise<Sender[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const wire = new Wire(port);
      const created = await wire.expect(201, post("", "application/json", {}));
      return { wire, chatId: JSON.parse(created.toString()).item.id };
    }),
  );
}

/** Sends a message and reads its answer to `done`. */
export async function sendOne({ wire, chatId }: Sender): Promise<void> {
  let isDone = false;
  await wire.expect(201, post(`/${chatId}/messages`, "text/event-stream", { text: "hello" }), (bytes) => {
    isDone ||= bytes.includes("event: done\n");
  });
  if (!isDone) throw new Error("A stream ended without `done`");
}
