/** Suggested questions in an empty chat, in each language of the shop. */
import type { Locale } from "#lib/shop/locales.ts";

export const chatSuggestions: Record<Locale, readonly string[]> = {
  en: [
    "Do you deliver to Ireland?",
    "Which helmets do you have?",
    "Where is my order?",
    "I would like to speak to a person.",
  ],
  de: [
    "Liefern Sie nach Österreich?",
    "Welche Helme haben Sie?",
    "Wo ist meine Bestellung?",
    "Ich möchte mit einem Menschen sprechen.",
  ],
  fr: [
    "Livrez-vous en Belgique ?",
    "Quels casques avez-vous ?",
    "Où est ma commande ?",
    "Je voudrais parler à quelqu'un.",
  ],
  ar: ["هل توصلون إلى الكويت؟", "ما الخوذ المتوفرة لديكم؟", "أين طلبي؟", "أريد التحدث إلى شخص."],
  ja: [
    "日本に送れますか？",
    "どんなヘルメットがありますか？",
    "注文はどこですか？",
    "担当者と話したいです。",
  ],
};
