import express from "express";
import { toNodeHandler } from "shop-chat/node";
import { createChatServer } from "shop-chat/server";
import { customerOf } from "./lib/sign-in.ts";

const chat = createChatServer({ customerOf });
await chat.start();
const app = express();
app.use(toNodeHandler(chat));
app.use(express.static("dist"));
app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? "127.0.0.1");
