/** The BFF of this process, and Next's way in: the one place that holds state for a whole process. */
import "server-only";
import { type Bff, createBff } from "./bff.ts";
import { answerEndpoint, type EndpointPath } from "./endpoints.ts";
import { readProcessConfig } from "./env.ts";
import type { PathParams } from "./http/path-ids.ts";
import { answerNowhere } from "./http/route.ts";

/**
 * On `globalThis`, since Next gives each of its bundles (every route, the instrumentation) modules of its own: limits,
 * streams and connections must be one for all. Registered by name, so that every copy of this file finds the same.
 */
const place = Symbol.for("shop-chat.bff");
const holder: typeof globalThis & { [place]?: Bff } = globalThis;

/** Made at the first use, which is after the start: a build has no configuration. */
export function processBff(): Bff {
  holder[place] ??= createBff(readProcessConfig());
  return holder[place];
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
  return handlers(async (request, { params }) =>
    answerEndpoint(processBff(), path, request, (await params) ?? {}),
  );
}

/** The exports of the route file for all paths that have none. */
export function nowhere(): NextHandlers {
  return handlers((request) => answerNowhere(processBff(), request));
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
