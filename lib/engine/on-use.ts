/** What few customers need. One file, because each that loads apart adds to the code that loads at once. */
export { readMissed } from "./chats/missed.ts";
export { readSummary } from "./chats/summary.ts";
export { isFileGone, readFile } from "./files/read-file.ts";
export { loadAll, readWholeChat } from "./history/whole-chat.ts";
