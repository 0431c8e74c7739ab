/** The BFF of this process, and Next's way in: the one place that holds state for a whole process. */
import "server-only";
import { type Bff, createBff } from "./bff.ts";
import { answerEndpoint, type EndpointPath } from "./endpoints.ts";
import { isDevelopment, readProcessConfig } from "./env.ts";
import type { PathParams } from "./http/path-ids.ts";
import { answerNowhere } from "./http/route.ts";

/** The whole program, bound to its one set of limits, streams and connections. */
interface Program {
  bff: Bff;
  answerEndpoint: typeof answerEndpoint;
  answerNowhere: typeof answerNowhere;
}

/**
 * On `globalThis`, since Next gives its instrumentation and its routes modules of their own: limits, streams and
 * connections must be one for all. The functions are kept with them, so that all of a request is handled by one copy of
 * the code: an error class of one copy is not an `instanceof` of the other's.
 */
const place = Symbol.for("shop-chat.bff");
const processPlace: typeof globalThis & { [place]?: Program } = globalThis;
/** In development a change of the code makes new modules, which must not meet the old program. */
const modulePlace: { [place]?: Program } = {};

/** Made at the first use, which is after the start: a build has no configuration. */
function processProgram(): Program {
  const holder = isDevelopment() ? modulePlace : processPlace;
  holder[place] ??= { bff: createBff(readProcessConfig()), answerEndpoint, answerNowhere };
  return holder[place];
}

export function processBff(): Bff {
  return processProgram().bff;
}

export type NextHandler = (
  request: Request,
  context: { params: Promise<PathParams | undefined> },
) => Promise<Response>;

/** Every method that Next would otherwise answer by itself, without our headers. */
type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
export type NextHandlers = Readonly<Record<Method, NextHandler>>;

// The handlers made here: what a route file exports and is not among them has not passed the pipeline.
const made = new WeakSet<NextHandler>();

export function isPipelineHandler(handler: unknown): boolean {
  return typeof handler === "function" && made.has(handler as NextHandler);
}

/** The exports of the route file at this path. */
export function endpoint(path: EndpointPath): NextHandlers {
  return handlers(async (request, { params }) => {
    const { bff, ...program } = processProgram();
    return program.answerEndpoint(bff, path, request, (await params) ?? {});
  });
}

/** The exports of the route file for all paths that have none. */
export function nowhere(): NextHandlers {
  return handlers((request) => {
    const { bff, ...program } = processProgram();
    return program.answerNowhere(bff, request);
  });
}

function handlers(handler: NextHandler): NextHandlers {
  made.add(handler);
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}
