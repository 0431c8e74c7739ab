import { limits } from "#lib/chat-api/limits.ts";
import type { Citation } from "#lib/chat-api/message.ts";
import type { Passage } from "../knowledge/help-index.ts";
import type { HelpPage } from "../knowledge/help-page.ts";
import { conceptTerm } from "../knowledge/search-terms.ts";
import { type Concept, conceptsOf } from "../language/concept-lexicon.ts";
import { phrases } from "../replies/by-language.ts";
import { type HelpFinding, searchHelpTool } from "../tools/search-help.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { HelpRequest } from "../understanding/requests.ts";
import { namedVariants } from "../understanding/topics.ts";
import type { Answer } from "./answer.ts";
import { formatList, joinSentences } from "./format.ts";

const citationsOfOverview = 3;

/** Answers from the help pages; null if they have none. `unknown`: words that were not understood. */
export function answerHelp(
  request: HelpRequest,
  unknown: readonly string[],
  context: ToolContext,
): Answer | null {
  const findings = searchHelpTool.run({ question: request.question, topics: [...request.carried] }, context);
  const [best] = findings;
  if (!best) return null;
  const beside = sectionsOf(namedVariants(request.reading), best, context);
  if (beside.length > 1) {
    const texts = beside.map(
      (passage) => `${passage.section.heading}: ${passage.section.sentences.slice(0, 3).join(" ")}`,
    );
    const citations = beside.map((passage) => context.shop.cite(passage, context.turn.now));
    return withNextStep(
      { text: quote({ passage: beside[0] ?? best.passage, text: texts.join("\n") }, context), citations },
      best.passage,
      context,
    );
  }
  if (request.extent !== "fact") return overview(request, best.passage, context);
  const near = findings.filter((finding) => finding.score > best.score * 0.6).slice(0, 3);
  const hedge = best.coverage < wellCovered && unknown.length > 0 ? notMentioned(unknown, context) : "";
  const text = joinParagraphs([hedge, quote(best, context)]);
  return withNextStep({ text, citations: citationsOf(near) }, best.passage, context);
}

/** The sections whose headings name one of the variants ("bronze or silver?"), if all are on one page. */
function sectionsOf(
  variants: readonly Concept[],
  best: HelpFinding,
  { shop, language }: ToolContext,
): Passage[] {
  const isLike = (passage: Passage) =>
    passage.language === best.passage.language || passage.language === language;
  const found = variants.flatMap(
    (variant) =>
      shop.help.passages.find((passage) => isLike(passage) && passage.heading.has(conceptTerm(variant))) ??
      [],
  );
  return found.every((passage) => passage.page === found[0]?.page) ? [...new Set(found)] : [];
}

/** Below this coverage of the question, the reply names the words that it does not answer. */
const wellCovered = 0.75;

function notMentioned(words: readonly string[], { language }: ToolContext): string {
  const quoted = words.map((word) =>
    language === "de" ? `„${word}“` : language === "fr" ? `« ${word} »` : `“${word}”`,
  );
  return phrases[language].notMentioned(formatList(quoted, language, "disjunction"));
}

function quote({ passage, text }: { passage: Passage; text: string }, { language }: ToolContext): string {
  return passage.language === language ? text : joinParagraphs([phrases[language].quoteIntroduction, text]);
}

function citationsOf(findings: readonly HelpFinding[]): Citation[] {
  return findings.map((finding) => finding.citation);
}

/** A page's introduction and first sections; for "everything", all passages about the topic. */
function overview(request: HelpRequest, found: Passage, context: ToolContext): Answer {
  const { shop, turn, language } = context;
  const say = phrases[language];
  const page = pageAbout(request, found, context);
  const own = shop.help.passages.filter((passage) => passage.page === page);
  const sections = own.filter((passage) => passage.section.heading !== null);
  const beginning = own[0]?.section.sentences.slice(0, 2) ?? [];
  const first = sections
    .slice(0, citationsOfOverview)
    .flatMap((passage) => passage.section.sentences.slice(0, 1));
  const text = joinSentences(
    [...(own[0] === sections[0] ? [] : beginning), ...first],
    page.locale === "ja" ? "ja" : "en",
  );
  const shown = quote({ passage: own[0] ?? found, text }, context);
  if (request.extent === "overview") {
    return {
      text: shown,
      citations: sections.slice(0, citationsOfOverview).map((passage) => shop.cite(passage, turn.now)),
    };
  }
  const elsewhere = shop.help.passages.filter(
    (passage) =>
      passage.page !== page &&
      passage.page.slug !== page.slug &&
      (passage.language === language || (passage.language === "en" && !isTranslated(passage, context))) &&
      topicsOf(request).some((topic) => passage.heading.has(topic)),
  );
  const cited = [...sections, ...elsewhere].slice(0, limits.citationsPerMessage);
  return {
    text: joinParagraphs([shown, say.everythingFound(cited.length)]),
    citations: cited.map((passage) => shop.cite(passage, turn.now)),
  };
}

function isTranslated(passage: Passage, { shop, language }: ToolContext): boolean {
  return shop.data.pages.some((page) => page.slug === passage.page.slug && page.locale === language);
}

/** The page whose subject is the topic; otherwise the page of the best passage. */
function pageAbout(request: HelpRequest, found: Passage, { shop, language }: ToolContext): HelpPage {
  const topics = topicsOf(request);
  const about = shop.help.passages.filter((passage) =>
    topics.some((topic) => passage.pageSubject.has(topic)),
  );
  const inLanguage = about.find(
    (passage) => passage.language === language && passage.page.slug === found.page.slug,
  );
  return (
    inLanguage?.page ??
    about.find((passage) => passage.page === found.page)?.page ??
    about.find((passage) => passage.language === language)?.page ??
    about.find((passage) => passage.language === "en")?.page ??
    found.page
  );
}

function topicsOf({ reading, carried }: HelpRequest): string[] {
  const concepts = [...reading.mentions.map(({ concept }) => concept), ...carried];
  return concepts
    .filter((concept) => conceptsOf.shop.has(concept) || conceptsOf.workshop.has(concept))
    .map(conceptTerm);
}

/** Offers the matching form beside an answer about how to return or book. */
function withNextStep(answer: Answer, { page, section }: Passage, { language }: ToolContext): Answer {
  const say = phrases[language];
  if (page.slug === "returns" && section.anchor?.startsWith("how-to-return-by-post"))
    return { ...answer, choices: [say.startReturn] };
  if (page.slug === "workshop-prices" || page.slug === "workshop-booking")
    return { ...answer, choices: [say.startBooking] };
  return answer;
}

function joinParagraphs(parts: readonly string[]): string {
  return parts.filter(Boolean).join("\n");
}
