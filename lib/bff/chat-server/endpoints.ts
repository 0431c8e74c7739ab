/** Every path below the base path, and its routes. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { operationNames, operations } from "../../chat-api/operations.ts";
import { decodedUri } from "../../chat-api/text.ts";
import { hasTooManyParameters, isNormalized, notAPath, tooManyParameters } from "../http/addresses.ts";
import type { Bff } from "../http/bff.ts";
import { observed } from "../http/observed.ts";
import type { ReceivedContext } from "../http/options.ts";
import type { PathParams, Route } from "../http/route.ts";
import { embed, embedChunk } from "../routes/embed.ts";
import { live, metrics, ready, stream } from "../routes/health.ts";
import { feedback, forgetChat } from "../routes/host.ts";
import { messagesBefore, newMessages, operationRoutes } from "../routes/operations.ts";
import { startSession } from "../routes/session.ts";

const ownEndpoints: Readonly<Record<string, readonly Route[]>> = {
  "/session": [startSession],
  "/chats/{chatId}/messages/before": [messagesBefore],
  "/chats/{chatId}/messages/news": [newMessages],
  "/chats/{chatId}/feedback": [feedback],
  "/chats/{chatId}/listed": [forgetChat],
  "/health/live": [live],
  "/health/ready": [ready],
  "/health/stream": [stream],
  "/metrics": [metrics],
  "/embed.js": [embed],
  "/embed/{chunk}": [embedChunk],
};

/** The operations at their paths in the contract, and the routes that the Chat API does not have. */
export const endpoints: Readonly<Record<string, readonly Route[]>> = {
  ...Object.fromEntries(
    operationNames.map((name) => {
      const { path } = operations[name];
      const atPath = operationNames.filter((one) => operations[one].path === path);
      return [path, atPath.map((one): Route => operationRoutes[one])];
    }),
  ),
  ...ownEndpoints,
};

/** Finds the route of a request and runs it inside `observed`, which turns its refusals into responses. */
export function respond(
  bff: Bff,
  basePath: string,
  request: Request,
  { url = new URL(request.url), target, ...context }: ReceivedContext,
): Promise<Response> {
  const { name, handle, params } =
    target === undefined || isNormalized(target, url)
      ? routeOf(basePath, request.method, url)
      : refusal("notAPath", notAPath());
  return observed(bff.observe, name, request, (scope) =>
    handle(bff, { ...context, request, url }, scope, params),
  );
}

type FoundRoute = Pick<Route, "name" | "handle"> & { params: PathParams };

function routeOf(basePath: string, method: string, { pathname, search }: URL): FoundRoute {
  if (hasTooManyParameters(search)) return refusal("tooManyParameters", tooManyParameters());
  const segments = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length).split("/") : [];
  for (const [pattern, routes] of patterns) {
    const params = matchPath(pattern, segments);
    if (params === undefined) continue;
    const route = routes.find(({ methods }) => methods.includes(method));
    if (route !== undefined) return { ...route, params };
    const allow = routes.flatMap(({ methods }) => methods).join(", ");
    return refusal("methodNotAllowed", new ChatApiError("method_not_allowed"), allow);
  }
  return refusal("notFound", new ChatApiError("not_found"));
}

function refusal(name: string, error: ChatApiError, allow?: string): FoundRoute {
  return {
    name,
    params: {},
    async handle({ allowedPages }, { request }, { setHeader }) {
      allowedPages.notePreflight(request);
      if (allow !== undefined) setHeader("Allow", allow);
      throw error;
    },
  };
}

const patterns = Object.entries(endpoints).map(([path, routes]) => [path.split("/"), routes] as const);

function matchPath(pattern: readonly string[], segments: readonly string[]): PathParams | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? "";
    // A segment that cannot be decoded stays unchanged and is not a valid ID.
    if (expected.startsWith("{")) params[expected.slice(1, -1)] = decodedUri(segment) ?? segment;
    else if (expected !== segment) return undefined;
  }
  return params;
}
