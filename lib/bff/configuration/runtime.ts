import { ConfigurationError } from "./env.ts";

/** True on workerd (Cloudflare's Workers), which documents this name. Node 20 has no `navigator`. */
export const isWorkers = globalThis.navigator?.userAgent === "Cloudflare-Workers";

const required = { major: 22, minor: 19 };

/**
 * @throws ConfigurationError on a Node that is older than the chat server supports. The modules load there,
 * too, so that a host that runs on it keeps running while its chat is unavailable.
 */
export function requireNode({ node }: { node: string } = process.versions): void {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const isNew = major > required.major || (major === required.major && minor >= required.minor);
  if (isNew) return;
  const remedy = `must be ${required.major}.${required.minor} or newer; this is ${node}.`;
  throw new ConfigurationError([{ variable: "Node.js", remedy }]);
}
