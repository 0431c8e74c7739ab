/** Evaluates the agent against labelled sentences and short dialogues, and reports the differences. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Agent, AgentTurn } from "../../channel/agents/agent.ts";
import type { Shop } from "../knowledge/shop.ts";
import { languages } from "../language/languages.ts";
import { aCollection, type CollectedReply, lastReply, saying } from "../testing/turns.ts";

const Step = z.union([
  z.strictObject({ say: z.string(), file: z.string().optional() }),
  z.strictObject({
    form: z.string(),
    action: z.enum(["save", "skip", "cancel"]),
    values: z.record(z.string(), z.string()),
  }),
]);

const texts = z.array(z.string());
const counted = ["citations", "products", "orders", "choices"] as const;

/** The expectations that a label can have of a dialogue's last reply. */
const Expectations = z
  .strictObject({
    /** The first citation is one of these, or their translation: "page" or "page#anchor". */
    cites: texts,
    /** The fewest and the most of each. */
    counts: z.partialRecord(z.enum(counted), z.tuple([z.int(), z.int()])),
    says: texts,
    /** Exactly these products, in any order. */
    products: texts,
    includes: texts,
    orders: texts,
    /** The ID of the form that the reply opens; null if it must open none. */
    form: z.string().nullable(),
    offer: z.boolean(),
    /** The reply offers the team and shows nothing, because the agent does not know. */
    unknown: z.literal(true),
    /** The reply is small talk: text without sources, cards or form. */
    plain: z.literal(true),
  })
  .partial();

/** The expectations that a reply does not fulfil. */
function faultsOf({ expect, language }: EvaluationCase, reply: CollectedReply, shop: Shop): string[] {
  const [source] = reply.citations;
  const isCited = (wanted: string) =>
    source?.title.startsWith(shop.cite(shop.help.section(wanted, language), new Date()).title);
  const shown = reply.products.map(({ id }) => id);
  const found = reply.orders.map(({ reference }) => reference);
  const isCounted = (list: (typeof counted)[number]) => {
    const [fewest = 0, most = Number.POSITIVE_INFINITY] = expect.counts?.[list] ?? [];
    return reply[list].length >= fewest && reply[list].length <= most;
  };
  const holds: Record<keyof typeof expect, boolean | undefined> = {
    cites: expect.cites?.some(isCited),
    counts: counted.every(isCounted),
    says: expect.says?.every((each) => reply.text.includes(each)),
    products: expect.products && isSameSet(expect.products, shown),
    includes: expect.includes?.every((id) => shown.includes(id)),
    orders: expect.orders && isSameSet(expect.orders, found),
    form: expect.form === undefined || (reply.form?.collectionId ?? null) === expect.form,
    offer: expect.offer === undefined || (reply.offer !== null) === expect.offer,
    unknown: expect.unknown && isPlain(reply) && reply.offer !== null,
    plain: expect.plain && isPlain(reply),
  };
  return Object.entries(holds).flatMap(([name, isFulfilled]) => (isFulfilled === false ? [name] : []));
}

const Case = z.strictObject({
  language: z.enum(languages),
  group: z.string(),
  /** The ID of the signed-in customer; a guest when absent. */
  user: z.string().optional(),
  /** The chat's locale; the case's language by default. */
  locale: z.string().optional(),
  dialogue: z.array(Step).min(1),
  expect: Expectations,
});
export type EvaluationCase = z.infer<typeof Case>;

export async function readCases(path: URL): Promise<EvaluationCase[]> {
  return z.array(Case).parse(JSON.parse(await readFile(path, "utf8")));
}

/** The last reply of each dialogue. `faults`: the expectations that it does not fulfil. */
export async function evaluate(agent: Agent, cases: readonly EvaluationCase[], shop: Shop) {
  const results: { case: EvaluationCase; faults: readonly string[]; reply: CollectedReply }[] = [];
  for (const each of cases) {
    const { language } = each;
    const reply = await lastReply(agent, turnsOf(each));
    const faults = faultsOf(each, reply, shop);
    // Quotes and names may be in another language than the agent's own first line.
    const lines = [reply.text.split(/[\n:]/)[0] ?? "", reply.text.slice(0, 60), reply.text.slice(0, 300)];
    if (reply.text !== "" && !lines.some((text) => shop.languageOf(text, language) === language))
      faults.push("language");
    results.push({ case: each, faults, reply });
  }
  return results;
}

/** Whether a reply shows or cites something without a question or the offer of a person. */
export function isClaim({ citations, products, orders, asked, offer }: CollectedReply): boolean {
  return citations.length + products.length + orders.length > 0 && !asked && !offer;
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

function isSameSet(wanted: readonly string[], found: readonly string[]): boolean {
  return wanted.length === found.length && found.every((each) => wanted.includes(each));
}
