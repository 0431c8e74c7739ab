import { defineConfig } from "drizzle-kit";

/** `npx drizzle-kit generate` writes the next migration from the schema's changes. */
export default defineConfig({
  casing: "snake_case",
  dialect: "postgresql",
  schema: "./channel/db/schema.ts",
  out: "./channel/db/migrations",
});
