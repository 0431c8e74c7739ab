import { say } from "../language/replies.ts";
import { askForDetailsTool } from "../tools/ask-for-details.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Answer } from "./answer.ts";
import { citeSection } from "./answer-help.ts";
import { answerFoundOrder } from "./answer-orders.ts";
import { joinSentences } from "./format.ts";

export function askWithForm(form: string, context: ToolContext): Answer {
  const request = askForDetailsTool.run({ form }, context);
  if (!request) return { text: say(context.language, "unknown"), offer: {} };
  return { text: say(context.language, `${form}Opened`), form: request };
}

/** The answer to a form that was saved, skipped or cancelled. */
export function answerForm(
  collectionId: string,
  action: "save" | "skip" | "cancel",
  context: ToolContext,
): Answer {
  const { language } = context;
  if (action === "cancel") return { text: say(language, "formCancelled") };
  if (action === "skip") return { text: say(language, "formSkipped") };
  switch (collectionId) {
    case "find-my-order":
      return answerFoundOrder(context);
    case "return-request":
      return withSection(say(language, "returnSaved"), "returns#how-to-return-by-post", context);
    case "workshop-booking": {
      const shop = chosen(collectionId, "service_shop", context);
      const day = chosen(collectionId, "service_day", context);
      return withSection(say(language, "bookingSaved", { shop, day }), "workshop-booking", context);
    }
    case "feedback":
      return { text: say(language, "feedbackSaved") };
    case "bike-fitting":
      return { text: say(language, "fittingSaved") };
    default:
      return { text: say(language, isHandoffForm(collectionId, context) ? "handoffSaved" : "formSkipped") };
  }
}

function isHandoffForm(collectionId: string, { shop }: ToolContext): boolean {
  return shop.data.forms.some(
    (form) => form.collectionId === collectionId && form.pendingAction === "handoff",
  );
}

/** The label of the chosen option, in the customer's language. */
function chosen(form: string, fieldId: string, context: ToolContext): string {
  const request = askForDetailsTool.run({ form }, context);
  const field = request?.fields.find((each) => each.field.id === fieldId)?.field;
  const answer = context.turn.collection.values.find(
    (value) => value.fieldId === fieldId && value.status === "accepted",
  );
  return field?.choices.find((choice) => choice.id === answer?.value)?.label ?? answer?.value ?? "";
}

/** Adds the help page's sentences about what happens next. */
function withSection(text: string, section: string, context: ToolContext): Answer {
  const { passage, citation } = citeSection(section, context);
  if (passage.language !== context.language) return { text, citations: [citation] };
  const next = joinSentences(passage.section.sentences.slice(1, 3), context.language);
  return { text: joinSentences([text, next], context.language), citations: [citation] };
}
