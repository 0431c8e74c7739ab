/**
 * Two chat servers at one origin, for journeys, each with another agent: the second one's keys are in
 * `REPAIRS_CHANNEL_KEY` and `REPAIRS_CHAT_KEY`. Their environment is that of `npm run bff`.
 */
import { createServer } from "node:http";
import { toNodeHandler } from "#lib/bff/node.ts";
import { createChatServer } from "#lib/bff/server.ts";

const sales = createChatServer();
const repairs = createChatServer({
  basePath: "/repairs/chat",
  configuration: {
    CHAT_CHANNEL_KEY: process.env["REPAIRS_CHANNEL_KEY"],
    CHAT_KEY: process.env["REPAIRS_CHAT_KEY"],
  },
});
await Promise.all([sales.start(), repairs.start()]);
const [toSales, toRepairs] = [toNodeHandler(sales), toNodeHandler(repairs)];
createServer((request, response) => toSales(request, response, () => toRepairs(request, response))).listen(
  Number(process.env["PORT"]),
);
