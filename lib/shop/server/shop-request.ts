/** Requests to the shop's own routes, and their responses. */
import { readProcessConfig } from "#lib/bff/pages.ts";

/** An error response for the shop's pages. */
export class ShopRefusal extends Error {
  override name = "ShopRefusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The limit in UTF-16 code units. The shop's pages send much less. */
const maxBodyLength = 8 * 1_024;

/** Forms of other sites can post other types, but not this one. */
const jsonType = /^application\/json\s*(?:;|$)/i;

/** The body as an object. @throws ShopRefusal */
export async function readObject(request: Request): Promise<Readonly<Record<string, unknown>>> {
  if (!jsonType.test(request.headers.get("content-type") ?? ""))
    throw new ShopRefusal(415, "The body must be JSON.");
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of request.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > maxBodyLength) throw new ShopRefusal(413, "That is too much.");
  }
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return body as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ShopRefusal(400, "The body must be a JSON object.");
}

/**
 * True unless the request comes from a page of another origin. Browsers mark such requests in
 * `Sec-Fetch-Site`, and name the page's origin in every request that may change something.
 */
function isOwn({ method, headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  return method === "GET" || method === "HEAD" || headers.get("origin") === readProcessConfig().appOrigin;
}

/** A route for requests of the shop's own pages. */
export function shopRoute(respond: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    try {
      if (!isOwn(request)) throw new ShopRefusal(403, "Only the shop's own pages may ask this.");
      const response = await respond(request);
      response.headers.set("Cache-Control", "private, no-store");
      return response;
    } catch (error) {
      if (!(error instanceof ShopRefusal)) throw error;
      const { status, message } = error;
      return Response.json({ error: { message } }, { status, headers: { "Cache-Control": "no-store" } });
    }
  };
}
