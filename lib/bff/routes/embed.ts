/** Serves `<shop-chat>`: `embed.js`, which pages name, and the chunks that it imports. */
import { hash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { ChatApiError } from "../../chat-api/errors.ts";
import { publicRead, route } from "../http/route.ts";
import type { ChatRequest } from "../transport/chat-request.ts";
import type { ChatResponse } from "../transport/chat-response.ts";

/** The script has the same name in every version, so browsers must revalidate it. */
export const embed = route({ ...publicRead, name: "embed" }, ({ request }) =>
  fileResponse(request, "embed.js", "no-cache"),
);

/** A chunk's name contains a hash of its content, so browsers may cache it for ever. */
export const embedChunk = route({ ...publicRead, name: "embedChunk" }, ({ request }) => {
  const name = request.url.pathname.split("/").at(-1) ?? "";
  return fileResponse(request, `embed/${name}`, "public, max-age=31536000, immutable");
});

async function fileResponse(request: ChatRequest, name: string, cacheControl: string): Promise<ChatResponse> {
  const { embedFiles } = await import("./embed-files.ts");
  const encoded = Object.hasOwn(embedFiles, name) ? embedFiles[name] : undefined;
  if (encoded === undefined) throw new ChatApiError("not_found");
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
