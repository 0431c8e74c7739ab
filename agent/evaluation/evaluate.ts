/** Evaluates the agent against labelled sentences and short dialogues, and reports the differences. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Message } from "#lib/chat-api/message.ts";
import type { Agent, AgentTurn } from "../../channel/agents/agent.ts";
import { openShop } from "../knowledge/shop.ts";
import { type Language, languages } from "../language/languages.ts";
import { say } from "../language/replies.ts";
import { aCollection, aMessage, aPicture, aTurn, type CollectedReply, collectReply } from "../testing.ts";

const Step = z.union([
  z.strictObject({ say: z.string(), file: z.string().optional() }),
  z.strictObject({
    form: z.string(),
    action: z.enum(["save", "skip", "cancel"]),
    values: z.record(z.string(), z.string()),
  }),
]);

/** The expected parts of a dialogue's last reply; unspecified parts may have any value. */
const Expectation = z.strictObject({
  /** The first citation is one of these: "page" or "page#anchor". */
  cites: z.array(z.string()).optional(),
  /** The first citation is from one of these pages, in any language. */
  page: z.array(z.string()).optional(),
  citations: z.int().optional(),
  citationsAtLeast: z.int().optional(),
  says: z.array(z.string()).optional(),
  notSays: z.array(z.string()).optional(),
  /** The reply shows exactly these products, in any order. */
  products: z.array(z.string()).optional(),
  includes: z.array(z.string()).optional(),
  productCount: z.int().optional(),
  productsAtLeast: z.int().optional(),
  orders: z.array(z.string()).optional(),
  orderCount: z.int().optional(),
  /** The ID of the form that the reply opens; null if it must open none. */
  form: z.string().nullable().optional(),
  choices: z.boolean().optional(),
  offer: z.boolean().optional(),
  asks: z.boolean().optional(),
  /** The reply offers the team and shows no sources, cards or form, because the agent does not know. */
  unknown: z.boolean().optional(),
  /** The reply is small talk: text without sources, cards or form. */
  plain: z.boolean().optional(),
  length: z.int().optional(),
});

const Case = z.strictObject({
  language: z.enum(languages),
  group: z.string(),
  /** The ID of the signed-in customer; a guest when absent. */
  user: z.string().optional(),
  /** The chat's locale; the case's language by default. */
  locale: z.string().optional(),
  dialogue: z.array(Step).min(1),
  expect: Expectation,
});
export type EvaluationCase = z.infer<typeof Case>;

export interface Miss {
  case: EvaluationCase;
  faults: readonly string[];
  reply: CollectedReply;
}

export interface Evaluation {
  total: number;
  misses: readonly Miss[];
  /** Misses that claim something: they show or cite without a doubt, a question or the offer of a person. */
  falseClaims: number;
  byGroup: ReadonlyMap<string, { total: number; right: number }>;
}

export async function readCases(path: string): Promise<EvaluationCase[]> {
  return z.array(Case).parse(JSON.parse(await readFile(path, "utf8")));
}

export async function evaluate(agent: Agent, cases: readonly EvaluationCase[]): Promise<Evaluation> {
  const misses: Miss[] = [];
  const byGroup = new Map<string, { total: number; right: number }>();
  for (const each of cases) {
    const reply = await runDialogue(agent, each);
    const faults = faultsOf(reply, each);
    if (faults.length > 0) misses.push({ case: each, faults, reply });
    for (const key of [each.language, each.group]) {
      const count = byGroup.get(key) ?? { total: 0, right: 0 };
      byGroup.set(key, { total: count.total + 1, right: count.right + (faults.length === 0 ? 1 : 0) });
    }
  }
  const falseClaims = misses.filter((miss) => isClaim(miss)).length;
  return { total: cases.length, misses, falseClaims, byGroup };
}

function isClaim({ case: { language }, reply }: Miss): boolean {
  const shows = reply.citations.length + reply.products.length + reply.orders.length > 0;
  const doubts = reply.asked || reply.offer !== null || reply.text.startsWith(say(language, "perhapsMeant"));
  return shows && !doubts;
}

/** Plays the dialogue as the channel would: each reply joins the next turn's history. */
async function runDialogue(
  agent: Agent,
  { dialogue, user, locale, language }: EvaluationCase,
): Promise<CollectedReply> {
  const history: Message[] = [];
  let reply: CollectedReply | undefined;
  for (const [index, step] of dialogue.entries()) {
    const overrides: Partial<AgentTurn> = {
      locale: locale ?? language,
      userId: user === undefined ? "guest-0001" : `cust.${user}`,
      history: [...history],
      operationId: `operation-${index}`,
    };
    const turn = "say" in step ? messageTurn(step, overrides) : formTurn(step, overrides);
    reply = await collectReply(agent, turn);
    if (turn.trigger.type === "message") history.push(turn.trigger.message);
    history.push(replyMessage(reply, index));
  }
  if (!reply) throw new Error("a dialogue has a step");
  return reply;
}

