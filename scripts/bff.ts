/**
 * `npm run bff`: the BFF's handlers without Next, for shops whose load asks for it (docs/production.md). A proxy in front
 * sends `/api` here and everything else to Next. Same environment and `.env.local`; PORT and HOST say where it listens.
 */
import { serve } from "@hono/node-server";
import { answerRequest } from "#lib/bff/endpoints.ts";
import { startProcess } from "#lib/bff/process.ts";
import { addresses, keepAliveTimeout, loadSettings } from "./environment.ts";

/** How long a caller may take to send its headers, and a whole request: the slowest upload has less. Milliseconds. */
const headersTimeout = 15_000;
const requestTimeout = 150_000;

const { host, port } = addresses(loadSettings());
const bff = await startProcess();
const server = serve(
  {
    fetch: (request) => answerRequest(bff, request),
    hostname: host,
    port: Number(port),
    overrideGlobalObjects: false,
    serverOptions: { keepAliveTimeout, headersTimeout, requestTimeout },
  },
  (listening) => bff.log.info({ event: "listening", address: listening.address, port: listening.port }),
);
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => server.close());
