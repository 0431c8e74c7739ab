/**
 * The Content Security Policy of the shop's pages, and what the chat needs in a host's own policy. The chat's
 * responses have their own (`http/responses.ts`).
 */
import type { Config } from "../configuration/env.ts";

export type PagePolicyConfig = Pick<Config, "production" | "appOrigin" | "imageHosts" | "cspReportUrl">;

/**
 * Scripts in production need this response's nonce or are loaded by one that has it, and styles come from
 * this origin or have the nonce. No site may frame the pages. Pictures come from the shop and the configured
 * hosts.
 */
export function pagePolicy(config: PagePolicyConfig, nonce: string): string {
  const { production, appOrigin, imageHosts, cspReportUrl } = config;
  const secure = appOrigin.startsWith("https:");
  const directives: Record<string, readonly string[]> = {
    "default-src": ["'none'"],
    // `strict-dynamic`: Next's loader, which has the nonce, may load its own chunks. React's development
    // build evaluates code.
    "script-src": [
      "'self'",
      `'nonce-${nonce}'`,
      "'strict-dynamic'",
      ...(production ? [] : ["'unsafe-eval'"]),
    ],
    // Next's error overlay, in development only, writes its own styles.
    "style-src": production ? ["'self'", `'nonce-${nonce}'`] : ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "blob:", ...(production ? [] : ["data:"]), ...imageHosts],
    "font-src": ["'self'"],
    // In development the page listens for changes over a WebSocket.
    "connect-src": ["'self'", ...(production ? [] : ["ws:"])],
    "manifest-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
    "frame-ancestors": ["'none'"],
    ...(secure ? { "upgrade-insecure-requests": [] } : {}),
    ...(cspReportUrl === undefined ? {} : { "report-to": [reportGroup], "report-uri": [cspReportUrl] }),
  };
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(" "))
    .join("; ");
}

const reportGroup = "csp";

/** The `Reporting-Endpoints` header that `report-to` refers to; undefined without reports. */
export function reportingEndpoints({ cspReportUrl }: PagePolicyConfig): string | undefined {
  return cspReportUrl === undefined ? undefined : `${reportGroup}="${cspReportUrl}"`;
}

export interface ChatDirectivesOptions {
  /** Origins of product pictures besides the page's own. */
  pictureOrigins?: readonly string[];
}

/**
 * Source lists to merge into the host's own policy. Nothing is inline and only pictures come from other
 * origins, so the lists work with nonces, with hashes and with neither.
 */
export function chatDirectives({ pictureOrigins = [] }: ChatDirectivesOptions = {}) {
  return {
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "connect-src": ["'self'"],
    // Previews of files that are not uploaded yet are object URLs.
    "img-src": ["'self'", "blob:", ...pictureOrigins],
  };
}
