import { expect, test } from "vitest";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import { openShop } from "../knowledge/shop.ts";
import { languageData, languages } from "../language/languages.ts";
import { namesOf } from "../language/replies.ts";
import choices from "../languages/choices.json" with { type: "json" };
import { certain } from "../learning/intents.ts";
import {
  aCollection,
  aTurn,
  type CollectedReply,
  collectReply,
  createShopAgent,
  lastReply,
  saying,
} from "../testing/turns.ts";
import { planTurn } from "./plan.ts";

const shop = openShop("https://shop.example");
const agent = createShopAgent({ shop, pace: 0 });

/** Sends the messages one after the other and returns the last reply. */
function talk(sentences: readonly string[], overrides: Partial<AgentTurn> = {}): Promise<CollectedReply> {
  return lastReply(
    agent,
    sentences.map((text) => ({ ...saying(text), ...overrides })),
  );
}

test("the same turn gets the same reply again", async () => {
  const turn = aTurn("compare helmets, and do you deliver to Ireland?");
  expect(await collectReply(agent, turn)).toEqual(await collectReply(agent, turn));
});

test.each([
  ["c2w", "/help/cycle-to-work"],
  ["p&p", "/help/delivery"],
  ["cooling-off period", "/help/returns#cancelling-within-14-days"],
  ["Returns and refunds: Gifts", "/help/returns#gifts"],
  ["guarentee", "/help/warranty"],
  ["lost parcle", "/help/delivery#parcels-that-are-late-or-lost"],
  ["sale of goods act", "/help/returns#faulty-damaged-or-wrong-items"],
  ["ebike battery", "/help/e-bike-batteries#charging-safely"],
  ["cycle to work scheme?", "/help/cycle-to-work#how-it-works"],
])("finds the page that the message only names: %s", async (name, page) => {
  expect((await talk([name])).citations[0]?.url).toContain(page);
});

test.each([
  ["cargobike", "tt-1002"],
  ["multi tool", "tt-6001"],
  ["innertubes", "tt-2002"],
  ["kestral", "tt-3001"],
  ["skerry gloves", "tt-4003"],
  ["fell2", "tt-1001"],
  ["rain jacket size L", "tt-4001"],
  ["wheel set", "tt-2001"],
  ["brake outer", "tt-2004"],
])("shows the product that the message only names: %s", async (name, id) => {
  expect((await talk([name])).products.map((product) => product.id)).toContain(id);
});

test("shows a doubt as meanings to pick from, each with its answer's beginning and source", () => {
  const rank = () => [
    { ...certain("return-policy"), confidence: 0.4 },
    { ...certain("test-ride"), confidence: 0.3 },
    { ...certain("workshop-book"), confidence: 0.2 },
  ];
  const torn = { ...shop, intents: { ...shop.intents, rank } };
  const { answer } = planTurn(aTurn("Und wie läuft das eigentlich bei euch ab?", { locale: "de" }), torn);
  expect(answer.ask?.split("\n")).toEqual([
    "Ich bin nicht sicher, was Sie meinen. Geht es um eines dieser Themen?",
    "• Rückgabe und Erstattung: Wie lange Sie Zeit haben: 60 Tage ab Lieferung oder Abholung.",
    expect.stringMatching(/^• Die richtige Rahmengröße: /),
  ]);
  expect(answer.citations).toHaveLength(2);
  expect(answer.choices).toEqual([
    "Rückgabe und Erstattung: Wie lange Sie Zeit haben",
    "Die richtige Rahmengröße",
    "Werkstatttermin buchen",
    "Mit einem Menschen sprechen",
  ]);
});

