import type { FormRequest } from "../../channel/agents/agent.ts";
import type { Passage } from "../knowledge/help-index.ts";
import { phrases } from "../replies/by-language.ts";
import { askForDetailsTool } from "../tools/ask-for-details.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { FormName } from "../understanding/requests.ts";
import type { Answer } from "./answer.ts";
import { answerFoundOrder } from "./answer-orders.ts";
import { joinSentences } from "./format.ts";

export function askWithForm(form: FormName, context: ToolContext): Answer {
  const request = askForDetailsTool.run({ form }, context);
  if (!request) return { text: phrases[context.language].unknown, offer: {} };
  return { text: request.purpose, form: request };
}

/** The answer to a form that was saved, skipped or cancelled. */
export function answerForm(
  collectionId: string,
  action: "save" | "skip" | "cancel",
  context: ToolContext,
): Answer {
  const say = phrases[context.language];
  if (action === "cancel") return { text: say.formCancelled };
  if (action === "skip") return { text: say.formSkipped };
  switch (collectionId) {
    case "find-my-order":
      return answerFoundOrder(context);
    case "return-request":
      return withPage(say.returnSaved, { slug: "returns", section: "how-to-return-by-post" }, context);
    case "workshop-booking":
      return withPage(
        say.bookingSaved(
          chosen("workshop-booking", "service_shop", context),
          chosen("workshop-booking", "service_day", context),
        ),
        { slug: "workshop-booking", section: null },
        context,
      );
    case "feedback":
      return { text: say.feedbackSaved };
    case "bike-fitting":
      return { text: say.fittingSaved };
    default:
      return { text: isHandoffForm(collectionId, context) ? say.handoffSaved : say.formSkipped };
  }
}

function isHandoffForm(collectionId: string, { shop }: ToolContext): boolean {
  return shop.data.forms.some(
    (form) => form.collectionId === collectionId && form.pendingAction === "handoff",
  );
}

/** The label of the chosen option, in the customer's language. */
function chosen(form: string, fieldId: string, context: ToolContext): string {
  const request: FormRequest | null = askForDetailsTool.run({ form }, context);
  const field = request?.fields.find((each) => each.field.id === fieldId)?.field;
  const answer = context.turn.collection.values.find(
    (value) => value.fieldId === fieldId && value.status === "accepted",
  );
  return field?.choices.find((choice) => choice.id === answer?.value)?.label ?? answer?.value ?? "";
}

/** Adds the help page's sentences about what happens next. */
function withPage(
  text: string,
  { slug, section }: { slug: string; section: string | null },
  context: ToolContext,
): Answer {
  const { shop, language, turn } = context;
  const ofPage = shop.help.passages.filter((passage) => passage.page.slug === slug);
  const english = ofPage.filter((passage) => passage.language === "en");
  const index = english.findIndex((passage) => passage.section.anchor === section);
  const own = ofPage.filter((passage) => passage.language === language);
  // Translated pages have the same sections in the same order, but may lack the last ones.
  const passage: Passage | undefined = own[index] ?? english[index];
  if (!passage) return { text };
  const citations = [shop.cite(passage, turn.now)];
  if (passage.language !== language) return { text, citations };
  const next = joinSentences(passage.section.sentences.slice(1, 3), language);
  return { text: joinSentences([text, next], language), citations };
}
