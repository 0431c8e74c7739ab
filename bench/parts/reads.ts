/** Reads of a chat over 32 connections, as fast as possible. */
import { eachTarget } from "../support/each-target.ts";
import { measureRepeats, rateFigures, ratesOf } from "../support/repeat.ts";
import { get, type Target } from "../support/targets.ts";
import { Wire } from "../support/wire.ts";

const connections = 32;

interface Reader {
  wire: Wire;
  request: Buffer;
}

export const reads = eachTarget(
  { title: `Chat reads, ${connections} connections`, figures: rateFigures("read") },
  async (target, { seconds }) => {
    const readers = await openReaders(target, connections);
    const repeats = await measureRepeats([target.program], readers, seconds, read);
    for (const { wire } of readers) wire.close();
    return ratesOf(repeats);
  },
);

/** Connections that read the chat of one customer. */
async function openReaders(target: Target, count: number): Promise<Reader[]> {
  const customer = await target.customer();
  const request = get(target, customer, `/chats/${customer.chatId}`);
  return Promise.all(
    Array.from({ length: count }, async () => ({ wire: await Wire.open(target.port), request })),
  );
}

async function read({ wire, request }: Reader): Promise<void> {
  const { status, body } = await wire.send(request);
  if (status !== 200) throw new Error(`A read was answered ${status}: ${body.subarray(0, 300)}`);
}