test.each(languages)("understands every reply that it suggests, in %s", (locale) => {
  const { whichMeaning, ...replies } = languageData[locale].replies;
  const pages = Object.values(namesOf(locale, "pageNames"));
  const suggested = [...pages, ...Object.keys(choices).flatMap((key) => [replies[key]].flat())];
  const doubted = suggested.filter((text) => {
    const { ask } = planTurn(aTurn(String(text), { locale }), shop).answer;
    return ask?.startsWith(String(whichMeaning));
  });
  expect(doubted).toEqual([]);
});

test.each([
  [["bikes under two and a half grand"], ["tt-1001", "tt-1004", "tt-1005"]],
  [["show me helmets", "I only have forty"], ["tt-3003"]],
  [["show me bikes", "under 2000", "make it 900"], ["tt-1005"]],
  [["Bitte zeigen Sie mir Ihre Fahrräder", "das darf höchstens vierhundert Pfund kosten"], ["tt-1005"]],
  [
    ["montrez-moi les casques", "disons quatre-vingts"],
    ["tt-3001", "tt-3003"],
  ],
  [["خوذة تحت خمسين جنيه"], ["tt-3003"]],
  [["got anything under a tenner"], ["tt-9001", "tt-8003", "tt-2004"]],
  [["予算は五十ポンドでヘルメット"], ["tt-3003"]],
])("keeps within a budget in words: %j", async (messages, ids) => {
  expect((await talk(messages)).products.map(({ id }) => id)).toEqual(ids);
});

test.each([
  ["en", "lights", ["tt-5001", "tt-5002"]],
  ["ja", "ライトを見せてください", ["tt-5001", "tt-5002"]],
  ["ar", "ستِل 18", ["tt-6001"]],
  ["de", "Multitool", ["tt-6001"]],
  ["en", "Show me lights in yen", ["tt-5003"]],
  ["en", "Do you have a multitool in dinar?", ["tt-6003"]],
])(
  "shows the shop's prices, and another market's listing when asked, in %s: %s",
  async (locale, text, ids) => {
    expect((await talk([text], { locale })).products.map(({ id }) => id)).toEqual(ids);
  },
);

test.each([
  ["en", "how much is it", "Delivery costs"],
  ["de", "was kostet das?", "Versandkosten"],
])("asks what a price is of, in %s", async (locale, message, choice) => {
  const { asked, choices, citations } = await talk([message], { locale });
  expect(asked).toBe(true);
  expect(choices).toContain(choice);
  expect(citations).toEqual([]);
});

test("does not compare an amount of other money with prices", async () => {
  const { text, products } = await talk(["rund hundert Euro"], { locale: "de" });
  expect(text).toMatch(/^Währungen kann ich nicht umrechnen/);
  expect(products).toEqual([]);
});

test.each([
  [
    "I bought a Fell 2 from you in March and I love it. It took me all over the Dales. Now the rear hub creaks when I climb. Is that something the warranty would cover?",
    "/help/warranty#what-is-covered",
  ],
  [
    "I ordered gloves and a jacket two weeks ago. The gloves are great. The jacket is too small, and I've thrown its bag away. Can I swap it for a large?",
    "/help/returns#exchanges-and-other-sizes",
  ],
])("answers the question that ends a long message: %s", async (message, page) => {
  const { citations, form } = await talk([message]);
  expect(citations.map(({ url }) => url)).toEqual([expect.stringContaining(page)]);
  expect(form).toBeNull();
});

test.each([
  [["lights", "are they usb"], "tt-5001"],
  [["stove", "what gas does it take"], "tt-8002"],
  [["tent", "any other colours"], "tt-8001"],
])("answers a question about what was shown from the catalogue: %j", async (messages, id) => {
  const { products, asked } = await talk(messages);
  expect(asked).toBe(false);
  expect(products.map((product) => product.id)).toContain(id);
});

test("keeps to the chat's language when one word could be of another", async () => {
  for (const word of ["gravelbike", "roadie", "adr"]) expect(planTurn(aTurn(word), shop).language).toBe("en");
  expect((await talk(["Kinderhelm"], { locale: "de" })).products).toMatchObject([{ id: "tt-3003" }]);
});

