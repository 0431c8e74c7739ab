/**
 * The agent for building against the Chat API: a word brings each thing that a reply can carry. It needs no
 * shop. Any other text is repeated.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import { Field } from "#lib/chat-api/collection.ts";
import { limits } from "#lib/chat-api/limits.ts";
import type { Citation } from "#lib/chat-api/message.ts";
import type { Order } from "#lib/chat-api/order.ts";
import { Product } from "#lib/chat-api/product.ts";
import type { Agent, AgentEvent, AgentTurn, FormRequest } from "./agent.ts";

/** Milliseconds between two deltas of `slow`, whatever the agent's pace. */
const slowPace = 400;

interface Word {
  /** What the word brings, for `help` and the documentation. */
  brings: string;
  reply: (count: number) => Iterable<AgentEvent> | AsyncIterable<AgentEvent>;
}

/** The words, each the whole text of a message. `citations 20` shows twenty. */
export const sandboxWords: Readonly<Record<string, Word>> = {
  help: { brings: "this list", reply: () => says(helpText()) },
  citations: {
    brings: `sources of the answer; \`citations ${limits.citationsPerMessage}\` for as many as a message may have`,
    reply: (count) =>
      says("This is what the pages say.", { type: "citations", citations: many(citation, count) }),
  },
  products: {
    brings: `product cards, at most ${limits.productsPerMessage}`,
    reply: (count) =>
      says("These are in the catalogue.", { type: "products", products: many(product, count) }),
  },
  orders: {
    brings: `order cards, at most ${limits.ordersPerMessage}`,
    reply: (count) => says("These are the orders.", { type: "orders", orders: many(order, count) }),
  },
  choices: {
    brings: "replies to choose from; each is sent as the next message's text",
    reply: () => says("What shall I show?", { type: "choices", choices: ["products", "orders", "form"] }),
  },
  form: {
    brings: "a form with a field of each type, which may be skipped or cancelled",
    reply: () => says("Please fill this in.", { type: "request_form", form: returnForm }),
  },
  offer: {
    brings: "an offer to pass the chat to the team",
    reply: () => says("Shall I pass you on to the team?", { type: "offer_handoff" }),
  },
  "offer email": {
    brings: "an offer whose acceptance needs the customer's `email`",
    reply: () =>
      says("The team will reply by email. Shall I pass you on?", {
        type: "offer_handoff",
        requiresEmail: true,
      }),
  },
  "offer form": {
    brings: "an offer whose first acceptance answers `collection_incomplete` and opens a form",
    reply: () =>
      says("The team needs a few details first. Shall I pass you on?", {
        type: "offer_handoff",
        details: handoffForm,
      }),
  },
  question: {
    brings: "a closing question, which replaces the streamed text in `done`",
    reply: () => says("Let me see which one you mean. ", { type: "ask", text: "Which size do you need?" }),
  },
  long: { brings: "a reply of 400 words", reply: () => says(longText) },
  slow: { brings: "a reply of about four seconds", reply: slowly },
  fail: { brings: "no reply: the turn ends as `operation_interrupted`", reply: fails },
  close: {
    brings: "a reply that closes the chat: later writes answer `chat_closed`",
    reply: () => says("This chat is closed. Goodbye!", { type: "close_chat" }),
  },
};

/** @param pace Milliseconds between two words of a streamed reply */
export function createSandboxAgent({ pace }: { pace: number }): Agent {
  return {
    async *reply(turn, signal) {
      let isFirst = true;
      for await (const event of answer(turn)) {
        if (event.type === "text" && !isFirst && turn.isStreamed && pace > 0)
          await pause(pace, undefined, { signal });
        isFirst = false;
        yield event;
      }
    },
  };
}

function answer({ trigger }: AgentTurn): Iterable<AgentEvent> | AsyncIterable<AgentEvent> {
  if (trigger.type === "form") return says(`Thank you. The form was closed with "${trigger.action}".`);
  const text = trigger.message.text.trim().toLowerCase();
  const [, name = "", count] = /^(.*?)(?: (\d{1,3}))?$/.exec(text) ?? [];
  const word = Object.hasOwn(sandboxWords, name) ? sandboxWords[name] : undefined;
  return word === undefined ? echo(trigger.message) : word.reply(count === undefined ? 2 : Number(count));
}

