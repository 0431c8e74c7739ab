import { readProcessConfig } from "#lib/bff/env.ts";

/** The address that the shop is known by. Never taken from a request: its headers are the caller's to choose. */
export function shopOrigin(): string {
  return readProcessConfig().appOrigin;
}
