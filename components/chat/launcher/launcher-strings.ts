/** The few words that are there before the chat is loaded. */
import type { Language } from "../i18n/languages.ts";

export interface LauncherStrings {
  open: string;
  opening: string;
  unread: string;
  failed: string;
}

export const launcherStrings: Record<Language, LauncherStrings> = {
  en: {
    open: "Chat with us",
    opening: "Opening the chat",
    unread: "Unread messages: {count}",
    failed: "The chat could not be loaded. Check your connection and try again.",
  },
};
