/**
 * Every entry that the chat stores: its name, where, whose, for how long, and what parses it. Those that the
 * button reads are in `first-storage-names.ts`. Full names begin with `entryRoot` and the owner: a customer's
 * tag, or `guest`. An entry holds one value, because all tabs write and another tab's write can arrive late.
 */
export * from "./first-storage-names.ts";

// `localStorage`, an owner's.

/** The conversation that a message is in. As long as the message. `parseRecord`. */
export const placeName = (key: string) => `in:${key}`;
/** When the chat was last opened. While it is among the latest chats, which are the list. `parseChat`. */
export const openedName = (chatId: string) => `chat:${chatId}`;
/** The ID of the last message seen. As long as the chat is listed. `parseChat`. */
export const seenName = (chatId: string) => `seen:${chatId}`;
/** The ID of the last message that has left the outbox. As long as the chat is listed. */
export const settledName = (chatId: string) => `settled:${chatId}`;
/** The unsent text and files, by chat ID or create key. Until they are sent or removed. `parseDraft`. */
export const draftName = (conversation: string) => `draft:${conversation}`;
/** The conversation on screen. Until another one is. `parseConversationRef`. */
export const currentName = "current";
/** A conversation that was left before it had a chat. Until it is opened. `parseConversationRef`. */
export const unstartedName = "unstarted";
/** The language in the request that creates the chat. While its outcome is unknown. A BCP 47 tag. */
export const newChatName = (createKey: string) => `new:${createKey}`;
/** A thumb, or without message ID the chat's rating. As long as the chat is listed. `parseFeedback`. */
export const feedbackName = (chatId: string, messageId: string) => `feedback:${chatId}:${messageId}`;
/** The chat that a tab has changed, and when: other tabs read it again. Until the next change. */
export const changedName = "changed";
/** When a tab has last polled the chat. As long as the chat is listed. */
export const polledName = (chatId: string) => `polled:${chatId}`;
/** The prefix of the names of all feedback. */
export const feedbackNames = "feedback:";

// `localStorage`, without an owner or with the owner `browser`. Until the customer clears the browser.

/** Sounds, the panel's size, no greeting. `readPreferences`. */
export const preferencesName = "preferences";
/** The version of the host's text that the customer has agreed to. */
export const consentName = "consent";

// `sessionStorage`, until the tab closes.

/** The owner of the entries that follow. */
export const tabOwner = "tab";
/** The chat's forms, its offer, and requests in doubt. `parseForms`. */
export const formsName = (chatId: string) => `forms:${chatId}`;
/** Names of files whose upload has not ended. Until the next page. `parseConversationRef`. */
export const uploadsName = (owner: string) => `uploads:${owner}`;
/** Draft and messages from before the server's first answer. Until that. `parseDraft`, `parseRecord`. */
export const unsentName = "unsent";
