import type { Answer } from "../answer.ts";
import { joinSentences } from "../language/languages.ts";
import { say } from "../language/replies.ts";
import { formRequest } from "../tools/forms.ts";
import { answersOf, type ToolContext } from "../tools/tool.ts";
import { cite } from "./answer-help.ts";
import { answerFoundOrder } from "./answer-orders.ts";

export function askWithForm(form: string, context: ToolContext): Answer {
  return { text: say(context.language, `${form}Opened`), form: formRequest(form, context) };
}

/** The help pages that say what happens after a form. */
const sections: Readonly<Record<string, string>> = {
  "return-request": "returns#how-to-return-by-post",
  "workshop-booking": "workshop-booking",
};

/** The answer to a form that was saved, skipped or cancelled. */
export function answerForm(form: string, action: "save" | "skip" | "cancel", context: ToolContext): Answer {
  const { language, shop, turn } = context;
  if (action === "cancel") return { text: say(language, "formCancelled") };
  if (action === "save" && form === "find-my-order") return answerFoundOrder(context);
  const fields = formRequest(form, context)?.fields;
  if (action === "skip" || fields === undefined) return { text: say(language, "formSkipped") };
  const answers = Array.from(answersOf(turn), ([fieldId, value]) => {
    const choices = fields.find(({ field }) => field.id === fieldId)?.field.choices ?? [];
    return [fieldId, choices.find(({ id }) => id === value)?.label ?? value];
  });
  const text = say(language, `${form}Saved`, Object.fromEntries(answers));
  const section = sections[form];
  if (section === undefined) return { text };
  const passage = shop.help.section(section, language);
  const next = passage.language === language ? passage.section.sentences.slice(1, 3) : [];
  return { text: joinSentences([text, ...next], language), citations: cite([passage], context) };
}
