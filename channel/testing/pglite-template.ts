/**
 * Opens copies of a migrated PGlite, which is cached among the temporary files: migrating takes seconds,
 * copying a fraction of that.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { migrationsFolder } from "../db/migrations-folder.ts";
import { binaryFormat, migratePglite } from "../db/pglite.ts";

export async function openTemplate(options: PGliteOptions = {}): Promise<PGlite> {
  const path = join(tmpdir(), `shop-chat-template-${schemaVersion()}.tar`);
  if (!existsSync(path)) await writeTemplate(path);
  return PGlite.create({ loadDataDir: new Blob([readFileSync(path)]), ...binaryFormat, ...options });
}

async function writeTemplate(path: string): Promise<void> {
  const fresh = await PGlite.create(binaryFormat);
  await migratePglite(fresh);
  const copy = await fresh.dumpDataDir("none");
  await fresh.close();
  // Another program may write the cache at the same time, so the file must appear whole or not at all.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, new Uint8Array(await copy.arrayBuffer()));
  await rename(draft, path);
}

function schemaVersion(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(migrationsFolder).filter((file) => file.endsWith(".sql")))
    hash.update(readFileSync(join(migrationsFolder, name)));
  return hash.digest("hex").slice(0, 16);
}