function messageTurn(
  step: { say: string; file?: string | undefined },
  overrides: Partial<AgentTurn>,
): AgentTurn {
  const files = step.file ? [aPicture(step.file)] : [];
  return aTurn(step.say, {
    ...overrides,
    trigger: { type: "message", message: aMessage({ text: step.say, files }) },
  });
}

function formTurn(
  step: { form: string; action: "save" | "skip" | "cancel"; values: Record<string, string> },
  overrides: Partial<AgentTurn>,
): AgentTurn {
  return aTurn("", {
    ...overrides,
    trigger: { type: "form", collectionId: step.form, action: step.action },
    collection: aCollection(step.values),
  });
}

function replyMessage(reply: CollectedReply, index: number): Message {
  return aMessage({
    id: `reply-${index}`,
    role: "agent",
    text: reply.text,
    citations: [...reply.citations],
    products: [...reply.products],
    orders: [...reply.orders],
    choices: [...reply.choices],
    handoffOffer: reply.offer
      ? { confirmationId: "offer-1", requiresEmail: false, nextAvailableAt: null, timezone: null }
      : null,
  });
}

function faultsOf(reply: CollectedReply, { expect, language }: EvaluationCase): string[] {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  const cited = reply.citations.map((citation) => sourceOf(citation.url, citation.title));
  const [first = "none"] = cited;
  const ids = reply.products.map((product) => product.id);
  const references = reply.orders.map((order) => order.reference);
  // Translated pages have anchors of their own.
  const isTranslated = /\/(?:de|fr|ar|ja)\/help\//.test(reply.citations[0]?.url ?? "");
  const pageOf = (source: string) => source.split("#")[0] ?? "";
  if (expect.cites) {
    const fits = (source: string) =>
      isTranslated ? pageOf(first) === pageOf(source) : first === source || first.startsWith(`${source}#`);
    check(expect.cites.some(fits), `cites ${first}`);
  }
  if (expect.page) check(expect.page.includes(pageOf(first)), `cites ${first}`);
  if (expect.citations !== undefined) check(cited.length === expect.citations, `${cited.length} citations`);
  if (expect.citationsAtLeast !== undefined)
    check(cited.length >= expect.citationsAtLeast, `${cited.length} citations`);
  for (const words of expect.says ?? [])
    check(reply.text.includes(words), `does not say ${JSON.stringify(words)}`);
  for (const words of expect.notSays ?? [])
    check(!reply.text.includes(words), `says ${JSON.stringify(words)}`);
  if (expect.products) check(isSameSet(ids, expect.products), `shows ${ids.join(", ") || "no products"}`);
  if (expect.includes)
    check(
      expect.includes.every((id) => ids.includes(id)),
      `shows ${ids.join(", ") || "no products"}`,
    );
  if (expect.productCount !== undefined) check(ids.length === expect.productCount, `${ids.length} products`);
  if (expect.productsAtLeast !== undefined)
    check(ids.length >= expect.productsAtLeast, `${ids.length} products`);
  if (expect.orders)
    check(isSameSet(references, expect.orders), `shows ${references.join(", ") || "no orders"}`);
  if (expect.orderCount !== undefined)
    check(references.length === expect.orderCount, `${references.length} orders`);
  if (expect.form !== undefined)
    check((reply.form?.collectionId ?? null) === expect.form, `form ${reply.form?.collectionId}`);
  if (expect.choices !== undefined) check(reply.choices.length > 0 === expect.choices, "choices");
  if (expect.offer !== undefined) check((reply.offer !== null) === expect.offer, "offer of the team");
  if (expect.asks !== undefined) check(reply.asked === expect.asks, "question at the end");
  const empty = cited.length === 0 && ids.length === 0 && references.length === 0 && reply.form === null;
  if (expect.unknown) check(empty && reply.offer !== null && reply.text !== "", "should not know");
  if (expect.plain) check(empty && reply.text !== "", "should only talk");
  if (expect.length !== undefined)
    check(reply.text.length === expect.length, `${reply.text.length} characters`);
  if (reply.text !== "") check(isIn(language, reply.text), "another language");
  return faults;
}

/** A citation as the labels write it: "delivery#ireland" from its URL, or its title if it has none. */
function sourceOf(url: string | null, title: string): string {
  if (url === null) return title.startsWith("In-store poster") ? "winter-check-poster" : title;
  const { pathname, hash } = new URL(url);
  return (pathname.split("/").at(-1) ?? "") + decodeURIComponent(hash);
}

/**
 * Whether a reply is in the language. Latin scripts are detected by the first line, which is the agent's own
 * text: quotes and names may be in another language.
 */
function isIn(language: Language, text: string): boolean {
  if (language === "ar") return /\p{Script=Arabic}/u.test(text);
  if (language === "ja") return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text);
  const [first = ""] = text.split("\n");
  return [first, text].some((part) => intents.languageOf(part.slice(0, 60), language) === language);
}

const { intents } = openShop("https://shop.example");

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value) => other.includes(value));
}
