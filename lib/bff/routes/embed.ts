/** Serves `<shop-chat>`: `embed.js`, which pages name, and the chunks that it imports. */
import { hash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { ChatApiError } from "../../chat-api/errors.ts";
import { wholeResponse } from "../http/responses.ts";
import { type Call, publicRead, route } from "../http/route.ts";

/** The script has the same name in every version, so browsers must revalidate it. */
export const embed = route({ ...publicRead, name: "embed" }, async (call) => {
  const encoded = await contentOf("embed.js");
  if (encoded === undefined) throw new ChatApiError("not_found");
  return fileResponse(call, encoded, "no-cache");
});

/** A chunk's name contains a hash of its content, so browsers may cache it for ever. */
export const embedChunk = route({ ...publicRead, name: "embedChunk" }, async (call) => {
  const encoded = await contentOf(`embed/${call.url.pathname.split("/").at(-1)}`);
  if (encoded === undefined) return askAgain(call.url);
  return fileResponse(call, encoded, "public, max-age=31536000, immutable");
});

/** Number of repetitions. One request in 512 still fails then, with two processes in random order. */
const mostRepetitions = 8;

/**
 * While two versions serve side by side, a page of one also asks processes of the other for its chunks. The
 * redirect repeats the request, which a load balancer passes to the next process.
 */
function askAgain({ searchParams }: URL): Response {
  const repetition = Number(searchParams.get("again")) + 1;
  if (!(repetition >= 1 && repetition <= mostRepetitions)) throw new ChatApiError("not_found");
  return wholeResponse("", { Location: `?again=${repetition}` }, 307);
}

async function contentOf(name: string): Promise<string | undefined> {
  const { embedFiles } = await import("./embed-files.ts");
  return Object.hasOwn(embedFiles, name) ? embedFiles[name] : undefined;
}

function fileResponse(
  { request, dropsEncoding }: Pick<Call, "request" | "dropsEncoding">,
  encoded: string,
  cacheControl: string,
): Response {
  const compressed = Buffer.from(encoded, "base64");
  const headers = {
    "Cache-Control": cacheControl,
    "Content-Type": "text/javascript; charset=utf-8",
    ETag: `"${hash("sha256", compressed, "base64url")}"`,
    Vary: "Accept-Encoding",
  };
  if (hasTag(request.headers.get("if-none-match"), headers.ETag))
    return new Response(null, { status: 304, headers });
  if (dropsEncoding || !/\bgzip\b/.test(request.headers.get("accept-encoding") ?? ""))
    return wholeResponse(gunzipSync(compressed), headers);
  return wholeResponse(compressed, { ...headers, "Content-Encoding": "gzip" });
}

/** `If-None-Match` is a list of tags, compared without their weakness, or `*` (RFC 9110, section 13.1.2). */
function hasTag(ifNoneMatch: string | null, etag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
