import { serve } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { createChatServer } from "shop-chat/server";
import { customerOf } from "./lib/sign-in.ts";

const chat = createChatServer({ customerOf });
await chat.start();
const app = new Hono();
app.all("/api/chat/*", (c) => chat.handle(c.req.raw, { peerAddress: getConnInfo(c).remote.address }));
app.use(serveStatic({ root: "./public" }));
serve({
  fetch: app.fetch,
  port: Number(process.env.PORT ?? 3000),
  hostname: process.env.HOST ?? "127.0.0.1",
});
