import { readProcessConfig } from "#lib/bff/pages.ts";

/** The built-in channel's address if the browser is on the same machine; null for a deployed Chat API. */
export function localChannel(): string | null {
  const { appOrigin, upstream } = readProcessConfig();
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
  const isLocal = [appOrigin, upstream.baseUrl].every((address) => local.test(new URL(address).hostname));
  return isLocal ? upstream.baseUrl : null;
}
