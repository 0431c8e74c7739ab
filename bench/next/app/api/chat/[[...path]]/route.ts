/** Our server in Next with all features and raised limits. */
import { toNextHandler } from "#lib/bff/next.ts";
import { raisedChat } from "../../../../../targets/raised-chat.ts";

export const dynamic = "force-dynamic";

export const { GET, POST } = toNextHandler(raisedChat);
