/** The stored entries that the button reads. `storage-names.ts` has the others, which load later. */
import { defaultBasePath } from "../chat-api/base-path.ts";

/**
 * The pages of one origin may belong to several chat servers, whose base paths tell their entries, locks and
 * channels apart; without a path it is the default one. `1` is the version of the stored data: a change that
 * old readers would misread increments it.
 */
export const entryRoot = (api: string): string => `shop-chat${api === defaultBasePath ? "" : api}:1:`;

/** A sent message, in an owner's `localStorage`. Until it is delivered or withdrawn. `parseRecord`. */
export const messageName = (key: string) => `message:${key}`;
/** How its delivery stands. As long as the message. `parseRecord`. */
export const attemptName = (key: string) => `attempt:${key}`;
/** Whether the team has the chat, whether it is closed. As long as the chat is listed. `parseChat`. */
export const stateName = (chatId: string) => `state:${chatId}`;
/** The last known owner, in `localStorage`. Until the customer clears the browser. */
export const ownerName = "owner";
/** The owner of the preferences and the consent, in `localStorage`. */
export const browserOwner = "browser";
/** Whether the panel is open, in `sessionStorage`. Until the tab closes. */
export const openName = "open";
