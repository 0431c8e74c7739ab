import { ConfigurationError } from "./env.ts";

const required = { major: 22, minor: 19 };

/**
 * @throws ConfigurationError on a Node that the chat server does not support. The modules load there, too, so
 * that a host that runs on it keeps running while its chat is unavailable.
 */
export function requireNode(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > required.major || (major === required.major && minor >= required.minor)) return;
  const remedy = `must be ${required.major}.${required.minor} or newer; this is ${version}.`;
  throw new ConfigurationError([{ variable: "Node.js", remedy }]);
}