/** "Echo: <text>" in at least three parts; names the files of a message. */
function* echo({ text, files }: Pick<AgentTurn["history"][number], "text" | "files">): Iterable<AgentEvent> {
  const names = files.map(({ filename }) => filename).join(", ");
  yield { type: "text", text: "Echo" };
  yield { type: "text", text: ": " };
  yield* inWords([text, names && `(${names})`].filter(Boolean).join(" "));
}

function* says(text: string, ...attached: AgentEvent[]): Iterable<AgentEvent> {
  yield* inWords(text);
  yield* attached;
}

function* inWords(text: string): Iterable<AgentEvent> {
  for (const word of text.match(/\s*\S+\s*/g) ?? []) yield { type: "text", text: word };
}

async function* slowly(): AsyncIterable<AgentEvent> {
  for (const event of inWords("This reply takes its time: a word, a pause, and so on.")) {
    await pause(slowPace);
    yield event;
  }
}

function* fails(): Iterable<AgentEvent> {
  yield { type: "text", text: "This reply " };
  throw new Error('The sandbox agent fails, because the message is "fail".');
}

function helpText(): string {
  const lines = Object.entries(sandboxWords).map(([word, { brings }]) => `${word}: ${brings}`);
  return [...lines, "anything else: an echo"].join("\n");
}

function many<T>(make: (number: number) => T, count: number): T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}

const citation = (number: number): Citation => ({
  title: `Help page ${number}`,
  url: number % 3 === 0 ? null : `https://shop.example/help/${number}`,
  updatedAt: number % 2 === 0 ? null : "2026-01-15T09:30:00.000Z",
});

/** The first has every field, the second has none that may be null. */
const product = (number: number): Product =>
  Product.parse({
    id: `product-${number}`,
    title: `Product ${number}`,
    clickAndCollectOnly: number % 2 === 0,
    ...(number % 2 === 1 && {
      brand: "Example",
      imageUrl: `https://shop.example/pictures/${number}.jpg`,
      productUrl: `https://shop.example/products/${number}`,
      inStock: true,
      price: { amount: 49.5, currency: "EUR", was: 59 },
    }),
  });

const order = (number: number): Order => {
  const isRepair = number % 2 === 0;
  return {
    reference: `A-${1000 + number}`,
    kind: isRepair ? "workshop" : "online",
    status: isRepair ? "Waiting for a part" : "On its way",
    complete: false,
    placedLabel: "12 January",
    dueLabel: isRepair ? null : "15 January",
    servicedItem: isRepair ? "Bicycle" : null,
    items: [
      { description: isRepair ? "Gear cable" : "Helmet", quantity: 1, arrived: isRepair ? false : null },
    ],
    store: isRepair ? { name: "High Street", phone: "+44 20 7946 0000" } : null,
  };
};

const required = (field: z.input<typeof Field>) => ({ field: Field.parse(field), required: true });

const returnForm: FormRequest = {
  collectionId: "return_request",
  purpose: "To register the return.",
  fields: [
    required({ id: "reference", label: "Order number", type: "text" }),
    required({
      id: "reason",
      label: "Reason",
      description: "Why the item comes back.",
      type: "choice",
      choices: [
        { id: "too_small", label: "Too small" },
        { id: "damaged", label: "Damaged" },
      ],
    }),
    { ...required({ id: "email", label: "Email address", type: "email" }), required: false },
  ],
  canSkip: true,
  canCancel: true,
};

const handoffForm: FormRequest = {
  collectionId: "handoff_details",
  purpose: "So that the team can help at once.",
  fields: [required({ id: "topic", label: "What is it about?", type: "text" })],
  canSkip: false,
  canCancel: true,
};

const longText = Array.from(
  { length: 40 },
  (_, index) => `Sentence ${index + 1} has ten words so that it fills lines.`,
).join(" ");
