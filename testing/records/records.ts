/**
 * Keeps a run's logs and traces in one folder, which `search-records.ts` searches for secrets at the end.
 * Responses are gigabytes, so `watch-responses.ts` searches them as they are sent.
 */
import { appendFileSync, mkdirSync, openSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { listenLocally } from "../local-server.ts";

/** Set by playwright.config.ts for a run's processes. Absent if started by hand; empty to keep nothing. */
const folder = process.env["E2E_RECORDS"] || undefined;

export const recordFiles = {
  logs: "log.jsonl",
  traces: "traces.jsonl",
  responses: "responses.jsonl",
} as const;

function fileOf(kind: keyof typeof recordFiles): string | undefined {
  if (folder === undefined) return undefined;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, recordFiles[kind]);
}

/** A file descriptor for a program's standard output; undefined when records are off. */
export function logDestination(): number | "ignore" {
  const file = fileOf("logs");
  return file === undefined ? "ignore" : openSync(file, "a", 0o600);
}

export function keep(kind: keyof typeof recordFiles, text: string | Uint8Array): void {
  const file = fileOf(kind);
  if (file !== undefined) appendFileSync(file, text, { mode: 0o600 });
}

/** The Node options that search the shop's responses. */
export const watchingArguments: readonly string[] =
  folder === undefined ? [] : ["--import", join(import.meta.dirname, "watch-responses.ts")];

export interface Collector {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  close(): void;
}

/** A minimal OpenTelemetry collector that stores traces in a file. */
export async function startCollector(): Promise<Collector | undefined> {
  if (folder === undefined) return undefined;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    keep("traces", Buffer.concat([...pieces, Buffer.from("\n")]));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
