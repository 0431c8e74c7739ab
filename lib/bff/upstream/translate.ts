/**
 * Translates the Chat API's errors for the browser: the "relay" column of the error table
 * (`#lib/chat-api/errors.ts`). The Chat API's sentences and request IDs stay here.
 */
import { ChatApiError, responseOf } from "../../chat-api/errors.ts";
import { operations } from "../../chat-api/operations.ts";
import { ChatConnectionError, ContractError } from "../../chat-client/errors.ts";
import type { Logger } from "../observability/observe.ts";
import type { OperatorErrors } from "./operator-errors.ts";
import { breachRemedy, connectionRemedy, contractRemedy, unspecifiedRemedy } from "./operator-errors.ts";

export interface TranslationContext {
  log: Logger;
  operatorErrors: OperatorErrors;
  random?: () => number;
}

/** The `Retry-After` of `chat_unavailable`, which stands for errors that customers do not see. */
const unavailableSeconds = 60;
const unreachableSeconds = 2;
/** The shortest `Retry-After` of `turn_in_progress`: about the duration of a reply. */
const turnSeconds = 2;
/** Spreads the retries of customers who were told the same time. */
const maxJitter = 0.2;

/** Translates a failed call into the error for the browser. Internal errors are returned unchanged. */
export function translateFailure(failure: unknown, context: TranslationContext): unknown {
  if (failure instanceof ChatApiError) return translateRefusal(failure, context);
  if (failure instanceof ContractError) {
    const { kind, operation, message, requestId } = failure;
    context.log.error(
      { event: "contract_breach", kind, upstreamRequestId: requestId, reason: message },
      contractRemedy(kind),
    );
    const isOfChatApi = kind !== "redirect" && kind !== "unreadable";
    return isOfChatApi && operations[operation].writes ? unreadWrite(failure) : unreachable(failure);
  }
  if (failure instanceof ChatConnectionError) {
    context.log.warn({ event: "upstream_unreachable", reason: failure.message }, connectionRemedy(failure));
    return unreachable(failure);
  }
  return failure;
}

/** The write may have taken effect, and its repetition would get the same response. */
function unreadWrite(cause: ContractError): ChatApiError {
  const code = cause.operation === "sendMessage" ? "operation_interrupted" : "internal_error";
  return new ChatApiError(code, { cause });
}

function unreachable(cause: Error): ChatApiError {
  return new ChatApiError("upstream_unreachable", { cause, retryAfterSeconds: unreachableSeconds });
}

function translateRefusal(
  failure: ChatApiError,
  { log, operatorErrors, random = Math.random }: TranslationContext,
): ChatApiError {
  const { code, field, requestId, unspecified, message } = failure;
  // An unknown code with a status of the 400s says nothing that the customer could change.
  const isUnknown = unspecified && code === "invalid_request";
  switch (isUnknown ? "breach" : responseOf(code).relay) {
    case "pass":
      if (code === "chat_limit_reached") operatorErrors.reportPlanLimit();
      return new ChatApiError(code, { field, retryAfterSeconds: waitOf(failure, random), cause: failure });
    case "hide":
      operatorErrors.report(failure);
      return new ChatApiError("chat_unavailable", { retryAfterSeconds: unavailableSeconds, cause: failure });
    case "breach":
      log.error(
        { event: "contract_breach", refusal: code, field, upstreamRequestId: requestId },
        unspecified ? unspecifiedRemedy(message, undefined) : breachRemedy,
      );
      return new ChatApiError("internal_error", { cause: failure });
  }
}

function waitOf({ code, rule, retryAfterSeconds }: ChatApiError, random: () => number): number | undefined {
  if (code === "turn_in_progress") return Math.max(retryAfterSeconds ?? 0, turnSeconds);
  if (retryAfterSeconds === undefined || rule.retry === "never") return retryAfterSeconds;
  return Math.ceil(retryAfterSeconds * (1 + random() * maxJitter));
}
