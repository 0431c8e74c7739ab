import { readProcessConfig } from "#lib/bff/env.ts";

/** The address that the shop is known by. Never taken from a request: its headers are the caller's to choose. */
export function shopOrigin(): string {
  return readProcessConfig().appOrigin;
}

/** Where product pictures may come from besides the shop itself: what its Content Security Policy allows. */
export function pictureOrigins(): readonly string[] {
  return readProcessConfig().imageHosts;
}
