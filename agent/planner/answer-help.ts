import { limits } from "#lib/chat-api/limits.ts";
import type { Citation } from "#lib/chat-api/message.ts";
import { findHelp, type HelpAnswer, inLanguage } from "../knowledge/find-help.ts";
import { type Passage, sectionNamed } from "../knowledge/help-index.ts";
import { termsOfReading } from "../knowledge/search-terms.ts";
import { listOf, say } from "../language/replies.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Wish } from "../understanding/dialogue.ts";
import { lengthsIn } from "../understanding/slots.ts";
import { asksSizeOfWhat } from "../understanding/understand.ts";
import type { Answer } from "./answer.ts";
import { joinSentences } from "./format.ts";

const citationsOfOverview = 3;

/** Which section of the delivery page is about a place; the others are about Europe beyond Ireland. */
const zones: Readonly<Record<string, string>> = {
  GB: "uk-mainland",
  islands: "highlands-islands-and-northern-ireland",
  IE: "ireland",
  JP: "outside-europe",
  KW: "outside-europe",
  abroad: "outside-europe",
};

/** Answers from the sections of the wish's intent. */
export function answerHelp(wish: Wish, context: ToolContext): Answer {
  const { shop, language } = context;
  if (asksSizeOfWhat(wish))
    return { text: "", ask: say(language, "sizeQuestion"), choices: listOf(language, "sizeQuestionChoices") };
  const passages = inLanguage(shop.help, sectionsFor(wish, context), language);
  const found = findHelp(shop.help, questionOf(wish), passages);
  const [best] = found;
  if (!best) return { text: say(language, "unknown"), offer: {} };
  const marks = wish.reading.all("mark");
  if (marks.includes("everything")) return everything(best.passage, context);
  const asksOne = ["price", "free", "duration", "time", "contact"].some((mark) => marks.includes(mark));
  if (
    (marks.includes("about") || wish.reading.tokens.length <= 2) &&
    !asksOne &&
    wish.row.by === undefined &&
    wish.before === null
  )
    return overview(best.passage, context);
  const near = found.filter((answer) => answer.score > best.score * 0.6).slice(0, 3);
  const named = found.filter(
    ({ passage }) =>
      wish.row.by === "levels" &&
      termsOfReading(wish.reading).some((term) => !shop.intents.isCommon(term) && passage.heading.has(term)),
  );
  const text =
    named.length > 1
      ? named
          .map(
            ({ passage }) => `${passage.section.heading}: ${passage.section.sentences.slice(0, 3).join(" ")}`,
          )
          .join("\n")
      : best.text;
  return withNextStep(
    { text: quote(best.passage, text, context), citations: citationsOf(near, context) },
    best.passage,
    context,
  );
}

/** The answer of the help pages to a question that no intent covers; null if none is about enough of it. */
export function searchedHelp(
  wish: Pick<Wish, "reading" | "before" | "about">,
  context: ToolContext,
): Answer | null {
  const [best] = findHelp(context.shop.help, questionOf(wish));
  const { tokens } = wish.reading;
  const telling = tokens.filter(({ stem }) => !context.shop.intents.isCommon(stem)).length;
  if (!best || best.coverage < enough || telling < 2) return null;
  return { text: quote(best.passage, best.text, context), citations: citationsOf([best], context) };
}

/** Minimum share of a question that a passage must cover: others are about something else. */
const enough = 0.75;

function questionOf({ reading, before, about }: Pick<Wish, "reading" | "before" | "about">) {
  const names = (of: string) => /^#(?:place|good|name)/.test(of);
  const own = new Set(
    termsOfReading(reading)
      .filter(names)
      .map((term) => term.split(" ")[0]),
  );
  // A new place or thing replaces the earlier one.
  const carried = before ? termsOfReading(before).filter((term) => !own.has(term.split(" ")[0] ?? "")) : [];
  const ofProduct = about ? [...about.kinds, ...about.traits].map((good) => `#good ${good}`) : [];
  return { reading, carried: [...carried, ...ofProduct], lengthsCm: lengthsIn(reading.text) };
}

