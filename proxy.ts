import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { pagePolicy, readProcessConfig, reportingEndpoints } from "#lib/bff/pages.ts";

const nonceBytes = 16;

/**
 * Gives each page its Content Security Policy with a fresh nonce, which Next puts on its own scripts. It
 * makes no access decisions: only the chat's pipeline does (decision 024).
 */
export function proxy(request: NextRequest): NextResponse {
  const config = readProcessConfig();
  const nonce = randomBytes(nonceBytes).toString("base64");
  const policy = pagePolicy(config, nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);

  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  const endpoints = reportingEndpoints(config);
  if (endpoints !== undefined) response.headers.set("Reporting-Endpoints", endpoints);
  return response;
}

export const config = {
  // Pages only. Where a proxy matches, Next silently truncates request bodies at 10 MB, and every call costs
  // more.
  matcher: [
    "/((?!api(?:/|$)|_next/|.*\\.(?:avif|css|gif|ico|jpg|js|json|map|png|svg|txt|webmanifest|webp|woff2|xml)$).*)",
  ],
};
