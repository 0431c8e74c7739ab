/** Customers who send "hello" to a channel and read each answer to its end. */
import { randomBytes } from "node:crypto";
import { encodeRequest, Wire } from "./wire.ts";

export const channelKey = "dep_benchmark";
export const chatKey = "ck_benchmark";

const headers = { authorization: `Bearer ${chatKey}`, "content-type": "application/json" };
const path = `/v1/channels/${channelKey}/chats`;
const newKey = () => randomBytes(12).toString("hex");
const body = JSON.stringify({ text: "hello" });
const done = Buffer.from("event: done\n");

interface Sender {
  wire: Wire;
  chatId: string;
}

export async function openSenders(port: number, count: number): Promise<Sender[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const wire = await Wire.open(port);
      const create = {
        method: "POST",
        path,
        headers: { ...headers, "idempotency-key": newKey() },
        body: "{}",
      };
      const made = await wire.send(encodeRequest(create));
      if (made.status !== 201) throw new Error(`A chat was answered ${made.status}: ${made.body}`);
      return { wire, chatId: JSON.parse(made.body.toString()).item.id };
    }),
  );
}

/** Sends a message and reads its answer to `done`. */
export async function sendOne({ wire, chatId }: Sender): Promise<void> {
  const request = encodeRequest({
    method: "POST",
    path: `${path}/${chatId}/messages`,
    headers: { ...headers, accept: "text/event-stream", "idempotency-key": newKey() },
    body,
  });
  let isDone = false;
  const end = Promise.withResolvers<void>();
  const onBytes = (bytes: Buffer) => {
    isDone ||= bytes.includes(done);
  };
  const { status, body: refusal } = await wire.stream(request, onBytes, end.resolve);
  if (status !== 201) throw new Error(`A message was answered ${status}: ${refusal}`);
  await end.promise;
  if (!isDone) throw new Error("A stream ended without `done`");
}
