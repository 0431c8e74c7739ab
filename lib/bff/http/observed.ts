/**
 * Around every request: it gets its ID, what is thrown becomes its answer, the answer its headers, and one line is written
 * of it when all is over.
 */
import { randomBytes } from "node:crypto";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Bff } from "../bff.ts";
import type { LogFacts, Logger } from "../log.ts";
import { traced } from "../tracing.ts";
import { errorResponse, finishResponse } from "./responses.ts";

/** What is written down about one request. */
export interface Trace {
  readonly requestId: string;
  readonly log: Logger;
  note(facts: LogFacts): void;
  goesOn(): () => void;
}

const requestIdBytes = 16;

/** As nginx has it: the client closed the connection before there was an answer. */
const closedByBrowser = 499;

/** Gives the request its ID, turns what is thrown into its answer, and writes its one line. */
export async function observed(
  bff: Bff,
  name: string,
  request: Request,
  run: (trace: Trace) => Promise<Response>,
): Promise<Response> {
  const requestId = `req_${randomBytes(requestIdBytes).toString("base64url")}`;
  const startedAt = performance.now();
  const facts: Record<string, LogFacts[string]> = {};
  let status = 0;
  let goesOn = false;

  const leave = bff.streams.enter();
  const finish = () => {
    leave();
    const milliseconds = Math.round(performance.now() - startedAt);
    bff.log.info({
      event: "request",
      requestId,
      route: name,
      method: request.method,
      status,
      ...facts,
      milliseconds,
    });
    bff.metrics.countRequest(name, status, milliseconds);
  };
  const trace: Trace = {
    requestId,
    log: bff.log.child({ requestId, route: name }),
    note: (more) => void Object.assign(facts, more),
    goesOn: () => {
      goesOn = true;
      return finish;
    },
  };

  const work = { name: `bff ${name}`, attributes: { "bff.request_id": requestId }, root: true };
  const response = await traced(work, async (span) => {
    const answered = await run(trace).catch((thrown) => refuse(thrown, request, trace));
    span.setAttribute("http.response.status_code", answered.status);
    return answered;
  });
  status = response.status;
  if (!goesOn) finish();
  return finishResponse(response, requestId, bff.config.appOrigin.startsWith("https:"));
}

/** The one place where an error becomes a response. */
function refuse(thrown: unknown, request: Request, { requestId, log, note }: Trace): Response {
  const known = thrown instanceof ChatApiError;
  // What a browser has asked for is let go when it leaves, and says so with the reason of its signal: any other error is a
  // fault, then as ever. Nobody reads this answer; its status is for log and metrics.
  if (!known && request.signal.aborted && thrown === request.signal.reason) {
    note({ outcome: "left" });
    return new Response(null, { status: closedByBrowser });
  }
  // A fault of ours: whole in the log, with the ID that the customer sees; nothing of it outside.
  if (!known) log.error({ event: "fault", err: thrown }, "A request failed in a way that nobody foresaw");
  const error = known ? thrown : new ChatApiError("internal_error", { cause: thrown });
  note({ code: error.code });
  return errorResponse(error, requestId);
}
