import { limits } from "#lib/chat-api/limits.ts";
import type { Citation } from "#lib/chat-api/message.ts";
import type { Answer } from "../answer.ts";
import { findHelp } from "../knowledge/find-help.ts";
import type { Passage } from "../knowledge/help-index.ts";
import { lengthPattern } from "../language/figures.ts";
import { joinSentences } from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import { listOf, say } from "../language/replies.ts";
import { lastOf, type ToolContext } from "../tools/tool.ts";
import type { Wish } from "../understanding/dialogue.ts";

const citationsOfOverview = 3;
/** A question with one of these marks ("how long", "what does it cost") wants no overview. */
const facts = ["price", "free", "duration", "time", "contact"];

/** Answers from the sections of the wish's intent. */
export function answerHelp(wish: Wish, context: ToolContext): Answer {
  const { shop, language } = context;
  const { reading, row, before } = wish;
  if (asksSizeOfWhat(wish))
    return { text: "", ask: say(language, "sizeQuestion"), choices: listOf(language, "sizeQuestionChoices") };
  const of = sectionsFor(wish, context);
  const found = findHelp(shop.help, reading, { carried: carriedTerms(wish), of });
  const [best] = found;
  if (!best) return { text: say(language, "unknown"), offer: {} };
  const marks = reading.all("mark");
  if (marks.includes("everything")) return everything(best.passage, context);
  const { tokens, mentions } = reading;
  const isName = mentions.some(({ type, start, end }) => type === "theme" && end - start >= tokens.length);
  const isShort = isName || marks.includes("about") || tokens.length <= 2;
  const isGeneral = isShort && row.by === undefined && before === null;
  const asksFact = facts.some((fact) => marks.includes(fact));
  if (isGeneral && !asksFact && isOfPage(wish, best.passage, of, context))
    return overview(of[0] ?? best.passage, context);
  const named = found.filter(
    ({ passage }) =>
      row.by === "levels" &&
      reading.terms.some((term) => passage.heading.has(term) && !passage.subject.has(term)),
  );
  const summaries = named.map(
    ({ passage: { section } }) => `${section.heading}: ${section.sentences.slice(0, 3).join(" ")}`,
  );
  const isSaid = (text: string) => before !== null && lastOf("agent", context)?.text.includes(text) === true;
  return {
    text: quote(best.passage, named.length > 1 ? summaries.join("\n") : best.excerpt(isSaid), context),
    citations: cite([best.passage], context),
    choices: nextStep(best.passage, context),
  };
}

/** The words that few of the examples have. */
function tellingIn({ tokens }: Reading, { shop }: ToolContext): string[] {
  return tokens.map(({ stem }) => stem).filter((stem) => !shop.intents.isCommon(stem));
}

/** Whether the message names the page, or no section of it: "refunds", but not "crash replacement". */
function isOfPage({ reading }: Wish, best: Passage, of: readonly Passage[], context: ToolContext): boolean {
  const { shop } = context;
  const [usual = best] = of;
  const naming = tellingIn(reading, context);
  const sections = shop.help.passages.filter((each) => each.page === usual.page && each.section.heading);
  const isNamed = (passage: Passage) =>
    naming.length > 0 && naming.every((stem) => passage.heading.has(stem));
  if (usual.section.heading === null) return best === usual;
  if (naming.length > 0 && naming.every((stem) => usual.subject.has(stem)) && !sections.some(isNamed))
    return true;
  return usual === sections[0] && !isNamed(best);
}

/** Whether the message is about a size but not of what: anything worn or ridden has one. */
function asksSizeOfWhat({ row, reading, about }: Wish): boolean {
  const saysMore =
    reading.all("good").length + reading.all("size").length > 0 ||
    lengthPattern.test(reading.text) ||
    reading.all("detail").includes("measure");
  return row.by === "size" && about === null && !saysMore && reading.tokens.length <= 9;
}

/** The words of the earlier message and of its product that the question leaves out. */
function carriedTerms({ before, about }: Wish): string[] {
  const goods = about ? [...about.kinds, ...about.traits].map((good) => `#good ${good}`) : [];
  return [...(before?.terms ?? []), ...goods, ...(about ? [`#name ${about.name}`] : [])];
}

/**
 * The sections of the wish's intent; of those about places, the one about the place, or the goods,
 * that it names.
 */
function sectionsFor(
  { row, reading, before, about }: Wish,
  { shop, language }: ToolContext,
): readonly Passage[] {
  const listed = (row.help ?? []).map((name) => shop.help.section(name, language));
  if (row.by !== "place") return listed;
  const page = shop.help.passages.filter((passage) => passage.page === listed[0]?.page);
  // A section that names fewer places is more about each.
  const places = (passage: Passage) =>
    [...passage.heading].filter((term) => term.startsWith("#place")).length;
  const naming = (term: string, where: "heading" | "terms") =>
    page.filter((each) => each[where].has(term)).sort((one, other) => places(one) - places(other));
  const [place] = [reading, before].flatMap((each) => each?.all("place") ?? []);
  const goods = [...reading.all("good"), ...(about ? [...about.traits, ...about.kinds] : [])];
  const special = ["electric", "battery", "bike"].filter((good) => goods.includes(good));
  const [section] = [
    ...naming(`#place ${place}`, "heading"),
    ...naming(`#place ${place}`, "terms"),
    ...special.flatMap((good) => naming(`#good ${good}`, "heading")),
    ...listed,
  ];
  return section ? [section] : [];
}

function quote(passage: Passage, text: string, { language }: ToolContext): string {
  const introduction = passage.language === language ? "" : say(language, "quoteIntroduction");
  return [introduction, text].filter(Boolean).join("\n");
}

export function cite(passages: readonly Passage[], { shop, turn }: ToolContext): Citation[] {
  return passages.map((passage) => shop.cite(passage, turn.now));
}

/** A page's introduction and first sections. */
function overview(found: Passage, context: ToolContext): Answer {
  const [introduction, ...sections] = context.shop.help.passages.filter(({ page }) => page === found.page);
  const first = sections.slice(0, citationsOfOverview);
  const told = first.flatMap(({ section }) => section.sentences.slice(0, 1));
  const beginning = introduction?.section.sentences.slice(0, 2) ?? [];
  const text = joinSentences([...beginning, ...told], found.language);
  return { text: quote(found, text, context), citations: cite(first, context) };
}

/** The page and all sections of others that have one of its subjects. */
function everything(found: Passage, context: ToolContext): Answer {
  const { shop, language } = context;
  const { page } = found;
  const elsewhere = shop.help.passages.filter(
    ({ page: other, section, language: its }) =>
      other.slug !== page.slug &&
      its === found.language &&
      section.topics.some((topic) => page.topics.includes(topic)),
  );
  const own = shop.help.passages.filter((each) => each.page === page && each.section.heading !== null);
  const cited = [...own, ...elsewhere].slice(0, limits.citationsPerMessage);
  const text = [overview(found, context).text, say(language, "everythingFound", { count: cited.length })];
  return { text: text.join("\n"), citations: cite(cited, context) };
}

/** Offers the matching form beside an answer about how to return or book. */
function nextStep({ page, section }: Passage, { language }: ToolContext): string[] | undefined {
  if (page.slug.startsWith("workshop-")) return [say(language, "startBooking")];
  const isPostal = page.slug === "returns" && section.anchor?.startsWith("how-to-return-by-post");
  return isPostal ? [say(language, "startReturn")] : undefined;
}
