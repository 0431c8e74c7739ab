/** The shop's chat server. The kit needs one function of a host: which customer sent a request. */
import { createChatServer } from "#lib/bff/server.ts";
import { storeFeedback } from "./feedback.ts";
import { customerOf } from "./sign-in.ts";

export const chat = createChatServer({ customerOf, onFeedback: (feedback) => storeFeedback(feedback) });
