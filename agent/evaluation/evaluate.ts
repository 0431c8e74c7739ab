/** Evaluates the agent against labelled sentences and short dialogues, and reports the differences. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Agent, AgentTurn } from "../../channel/agents/agent.ts";
import { type Language, languages } from "../language/languages.ts";
import { say } from "../language/replies.ts";
import type { LanguageGuess } from "../learning/tongues.ts";
import { aCollection, type CollectedReply, lastReply, saying } from "../testing/turns.ts";

const Step = z.union([
  z.strictObject({ say: z.string(), file: z.string().optional() }),
  z.strictObject({
    form: z.string(),
    action: z.enum(["save", "skip", "cancel"]),
    values: z.record(z.string(), z.string()),
  }),
]);

/** What a label can expect of a dialogue's last reply: its schema, and whether a reply fulfils it. */
function expected<T>(schema: z.ZodType<T>, holds: (wanted: T, reply: CollectedReply) => boolean) {
  return {
    schema: schema.optional(),
    holds: (wanted: unknown, reply: CollectedReply) => holds(schema.parse(wanted), reply),
  };
}
const texts = z.array(z.string());
const counted = z.partialRecord(
  z.enum(["citations", "products", "orders", "choices"]),
  z.tuple([z.int(), z.int()]),
);
const expectations = {
  /** The first citation is one of these: "page" or "page#anchor". Translated pages have other anchors. */
  cites: expected(texts, (wanted, reply) => {
    const { page, source, isTranslated } = firstSource(reply);
    return wanted.some((each) =>
      isTranslated ? page === each.split("#")[0] : `${source}#`.startsWith(`${each}#`),
    );
  }),
  /** The fewest and the most of each. */
  counts: expected(counted, (wanted, reply) =>
    counted.keyType.options.every((list) => {
      const [fewest = 0, most = Number.POSITIVE_INFINITY] = wanted[list] ?? [];
      return reply[list].length >= fewest && reply[list].length <= most;
    }),
  ),
  says: expected(texts, (wanted, { text }) => wanted.every((each) => text.includes(each))),
  /** Exactly these products, in any order. */
  products: expected(texts, (ids, { products }) => isSameSet(ids, products, "id")),
  includes: expected(texts, (ids, { products }) =>
    ids.every((wanted) => products.some(({ id }) => id === wanted)),
  ),
  orders: expected(texts, (wanted, { orders }) => isSameSet(wanted, orders, "reference")),
  /** The ID of the form that the reply opens; null if it must open none. */
  form: expected(z.string().nullable(), (id, { form }) => (form?.collectionId ?? null) === id),
  offer: expected(z.boolean(), (wanted, { offer }) => (offer !== null) === wanted),
  /** The reply offers the team and shows nothing, because the agent does not know. */
  unknown: expected(z.literal(true), (_, reply) => isPlain(reply) && reply.offer !== null),
  /** The reply is small talk: text without sources, cards or form. */
  plain: expected(z.literal(true), (_, reply) => isPlain(reply)),
};

const Case = z.strictObject({
  language: z.enum(languages),
  group: z.string(),
  /** The ID of the signed-in customer; a guest when absent. */
  user: z.string().optional(),
  /** The chat's locale; the case's language by default. */
  locale: z.string().optional(),
  dialogue: z.array(Step).min(1),
  expect: z.strictObject(
    Object.fromEntries(Object.entries(expectations).map(([name, { schema }]) => [name, schema])),
  ),
});
export type EvaluationCase = z.infer<typeof Case>;

export async function readCases(path: URL): Promise<EvaluationCase[]> {
  return z.array(Case).parse(JSON.parse(await readFile(path, "utf8")));
}

/** The last reply of each dialogue. `faults`: the expectations that it does not fulfil. */
export async function evaluate(agent: Agent, cases: readonly EvaluationCase[], languageOf: LanguageGuess) {
  const results: { case: EvaluationCase; faults: readonly string[]; reply: CollectedReply }[] = [];
  for (const each of cases) {
    const { language, expect } = each;
    const reply = await lastReply(agent, turnsOf(each));
    const faults = Object.entries(expectations)
      .filter(([name, { holds }]) => expect[name] !== undefined && !holds(expect[name], reply))
      .map(([name]) => name);
    // Quotes and names may be in another language than the agent's own first line.
    const lines = [reply.text.split(/[\n:]/)[0] ?? "", reply.text.slice(0, 60), reply.text.slice(0, 300)];
    if (reply.text !== "" && !lines.some((text) => languageOf(text, language) === language))
      faults.push("language");
    results.push({ case: each, faults, reply });
  }
  return results;
}

/** Whether a reply shows or cites something without a doubt, a question or the offer of a person. */
export function isClaim(reply: CollectedReply, language: Language): boolean {
  const shows = reply.citations.length + reply.products.length + reply.orders.length > 0;
  return shows && !reply.asked && !reply.offer && !reply.text.startsWith(say(language, "perhapsMeant"));
}

function turnsOf({ dialogue, user, locale, language }: EvaluationCase): Partial<AgentTurn>[] {
  const common = { locale: locale ?? language, userId: user === undefined ? "guest-0001" : `cust.${user}` };
  return dialogue.map((step) =>
    "say" in step
      ? { ...common, ...saying(step.say, step.file) }
      : {
          ...common,
          trigger: { type: "form", collectionId: step.form, action: step.action },
          collection: aCollection(step.values),
        },
  );
}

function isPlain({ text, citations, products, orders, form }: CollectedReply): boolean {
  return text !== "" && citations.length + products.length + orders.length === 0 && form === null;
}

/**
 * The first citation as the labels write it: "delivery#ireland" from its URL, or its title if it has
 * none.
 */
function firstSource({ citations: [first] }: CollectedReply) {
  if (!first) return { page: "", source: "", isTranslated: false };
  if (first.url === null) {
    const page = first.title.startsWith("In-store poster") ? "winter-check-poster" : first.title;
    return { page, source: page, isTranslated: false };
  }
  const { pathname, hash } = new URL(first.url);
  const page = pathname.split("/").at(-1) ?? "";
  return { page, source: page + decodeURIComponent(hash), isTranslated: !pathname.startsWith("/help/") };
}

function isSameSet<Key extends string>(
  wanted: readonly string[],
  items: readonly Record<Key, string>[],
  key: Key,
) {
  return wanted.length === items.length && items.every((item) => wanted.includes(item[key]));
}
