/** The few texts that the button needs before the chat is loaded. */
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
  de: {
    open: "Mit uns chatten",
    opening: "Der Chat wird geöffnet",
    unread: "Ungelesene Nachrichten: {count}",
    failed:
      "Der Chat konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
  },
  fr: {
    open: "Discuter avec nous",
    opening: "Ouverture du chat",
    unread: "Messages non lus : {count}",
    failed: "Le chat n’a pas pu être chargé. Vérifiez votre connexion et réessayez.",
  },
  ar: {
    open: "تحدث معنا",
    opening: "جارٍ فتح المحادثة",
    unread: "رسائل غير مقروءة: {count}",
    failed: "تعذر تحميل المحادثة. تحقق من اتصالك وحاول مرة أخرى.",
  },
  ja: {
    open: "チャットで相談",
    opening: "チャットを開いています",
    unread: "未読メッセージ：{count}件",
    failed: "チャットを読み込めませんでした。接続を確認してもう一度お試しください。",
  },
};
