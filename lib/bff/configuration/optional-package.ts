/**
 * Loads packages that only some hosts install: for shared limits, metrics and traces. `import` would make
 * every host's bundler resolve them.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface Packages {
  "@opentelemetry/api": typeof import("@opentelemetry/api");
  ioredis: typeof import("ioredis");
  "@prometheus-io/client": typeof import("@prometheus-io/client");
}

/**
 * Resolves from this module first, then from the working directory, in case a bundler has moved this module.
 */
const bases = () => [import.meta.url, pathToFileURL(join(process.cwd(), "package.json"))];

export function loadOptional<Name extends keyof Packages>(name: Name): Packages[Name] | undefined {
  // Not imported, because webpack would replace it with nothing.
  const { createRequire } = process.getBuiltinModule("node:module");
  for (const base of bases()) {
    try {
      return createRequire(base)(name);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return undefined;
}

/** @throws Error that names the missing package. */
export function requireOptional<Name extends keyof Packages>(name: Name): Packages[Name] {
  const found = loadOptional(name);
  if (found === undefined) throw new Error(`The package ${name} is missing: npm install ${name}`);
  return found;
}

/** Compares codes, because the message differs between runtimes, and Bun's is no `Error`. */
function isMissing(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND";
}