test("says that nothing is below a budget", async () => {
  const { text } = await talk(["a bike for two hundred quid"]);
  expect(text).toMatch(/^We have nothing of that kind up to £200\./);
});

test.each([
  [
    ["show me helmets", "not the kestrel"],
    ["tt-3002", "tt-3003"],
  ],
  [["no helmets, gloves please"], ["tt-4003", "tt-4004"]],
  [
    ["do you have a yellow helmet", "not yellow"],
    ["tt-3001", "tt-3002"],
  ],
  [
    ["which helmets do you have?", "not the first one"],
    ["tt-3002", "tt-3003"],
  ],
  [["not a gravel bike, a touring one"], ["tt-1004"]],
  [["not the Heron, the Mule"], ["tt-1002"]],
  [["I don't want the cargo bike, something lighter"], ["tt-1005", "tt-1001", "tt-1004"]],
  [["nicht den Kestrel, bitte zeigen Sie mir den Merlin"], ["tt-3002"]],
])("does not show what the customer refuses: %j", async (messages, ids) => {
  expect((await talk(messages)).products.map(({ id }) => id)).toEqual(ids);
});

test("books a repair for which the message names a day", async () => {
  for (const text of [
    "can you fix my brakes on friday in Brackwater",
    "my brakes squeal, any slots next week?",
  ]) {
    const { form, citations } = await talk([text]);
    expect([form?.collectionId, citations.length]).toEqual(["workshop-booking", 0]);
  }
});

test("a day and a shop in a list belong to the booking, another wish gets its own answer", async () => {
  const booking = await talk(["need new brake pads fitted, Kelderby, Saturday morning if poss"]);
  expect(booking.form?.collectionId).toBe("workshop-booking");
  expect(booking.citations).toEqual([]);
  const { form, products } = await talk(["I want to book a repair for friday and also buy a tube"]);
  expect([form?.collectionId, products[0]?.id]).toEqual(["workshop-booking", "tt-2002"]);
});

test("answers a question about the last answer with the part that it asks for", async () => {
  const first = await talk(["how much is delivery"]);
  const { text } = await talk(["how much is delivery", "and how long does that take?"]);
  expect(text).toBe("It takes two to three working days.");
  expect(first.text).toContain(text);
});

test.each([
  ["en", ["show me jackets", "is it waterproof?"], /keeps out rain/],
  ["en", ["show me jackets", "can it be sent to me?"], /^Standard delivery/],
  ["en", ["how do returns work?", "how much does that cost?"], /label is free/],
  ["en", ["I don't want to return it, I want to exchange it"], /first exchange/],
  ["de", ["Ich will es nicht zurückgeben, sondern umtauschen"], /erste Umtausch/],
  ["en", ["I don't want a refund, just a different colour"], /first exchange/],
  ["ja", ["返金ではなく、別の色にしてほしいです"], /初回無料/],
  ["en", ["can you fix a puncture", "can you do it while I wait"], /usually done while you wait/],
  ["fr", ["Je voudrais réserver une révision", "c'est combien ?"], /Crevaison/],
])("answers a follow-up or a correction, in %s: %j", async (locale, messages, answer) => {
  expect((await talk(messages, { locale })).text).toMatch(answer);
});

test.each([
  ["en", "anything other than Brant helmets?"],
  ["fr", "avez-vous des casques autres que Brant ?"],
])("shows no product of a refused brand, in %s", async (locale, message) => {
  expect((await talk([message], { locale })).products).toEqual([]);
});

test("shows the other one of those shown before", async () => {
  const dialogue = ["do you have gloves?", "the cheaper ones", "the other one"];
  expect((await talk(dialogue)).products.map(({ id }) => id)).toEqual(["tt-4003"]);
});

