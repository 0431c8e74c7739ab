/** Loaded when the customer opens the menu. */
export { ChatMenu } from "./chat-menu.tsx";
export { PreviousChats } from "./previous-chats.tsx";
export { SearchBar } from "./search-bar.tsx";
