/** Reads of a chat, and of a page of its messages, over 32 connections, as fast as possible. */
import { eachTarget } from "../support/each-target.ts";
import type { Part } from "../support/part.ts";
import { measureRepeats, rateFigures, ratesOf } from "../support/repeat.ts";
import { type Customer, get, longChat, type Target } from "../support/targets.ts";
import { Wire } from "../support/wire.ts";

const connections = 32;

interface Reader {
  wire: Wire;
  request: Buffer;
}

const messagesOfPage = 20;

export const reads = readsOf("Chat reads", ({ chatId }) => `/chats/${chatId}`);

export const pages = readsOf(
  `Reads of a page of ${messagesOfPage} messages`,
  (customer) => `/chats/${longChat(customer, messagesOfPage)}/messages`,
);

function readsOf(title: string, pathOf: (customer: Customer) => string): Part {
  return eachTarget(
    { title: `${title}, ${connections} connections`, figures: rateFigures("read") },
    async (target, { seconds }) => {
      const readers = await openReaders(target, pathOf);
      const repeats = await measureRepeats([target.program], readers, seconds, read);
      for (const { wire } of readers) wire.close();
      return ratesOf(repeats);
    },
  );
}

/** Connections that read the same path for one customer. */
async function openReaders(target: Target, pathOf: (customer: Customer) => string): Promise<Reader[]> {
  const customer = await target.customer();
  const request = get(target, customer, pathOf(customer));
  return Promise.all(
    Array.from({ length: connections }, async () => ({ wire: await Wire.open(target.port), request })),
  );
}

async function read({ wire, request }: Reader): Promise<void> {
  const { status, body } = await wire.send(request);
  if (status !== 200) throw new Error(`A read was answered ${status}: ${body.subarray(0, 300)}`);
}
