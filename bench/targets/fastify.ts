/** The baseline without Next: Fastify and undici, which add the key and pipe every body. */
import fastify from "fastify";
import { Agent, request as send } from "undici";
import { upstreamBase, upstreamKey } from "./environment.ts";

const dispatcher = new Agent({ connections: null, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const app = fastify({ bodyLimit: 8 * 1024 * 1024 });

// Bodies are piped as they arrive.
app.removeAllContentTypeParsers();
app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));

app.get("/live", async () => "ok");
app.all("/pipe/*", async (request, reply) => {
  const { method, headers, raw } = request;
  const response = await send(upstreamBase + (raw.url ?? "").slice("/pipe".length), {
    dispatcher,
    method: method === "POST" ? "POST" : "GET",
    headers: {
      authorization: upstreamKey,
      accept: headers.accept ?? "*/*",
      ...(headers["content-type"] === undefined ? {} : { "content-type": headers["content-type"] }),
      ...(headers["content-length"] === undefined ? {} : { "content-length": headers["content-length"] }),
      ...(typeof headers["idempotency-key"] === "string"
        ? { "idempotency-key": headers["idempotency-key"] }
        : {}),
    },
    body: method === "POST" ? raw : null,
  });
  reply.code(response.statusCode);
  for (const name of ["content-type", "content-length", "x-request-id"]) {
    const value = response.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  reply.header("cache-control", "no-store");
  return reply.send(response.body);
});

await app.listen({ port: Number(process.env["PORT"]), host: "127.0.0.1" });
