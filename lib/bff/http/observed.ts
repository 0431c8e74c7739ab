/** Wraps every request: assigns its ID, turns errors into responses, sets headers, writes one log line. */
import { randomUUID } from "node:crypto";
import { ChatApiError } from "../../chat-api/errors.ts";
import { headerNames } from "../../chat-api/headers.ts";
import { type LogFacts, type Logger, loggerOf, type Observe } from "../observability/observe.ts";
import { errorResponse, withHeaders, withoutBody } from "./responses.ts";

/** The log facts and response headers of one request. */
export interface RequestScope {
  readonly requestId: string;
  /**
   * A logger that adds the request's ID. Created on demand, because most requests log only their own line.
   */
  log(): Logger;
  /** Adds to the request's log line. Never a customer's text. */
  note(facts: LogFacts): void;
  /** Sets a header of the response, whether it is a success or an error. */
  setHeader(name: string, value: string): void;
  /**
   * Defers the log line of a response that continues after the handler has returned: the line is written when
   * the returned function is called.
   */
  deferLog(): () => void;
}

/** `randomUUID` takes its bytes from a store; `randomBytes` asks the system for those of each request. */
const newRequestId = () =>
  `req_${Buffer.from(randomUUID().replaceAll("-", ""), "hex").toString("base64url")}`;

/** nginx's status for a client that closed the connection before the response. */
const closedByBrowser = 499;

/** Gives the request an ID, turns errors into a response and writes one log line. */
export async function observed(
  observe: Observe,
  name: string,
  request: Request,
  run: (scope: RequestScope) => Promise<Response>,
): Promise<Response> {
  const requestId = newRequestId();
  const startedAt = performance.now();
  const facts: Record<string, LogFacts[string]> = {};
  const scopeHeaders: Record<string, string> = {};
  let status = 0;
  let isDeferred = false;

  observe({ type: "request_started", requestId, route: name });
  const finish = () => {
    const milliseconds = Math.round(performance.now() - startedAt);
    const { method } = request;
    observe({ type: "request", requestId, route: name, method, status, milliseconds, facts });
  };
  const scope: RequestScope = {
    requestId,
    log: () => loggerOf(observe, { requestId, route: name }),
    note: (more) => void Object.assign(facts, more),
    setHeader(header, value) {
      scopeHeaders[header] = value;
    },
    deferLog: () => {
      isDeferred = true;
      return finish;
    },
  };

  const response = await run(scope).catch((thrown) => refuse(thrown, request, scope));
  status = response.status;
  if (!isDeferred) finish();
  withHeaders(response, { ...scopeHeaders, [headerNames.requestId]: requestId });
  return request.method === "HEAD" ? withoutBody(response) : response;
}

/** Turns an error into a response. */
function refuse(thrown: unknown, request: Request, { requestId, log, note }: RequestScope): Response {
  const isExpected = thrown instanceof ChatApiError;
  // When the browser disconnects, work for it is aborted and fails with the signal's reason. Any other error
  // is still unexpected. Nobody reads this response; its status is for log and metrics.
  if (!isExpected && request.signal.aborted && thrown === request.signal.reason) {
    note({ outcome: "left" });
    return new Response(null, { status: closedByBrowser });
  }
  // An internal error: logged completely with the request ID that the customer sees; the response reveals
  // nothing.
  if (!isExpected) log().error({ event: "unexpected_error", err: thrown }, "Unexpected error in a request");
  const error = isExpected ? thrown : new ChatApiError("internal_error", { cause: thrown });
  note({ code: error.code });
  return errorResponse(error, requestId);
}