/** The sections of the wish's intent; for delivery, the one about the place. */
function sectionsFor({ row, reading, before, about }: Wish, { shop }: ToolContext): Passage[] {
  const listed = (row.help ?? []).map((section) => sectionNamed(section, shop.help));
  if (row.by !== "place") return listed;
  const [place] = [...reading.all("place"), ...(before?.all("place") ?? [])];
  const zone = place === undefined ? undefined : (zones[place] ?? "the-rest-of-europe");
  const goods = new Set([...reading.all("good"), ...(about?.kinds ?? []), ...(about?.traits ?? [])]);
  const special =
    goods.has("electric") || goods.has("battery")
      ? "electric-bikes-and-batteries"
      : goods.has("bike")
        ? "bikes"
        : undefined;
  const first = zone ?? special;
  return [first === undefined ? listed[0] : sectionNamed(`delivery#${first}`, shop.help)].flatMap(
    (passage) => passage ?? [],
  );
}

/** A section in the customer's language, with its citation. */
export function citeSection(
  name: string,
  { shop, language, turn }: ToolContext,
): { passage: Passage; citation: Citation } {
  const english = sectionNamed(name, shop.help);
  const passage = inLanguage(shop.help, [english], language)[0] ?? english;
  return { passage, citation: shop.cite(passage, turn.now) };
}

function quote(passage: Passage, text: string, { language }: ToolContext): string {
  return passage.language === language
    ? text
    : [say(language, "quoteIntroduction"), text].filter(Boolean).join("\n");
}

function citationsOf(found: readonly HelpAnswer[], { shop, turn }: ToolContext): Citation[] {
  return found.map(({ passage }) => shop.cite(passage, turn.now));
}

/** A page's introduction and first sections. */
function overview({ page }: Passage, context: ToolContext): Answer {
  const { shop, turn } = context;
  const own = shop.help.passages.filter((passage) => passage.page === page);
  const sections = own.filter(({ section }) => section.heading !== null).slice(0, citationsOfOverview);
  const [first] = own;
  const beginning = first && first !== sections[0] ? first.section.sentences.slice(0, 2) : [];
  const told = sections.flatMap(({ section }) => section.sentences.slice(0, 1));
  const text = joinSentences([...beginning, ...told], page.locale === "ja" ? "ja" : "en");
  return {
    text: first ? quote(first, text, context) : text,
    citations: sections.map((passage) => shop.cite(passage, turn.now)),
  };
}

/** The page and all sections of others whose subject is one of its own. */
function everything(found: Passage, context: ToolContext): Answer {
  const { shop, turn, language } = context;
  const { page } = found;
  const isShown = (passage: Passage) =>
    passage.language === language ||
    (passage.language === "en" &&
      !shop.data.pages.some(({ slug, locale }) => slug === passage.page.slug && locale === language));
  const elsewhere = shop.help.passages.filter(
    (passage) =>
      passage.page.slug !== page.slug &&
      isShown(passage) &&
      passage.section.topics.some((topic) => page.topics.includes(topic)),
  );
  const own = shop.help.passages.filter(
    (passage) => passage.page === page && passage.section.heading !== null,
  );
  const cited = [...own, ...elsewhere].slice(0, limits.citationsPerMessage);
  const { text } = overview(found, context);
  return {
    text: [text, say(language, "everythingFound", { count: cited.length })].join("\n"),
    citations: cited.map((passage) => shop.cite(passage, turn.now)),
  };
}

/** Offers the matching form beside an answer about how to return or book. */
function withNextStep(answer: Answer, { page, section }: Passage, { language }: ToolContext): Answer {
  const isPostal = page.slug === "returns" && section.anchor?.startsWith("how-to-return-by-post");
  const step = isPostal ? "startReturn" : page.slug.startsWith("workshop-") ? "startBooking" : undefined;
  return step === undefined ? answer : { ...answer, choices: [say(language, step)] };
}
