/** Our server without Next, like `npm run bff`, with raised limits. */
import { createNodeServer } from "#lib/bff/node.ts";
import { raisedChat } from "./raised-chat.ts";

createNodeServer(raisedChat).listen(Number(process.env["PORT"]), "127.0.0.1");
