import { fileURLToPath } from "node:url";

/** Written by `npx drizzle-kit generate`. */
export const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));
