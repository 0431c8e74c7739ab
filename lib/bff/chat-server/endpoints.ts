/** Every path below the base path, and its routes. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { decodedUri } from "../../chat-api/text.ts";
import type { ChatResponse } from "../exchange/chat-response.ts";
import { hasTooManyParameters, tooManyParameters } from "../http/addresses.ts";
import type { Bff } from "../http/bff-parts.ts";
import { observed } from "../http/observed.ts";
import { answerAt, type PathParams, type ReceivedRequest, type Route } from "../http/route.ts";
import { embed, embedChunk } from "../routes/embed.ts";
import { live, ready, stream } from "../routes/health.ts";
import { metrics } from "../routes/metrics.ts";
import * as operations from "../routes/operations.ts";
import { startSession } from "../routes/session.ts";

export const endpoints: Readonly<Record<string, readonly Route[]>> = {
  "/session": [startSession],
  "/chats": [operations.createChat],
  "/chats/{chatId}": [operations.getChat],
  "/chats/{chatId}/messages": [operations.listMessages, operations.sendMessage],
  "/chats/{chatId}/messages/latest": [operations.latestMessages],
  "/chats/{chatId}/files": [operations.uploadFile],
  "/chats/{chatId}/files/{fileId}": [operations.downloadFile],
  "/chats/{chatId}/collection": [operations.getCollection, operations.submitCollection],
  "/chats/{chatId}/handoff": [operations.handoff],
  "/health/live": [live],
  "/health/ready": [ready],
  "/health/stream": [stream],
  "/metrics": [metrics],
  "/embed.js": [embed],
  "/embed/{chunk}": [embedChunk],
};

export function answerRequest(bff: Bff, basePath: string, received: ReceivedRequest): Promise<ChatResponse> {
  const { pathname, search } = received.url;
  if (hasTooManyParameters(search)) return refuse(bff, received, tooManyParameters());
  const segments = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length).split("/") : [];
  for (const { pattern, routes } of byLength[segments.length] ?? []) {
    const params = matchPath(pattern, segments);
    if (params !== undefined) return answerAt(bff, routes, received, params);
  }
  return refuse(bff, received, new ChatApiError("not_found"));
}

function refuse(bff: Bff, { request }: ReceivedRequest, error: ChatApiError): Promise<ChatResponse> {
  return observed(bff, error.code === "not_found" ? "notFound" : "tooManyParameters", request, async () => {
    throw error;
  });
}

interface Endpoint {
  pattern: readonly string[];
  routes: readonly Route[];
}

/** Endpoints by the number of segments in their paths, including the empty one before the first slash. */
const byLength: Endpoint[][] = [];
for (const [path, routes] of Object.entries(endpoints)) {
  const pattern = path.split("/");
  byLength[pattern.length] = [...(byLength[pattern.length] ?? []), { pattern, routes }];
}

function matchPath(pattern: readonly string[], segments: readonly string[]): PathParams | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? "";
    // A segment that cannot be decoded stays unchanged and is not a valid ID.
    if (expected.startsWith("{")) params[expected.slice(1, -1)] = decodedUri(segment) ?? segment;
    else if (expected !== segment) return undefined;
  }
  return params;
}
