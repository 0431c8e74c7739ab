import { ConfigurationError } from "./env.ts";

const required = { major: 22, minor: 19 };

/**
 * @throws ConfigurationError on a runtime that the chat server does not support: an older Node, or Bun, which
 * puts an undici without a dispatcher in the place of the package. The modules load there, too, so that a
 * host that runs on it keeps running while its chat is unavailable.
 */
export function requireNode({ node, bun }: { node: string; bun?: string } = process.versions): void {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const isNew = major > required.major || (major === required.major && minor >= required.minor);
  if (isNew && bun === undefined) return;
  const here = bun === undefined ? node : `Bun ${bun}`;
  const remedy = `must be ${required.major}.${required.minor} or newer; this is ${here}.`;
  throw new ConfigurationError([{ variable: "Node.js", remedy }]);
}
