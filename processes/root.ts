import { join } from "node:path";

/** The repository: programs must not depend on the folder in which they are started. */
export const root = join(import.meta.dirname, "..");