test("answers in the script of the message, and a name in the chat's language", async () => {
  expect((await talk(["ヘルメット"])).text).toMatch(/^該当/);
  expect((await talk(["wick 900"])).text).toMatch(/^Wick 900 lamp/);
});

test("says what it is, in the customer's language", async () => {
  expect((await talk(["are you chatgpt or what?"])).text).toContain("without a language model");
  expect((await talk(["welches Sprachmodell bist du?"])).text).toContain("ohne Sprachmodell");
});

test("says no sentence twice in a reply", async () => {
  const { text } = await talk(["do you deliver to France, and how much is the postage to France?"]);
  const sentences = text.split(/(?<=\.)\s+/);
  expect(new Set(sentences).size).toBe(sentences.length);
});

test("resolves a follow-up question by the products shown before it", async () => {
  expect((await talk(["which helmets do you have?", "and in red?"])).products).toMatchObject([
    { id: "tt-3001" },
  ]);
  expect((await talk(["which helmets do you have?", "the cheaper one"])).products).toMatchObject([
    { id: "tt-3003" },
  ]);
  expect((await talk(["which helmets do you have?", "which of them has a light?"])).products).toMatchObject([
    { id: "tt-3002" },
  ]);
});

test("takes an amount without a currency for pounds, and says that it cannot convert another one", async () => {
  expect((await talk(["which bikes do you have?", "something under 800"])).products).toMatchObject([
    { id: "tt-1005" },
  ]);
  const inEuros = await talk(["how much is the Fell 2 in euros?"]);
  expect(inEuros.text).toMatch(/I cannot convert currencies\. Fell 2 gravel bike: from £/);
  const { text, products } = await talk(["I have 20000 yen for a helmet"]);
  expect(text).toMatch(/^I cannot convert currencies\. We have 3/);
  expect(products).toHaveLength(3);
});

test.each([
  "do you buy used bikes?",
  "kauft ihr gebrauchte Fahrräder?",
  "achetez-vous des vélos d'occasion ?",
])("does not answer %j with bikes for sale", async (question) => {
  const { products, citations } = await talk([question]);
  expect(products).toEqual([]);
  expect(citations[0]?.url).toContain("/help/recycling#old-bicycles");
});

test.each([
  ["forget it, show me helmets"],
  ["do you deliver to Ireland?", "forget it, show me helmets"],
  ["انس الأمر، أرني الخوذات"],
  ["やっぱりいいです、ヘルメットを見せて"],
])("shows what is wanted instead: %j %j", async (...messages) => {
  const { products, citations } = await talk(messages);
  expect(products.map(({ id }) => id)).toEqual(["tt-3001", "tt-3002", "tt-3003"]);
  expect(citations).toEqual([]);
});

test("answers the question behind a greeting, even if the greeting is clearer", async () => {
  const { text, products } = await talk(["Guten Tag, haben Sie einen Helm für Kinder?"]);
  expect(text).toMatch(/^Hallo! Helm Hobby/);
  expect(products).toMatchObject([{ id: "tt-3003" }]);
});

test("shows first what comes close to a budget", async () => {
  const { products } = await talk(["my budget is 1500 quid, need something for touring"]);
  expect(products[0]).toMatchObject({ id: "tt-1004" });
});

test("shows the order of a reference without a question", async () => {
  const { orders } = await talk(["order TT-100482"], { userId: "cust.maya-okafor" });
  expect(orders).toMatchObject([{ reference: "TT-100482" }]);
});

test("leaves a matter alone when nothing came before it", async () => {
  expect((await talk(["never mind"])).offer).toBeNull();
});

test("suggests bikes for the way to work", async () => {
  const bikes = ["tt-1001", "tt-1002", "tt-1003"];
  const question = "8 miles each way, hilly, what would you suggest?";
  for (const before of [[], ["which bike would you recommend?"]])
    expect((await talk([...before, question])).products.map(({ id }) => id)).toEqual(bikes);
});

