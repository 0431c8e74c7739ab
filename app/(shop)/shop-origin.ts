import { readProcessConfig } from "#lib/bff/pages.ts";

/** The shop's public origin. Never taken from a request, whose headers the caller controls. */
export function shopOrigin(): string {
  return readProcessConfig().appOrigin;
}

/** Other origins of product pictures that the shop's Content Security Policy allows. */
export function pictureOrigins(): readonly string[] {
  return readProcessConfig().imageHosts;
}
