import { join } from "node:path";

/** The repository: defaults must not depend on the folder in which the channel is started. */
export const root = join(import.meta.dirname, "..");
