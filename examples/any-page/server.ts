import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { toNodeHandler } from "shop-chat/node";
import { createChatServer } from "shop-chat/server";
import { customerOf } from "./lib/sign-in.ts";

const chat = createChatServer({ customerOf });
await chat.start();
const answerChat = toNodeHandler(chat);
const page = readFileSync("public/index.html");
createServer((request, response) =>
  answerChat(request, response, () => response.setHeader("Content-Type", "text/html").end(page)),
).listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? "127.0.0.1");
