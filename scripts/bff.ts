/**
 * `npm run bff`: the BFF's handlers without Next, for shops whose load asks for it (docs/production.md). A proxy in front
 * sends `/api` here and everything else to Next. Same environment; PORT and HOST say where it listens.
 */
import { serve } from "@hono/node-server";
import { answerRequest } from "#lib/bff/endpoints.ts";
import { startProcess } from "#lib/bff/process.ts";

const bff = await startProcess();
const server = serve(
  {
    fetch: (request) => answerRequest(bff, request),
    hostname: process.env["HOST"] ?? "127.0.0.1",
    port: Number(process.env["PORT"] ?? "3000"),
    overrideGlobalObjects: false,
  },
  ({ address, port }) => bff.log.info({ event: "listening", address, port }),
);
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => server.close());