test("answers a request for everything with the maximum number of sources", async () => {
  const { citations } = await talk(["Everything about returns"]);
  expect(citations).toHaveLength(20);
  expect(new Set(citations.map((citation) => citation.url)).size).toBe(20);
});

test.each([
  ["what size helmet should I get", "helmet size", /sizing#helmets$/],
  ["I want to sell you my bicycle", "do you buy used bikes", /recycling#old-bicycles$/],
])("answers a question in other words from the same section: %s, %s", async (question, again, section) => {
  const [source] = (await talk([question, again])).citations;
  expect(source?.url).toMatch(section);
});

test.each([
  ["en", "What size do I need?", "Bike sizes"],
  ["fr", "Quelle taille me faut-il ?", "Tailles de vélo"],
])("asks what a size is for, in %s", async (locale, question, first) => {
  const reply = await talk([question], { locale });
  expect(reply).toMatchObject({ asked: true, citations: [] });
  expect(reply.choices[0]).toBe(first);
  const named = reply.choices.map((choice) => talk([question, choice], { locale }));
  for (const { asked, citations } of await Promise.all(named))
    expect([asked, citations.length]).toEqual([false, 1]);
});

test("a closing question replaces the streamed text", async () => {
  const reply = await talk(["which bike would you recommend?"]);
  expect(reply).toMatchObject({ asked: true });
  expect(reply.streamed).not.toBe(reply.text);
  expect(reply.choices.length).toBeGreaterThan(1);
});

test("asks again after nonsense, and offers the team after more of it", async () => {
  for (const nonsense of ["blorp fnord", "asdf qwer"])
    expect(await talk([nonsense])).toMatchObject({ offer: null, choices: { length: 4 } });
  expect((await talk(["blorp fnord", "zwibble"])).offer).not.toBeNull();
  expect((await talk(["what is the capital of France", "zwibble"])).offer).not.toBeNull();
});

test("asks for details before a handoff unless the customer is upset or gave them", async () => {
  expect((await talk(["I would like to speak to someone"])).offer?.details?.collectionId).toBe(
    "before-handoff",
  );
  expect((await talk(["This is outrageous, I have had enough"])).offer).toEqual({});
  const known = aCollection({ handoff_topic: "t_order", email: "a@example.com" });
  expect((await talk(["I would like to speak to someone"], { collection: known })).offer).toEqual({});
});

test("answers an angry question and offers a handoff", async () => {
  const reply = await talk(["I'm so angry, where is my order TT-100482"], { userId: "cust.maya-okafor" });
  expect(reply.orders.map((order) => order.reference)).toEqual(["TT-100482"]);
  expect(reply.offer).toEqual({});
});

test("shows an order only to its owner, or for its reference and e-mail", async () => {
  const found = async (order_reference: string, email: string, userId = "guest-0001") =>
    (
      await collectReply(
        agent,
        aTurn("", {
          userId,
          trigger: { type: "form", collectionId: "find-my-order", action: "save" },
          collection: aCollection({ order_reference, email }),
        }),
      )
    ).orders.map((order) => order.reference);
  expect(await found("tt 100482", " Maya.Okafor@example.com ")).toEqual(["TT-100482"]);
  expect(await found("TT-100482", "lukas.brandt@example.com")).toEqual([]);
  expect(await found("TT-100482", "", "cust.lukas-brandt")).toEqual([]);
  expect((await talk(["where is TT-100482?"], { userId: "cust.maya-okafor" })).orders).toHaveLength(1);
  const foreign = await talk(["where is TT-100482?"], { userId: "cust.lukas-brandt" });
  const unknown = await talk(["where is TT-999999?"], { userId: "cust.lukas-brandt" });
  // The replies for another customer's order and for a missing one are equal.
  expect(foreign.text.replace("TT-100482", "")).toBe(unknown.text.replace("TT-999999", ""));
  expect(foreign).toMatchObject({ orders: [], form: { collectionId: "find-my-order" } });
});

test("asks again for an order that was not found, then offers the team", async () => {
  const saved: Partial<AgentTurn> = {
    trigger: { type: "form", collectionId: "find-my-order", action: "save" },
    collection: aCollection({ order_reference: "TT-999999", email: "maya.okafor@example.com" }),
  };
  const first = await lastReply(agent, [saying("Where is my order?"), saved]);
  expect(first).toMatchObject({ form: { collectionId: "find-my-order" }, offer: null });
  expect(first.text).toMatch(/^I could not find an order/);
  const second = await lastReply(agent, [saying("Where is my order?"), saved, saved]);
  expect(second).toMatchObject({ form: null, offer: {} });
  expect(second.text).toMatch(/^I still could not find an order/);
});

test("the orders in a reply contain neither their owner nor an e-mail address", async () => {
  const { orders } = await talk(["show me all my orders"], { userId: "cust.kenji-mori" });
  expect(orders).toHaveLength(10);
  expect(JSON.stringify(orders)).not.toMatch(/owner|@/);
});

test("asks with a form in the customer's language", async () => {
  const { form } = await talk(["Ich möchte einen Termin in der Werkstatt buchen"]);
  expect(form?.fields[0]?.field.label).toBe("Was sollen wir ansehen?");
});

test("confirms a saved booking with its details", async () => {
  const reply = await collectReply(
    agent,
    aTurn("", {
      trigger: { type: "form", collectionId: "workshop-booking", action: "save" },
      collection: aCollection({ service_shop: "brackwater", service_day: "d_tue" }),
    }),
  );
  expect(reply.text).toContain("Brackwater, Tuesday");
});

test("acknowledges a file that is sent without text", async () => {
  const reply = await collectReply(agent, aTurn("", saying("", "hub.jpg")));
  expect(reply.text).toMatch(/I have your file/);
});

test("demonstration replies have the announced length, pace and silence", async () => {
  const waits: number[] = [];
  const performer = createShopAgent({
    shop,
    pace: 10,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
  });
  const deltas: string[] = [];
  for await (const event of performer.reply(aTurn("long answer"), new AbortController().signal)) {
    if (event.type === "text") deltas.push(event.text);
  }
  expect(Math.abs(deltas.length - 200)).toBeLessThan(20);
  expect(deltas.join("")).toMatch(/^.{2900,3000}(?<=\.)$/);
  waits.length = 0;
  await collectReply(performer, aTurn("slow answer"));
  expect(new Set(waits)).toEqual(new Set([2_000]));
  waits.length = 0;
  await collectReply(performer, aTurn("think for a minute"));
  expect(waits[0]).toBe(60_000);
  expect((await collectReply(performer, aTurn("say nothing"))).streamed).toBe("");
});

test("takes the name of a demonstration for one only if it is the whole message", async () => {
  const reply = await talk(["my neighbours say nothing about it to anybody"]);
  expect(reply.text).not.toBe("");
  expect((await talk(["Say nothing!"])).streamed).toBe("");
});

test("says that it does not know when the nearest page covers little of the question", async () => {
  const reply = await talk(["do you sponsor amateur racing teams with free delivery vans?"]);
  expect(reply.citations).toEqual([]);
});

test("answers unusual texts with deltas that join to the reply", async () => {
  const odd = [
    "",
    " ",
    "\u0000",
    "💥".repeat(2_000),
    "a".repeat(4_000),
    "((((",
    "' OR 1=1 --",
    "\ud800",
    "؟؟؟",
    "。。。",
    "%s %n",
  ];
  for (const text of odd) {
    const reply = await talk([text]);
    expect(reply.text.trim(), JSON.stringify(text.slice(0, 20))).not.toBe("");
    // A closing question replaces what was streamed.
    if (!reply.asked) expect(reply.text, "the deltas are the reply").toBe(reply.streamed);
  }
});
