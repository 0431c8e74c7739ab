/** Serves `<shop-chat>`: `embed.js`, which pages name, and the chunks that it imports. */
import { hash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { ChatApiError } from "../../chat-api/errors.ts";
import { publicRead, route } from "../http/route.ts";
import type { ChatRequest } from "../transport/chat-request.ts";
import type { ChatResponse } from "../transport/chat-response.ts";

/** The script has the same name in every version, so browsers must revalidate it. */
export const embed = route({ ...publicRead, name: "embed" }, async ({ request }) => {
  const encoded = await contentOf("embed.js");
  if (encoded === undefined) throw new ChatApiError("not_found");
  return fileResponse(request, encoded, "no-cache");
});

/** A chunk's name contains a hash of its content, so browsers may cache it for ever. */
export const embedChunk = route({ ...publicRead, name: "embedChunk" }, async ({ request }) => {
  const encoded = await contentOf(`embed/${request.url.pathname.split("/").at(-1)}`);
  if (encoded === undefined) return askAgain(request.url);
  return fileResponse(request, encoded, "public, max-age=31536000, immutable");
});

/** With two processes in random order, one request in 512 still fails after this many repetitions. */
const mostRepetitions = 8;

/**
 * While two versions serve side by side, a page of one also asks processes of the other for its chunks. The
 * redirect repeats the request, which a load balancer passes to the next process.
 */
function askAgain({ searchParams }: URL): ChatResponse {
  const repetition = Number(searchParams.get("again")) + 1;
  if (!(repetition >= 1 && repetition <= mostRepetitions)) throw new ChatApiError("not_found");
  return { status: 307, headers: { Location: `?again=${repetition}` }, body: "" };
}

async function contentOf(name: string): Promise<string | undefined> {
  const { embedFiles } = await import("./embed-files.ts");
  return Object.hasOwn(embedFiles, name) ? embedFiles[name] : undefined;
}

function fileResponse(request: ChatRequest, encoded: string, cacheControl: string): ChatResponse {
  const compressed = Buffer.from(encoded, "base64");
  const headers = {
    "Cache-Control": cacheControl,
    "Content-Type": "text/javascript; charset=utf-8",
    ETag: `"${hash("sha256", compressed, "base64url")}"`,
    Vary: "Accept-Encoding",
  };
  if (hasTag(request.headers.get("if-none-match"), headers.ETag)) return { status: 304, headers, body: null };
  if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? ""))
    return { status: 200, headers, body: gunzipSync(compressed) };
  return { status: 200, headers: { ...headers, "Content-Encoding": "gzip" }, body: compressed };
}

/** `If-None-Match` is a list of tags, compared without their weakness, or `*` (RFC 9110, section 13.1.2). */
function hasTag(ifNoneMatch: string | null, etag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
