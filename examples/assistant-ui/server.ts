import express from "express";
import { toNodeHandler } from "shop-chat/node";
import { createChatServer } from "shop-chat/server";
import { customerOf } from "./lib/sign-in.ts";

const chat = createChatServer({ customerOf });
await chat.start();
const app = express();
app.use(toNodeHandler(chat));
app.use(express.static("dist"));
app.listen(process.env.PORT ?? 3000);
