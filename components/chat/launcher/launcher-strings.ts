/** The few texts that the button needs before the chat is loaded. */
import type { Language } from "../i18n/languages.ts";

export interface LauncherStrings {
  open: string;
  opening: string;
  unread: string;
  failed: string;
  broken: string;
}

export const launcherStrings: Record<Language, LauncherStrings> = {
  en: {
    open: "Chat with us",
    opening: "Opening the chat",
    unread: "Unread messages: {count}",
    failed: "The chat could not be loaded. Check your connection and try again.",
    broken: "The chat could not be started. Please try again later.",
  },
  de: {
    open: "Mit uns chatten",
    opening: "Der Chat wird geöffnet",
    unread: "Ungelesene Nachrichten: {count}",
    failed:
      "Der Chat konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
    broken: "Der Chat konnte nicht gestartet werden. Bitte versuchen Sie es später noch einmal.",
  },
  fr: {
    open: "Discuter avec nous",
    opening: "Ouverture du chat",
    unread: "Messages non lus : {count}",
    failed: "Le chat n’a pas pu être chargé. Vérifiez votre connexion et réessayez.",
    broken: "Le chat n’a pas pu démarrer. Veuillez réessayer plus tard.",
  },
  ar: {
    open: "تحدث معنا",
    opening: "جارٍ فتح المحادثة",
    unread: "رسائل غير مقروءة: {count}",
    failed: "تعذر تحميل المحادثة. تحقق من اتصالك وحاول مرة أخرى.",
    broken: "تعذر بدء المحادثة. يرجى المحاولة لاحقًا.",
  },
  ja: {
    open: "チャットで相談",
    opening: "チャットを開いています",
    unread: "未読メッセージ：{count}件",
    failed: "チャットを読み込めませんでした。接続を確認してもう一度お試しください。",
    broken: "チャットを開始できませんでした。しばらくしてからもう一度お試しください。",
  },
};
