/** Limits the query of every URL before anything parses it. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { bffLimits } from "../configuration/limits.ts";

export function hasTooManyParameters(query: string): boolean {
  return query.length > bffLimits.queryParameters && query.split("&").length > bffLimits.queryParameters;
}

export function tooManyParameters(): ChatApiError {
  return new ChatApiError("invalid_request", { message: "The address has too many parameters." });
}
