/** Two chat servers at one origin, for journeys. Their environment is that of `npm run bff`. */
import { createServer } from "node:http";
import { toNodeHandler } from "#lib/bff/node.ts";
import { createChatServer } from "#lib/bff/server.ts";

const [sales, repairs] = [createChatServer(), createChatServer({ basePath: "/repairs/chat" })];
await Promise.all([sales.start(), repairs.start()]);
const [toSales, toRepairs] = [toNodeHandler(sales), toNodeHandler(repairs)];
createServer((request, response) => toSales(request, response, () => toRepairs(request, response))).listen(
  Number(process.env["PORT"]),
);
