import express from "express";
import { toNodeHandler } from "shop-chat/node";
import { createChatServer } from "shop-chat/server";
import { customerOf } from "./lib/sign-in.ts";

const chat = createChatServer({ customerOf });
// Logs problems of the configuration now, and not at the first request.
await chat.start();
const app = express();
// Mount the chat before body parsers: it reads the request's stream itself.
app.use(toNodeHandler(chat));
app.use(express.static("public"));
app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? "127.0.0.1");
