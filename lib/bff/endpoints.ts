/** Every path of the BFF and its routes. Next's files below `app/api` and the program without Next both serve this list. */
import type { Bff } from "./bff.ts";
import type { PathParams } from "./http/path-ids.ts";
import { answerAt, answerNowhere, type Route } from "./http/route.ts";
import { createChat, getChat } from "./routes/chats.ts";
import { getCollection, submitCollection } from "./routes/collection.ts";
import { downloadFile, uploadFile } from "./routes/files.ts";
import { handoff } from "./routes/handoff.ts";
import { live, ready } from "./routes/health.ts";
import { latestMessages, listMessages, sendMessage } from "./routes/messages.ts";
import { metrics } from "./routes/metrics.ts";
import { findOrder, listOrders } from "./routes/orders.ts";
import { endSession, readSession, startSession } from "./routes/session.ts";

export const endpoints = {
  "/session": [readSession, startSession, endSession],
  "/chats": [createChat],
  "/chats/{chatId}": [getChat],
  "/chats/{chatId}/messages": [listMessages, sendMessage],
  "/chats/{chatId}/messages/latest": [latestMessages],
  "/chats/{chatId}/files": [uploadFile],
  "/chats/{chatId}/files/{fileId}": [downloadFile],
  "/chats/{chatId}/collection": [getCollection, submitCollection],
  "/chats/{chatId}/handoff": [handoff],
  "/orders": [listOrders],
  "/orders/find": [findOrder],
  "/health/live": [live],
  "/health/ready": [ready],
  "/metrics": [metrics],
} as const satisfies Record<string, readonly Route[]>;

export type EndpointPath = keyof typeof endpoints;
export const endpointPaths = Object.keys(endpoints) as EndpointPath[];

export const apiPrefix = "/api";

/** Answers a request at one of the paths, whatever its method. */
export function answerEndpoint(
  bff: Bff,
  path: EndpointPath,
  request: Request,
  params: PathParams,
): Promise<Response> {
  return answerAt(bff, endpoints[path], request, params);
}

/** Answers any request below `/api`: what Next's file router does, for the program without it. */
export function answerRequest(bff: Bff, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const segments = pathname.split("/").slice(1);
  for (const path of endpointPaths) {
    const params = matchPath(`${apiPrefix}${path}`.split("/").slice(1), segments);
    if (params !== undefined) return answerEndpoint(bff, path, request, params);
  }
  return answerNowhere(bff, request);
}

function matchPath(pattern: readonly string[], segments: readonly string[]): PathParams | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (expected.startsWith("{")) params[expected.slice(1, -1)] = decodeSegment(segment);
    else if (expected !== segment) return undefined;
  }
  return params;
}

/** A segment that cannot be decoded stays as it is, and is no valid ID. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}
