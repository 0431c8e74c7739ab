/** Decides which pages may call a route: the defence against cross-site requests (docs/production.md). */
import { ChatApiError } from "../../chat-api/errors.ts";
import type { Config } from "../configuration/env.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { Logger } from "../observability/observe.ts";
import type { RequestScope } from "./observed.ts";

/**
 * - `anywhere`: health checks, metrics (which need a token) and the widget's script.
 * - `own_pages`: scripts of the shop's pages only.
 * - `own_pages_or_address_bar`: any request of the shop's pages or of the address bar. For files, which
 *   `<img>` and links request without our header.
 */
export type PageRule = "anywhere" | "own_pages" | "own_pages_or_address_bar";

/** A page of another site cannot send this header without a CORS permission, which the BFF never gives. */
export const clientHeader = "x-chat-client";

export function createAllowedPages({ appOrigin, production }: Config, log: Logger) {
  const warned = new Set<string>();

  const remedy = (origin: string) =>
    `This page is at ${origin}, but APP_ORIGIN is ${appOrigin}. Open the shop there, or set APP_ORIGIN to the shop's address and restart. Pages and chat must have one origin.`;

  /**
   * A shop's own page at another origin than `APP_ORIGIN` is usually a wrong setting: another port, 127.0.0.1
   * instead of localhost, a preview deployment.
   */
  function warnOnce(origin: string): void {
    if (warned.size >= bffLimits.warnedOrigins || warned.has(origin) || !isOrigin(origin)) return;
    warned.add(origin);
    log.warn({ event: "origin_refused", origin }, remedy(origin));
  }

  return {
    /** A page of the shop whose chat server is at another origin begins with such a preflight. */
    notePreflight({ method, headers }: Request): void {
      const asked = headers.get("access-control-request-headers") ?? "";
      if (method === "OPTIONS" && asked.split(",").includes(clientHeader))
        warnOnce(headers.get("origin") ?? "");
    },
    /** @throws ChatApiError `request_not_allowed` */
    require({ method, headers }: Request, rule: PageRule, note: RequestScope["note"]): void {
      if (rule === "anywhere") return;
      const refusal = (reason: string, message?: string) => {
        note({ reason });
        return new ChatApiError("request_not_allowed", { message });
      };
      const origin = headers.get("origin");
      const site = headers.get("sec-fetch-site");
      if (origin !== null && origin !== appOrigin) {
        if (site === null || site === "same-origin") warnOnce(origin);
        throw refusal("origin", production ? undefined : remedy(origin));
      }
      const fromAddressBar = rule === "own_pages_or_address_bar" && site === "none";
      const isOurClient = headers.get(clientHeader) === "1";
      // Browsers send `Sec-Fetch-Site`. Old ones do not, and some proxies and privacy tools drop it: then an
      // `Origin`, or for reads our own header, which other sites cannot send, is enough.
      const isOurRead = method === "GET" && isOurClient;
      const sameOrigin = site === null ? origin !== null || isOurRead : site === "same-origin";
      if (!sameOrigin && !fromAddressBar) throw refusal("site");
      if (rule === "own_pages" && !isOurClient) throw refusal("client_header");
    },
  };
}

const longestOrigin = 300;

function isOrigin(text: string): boolean {
  return text.length <= longestOrigin && URL.parse(text)?.origin === text;
}
