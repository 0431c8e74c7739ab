/**
 * The customer's text and the one button that helps after a failure: those of its code, unless a look-up has
 * shown more. Texts are keys of the dictionaries.
 */
import { errorRules, type RemedyButton, type RuleText } from "../chat-api/errors.ts";
import { askedUntil, type Failure, longestPause } from "./failure.ts";

export type { RemedyButton };
export type RemedyText = RuleText | "send_again" | "closed_unanswered" | "team_took_over";

export interface Remedy {
  text: RemedyText;
  /** Null if there is nothing to do. */
  button: RemedyButton | null;
  /** True if a person outside the chat may be the next step: then the shop's contact line is shown. */
  showsContact: boolean;
}

const remedy = (text: RemedyText, button: RemedyButton | null): Remedy => ({
  text,
  button,
  showsContact: false,
});

/** The remedy of a code whose usual one does not apply, such as editing a request without a text. */
export const generalRemedy = remedy("could_not_be_sent", "try_again");

export function remedyFor({ code, isListed, mode }: Pick<Failure, "code"> & Partial<Failure>): Remedy {
  const rule = errorRules[code];
  // The look-up did not find the message. The text of a code without effect says so itself.
  if (isListed === false && rule.outcome !== "none") return remedy("send_again", "try_again");
  if (isListed === true && mode === "resolved") return remedy("closed_unanswered", null);
  if (isListed === true && (mode === "waiting" || mode === "teammate")) return remedy("team_took_over", null);
  // It was stored without an answer: the cause makes no difference to the customer.
  if (isListed === true && code !== "operation_superseded") return remedy("no_answer", "ask_again");
  return rule;
}

/** When the button is enabled again, in ms since 1970, even after a reload; null if it is enabled. */
export function pausedUntil(failure: Failure, now: number): number | null {
  const until = askedUntil(failure);
  return until === null || until <= now ? null : Math.min(until, now + longestPause);
}
