"use client";

import { usePathname } from "next/navigation";
import { useState } from "react";
import { ChatWidget, type WidgetEvent } from "#components/chat/chat-widget.tsx";
import { directionOf, helpPath, type Locale } from "#lib/shop/locales.ts";
import suggestions from "#lib/shop/suggestions.json" with { type: "json" };
import styles from "./shop-chat.module.css";
import siteWords from "./site/site-words.json" with { type: "json" };
import { useLocale } from "./site/use-locale.ts";

/** Mounts the chat in the shop's colours and in the language of the first page. */
export function ShopChat({ pictureOrigins }: { pictureOrigins: readonly string[] }) {
  const pathname = usePathname();
  const pageLocale = useLocale();
  const [locale] = useState(pageLocale);
  // The playground has a chat of its own, and a page has one.
  if (pathname === "/playground") return null;
  const words = siteWords[locale];
  return (
    <div className={styles["look"]}>
      {/* The skip link's target: the chat's button comes next in the tab order. */}
      <span id="chat" tabIndex={-1} />
      <ChatWidget
        agentName="Wren"
        shopName="Tarn & Tread"
        locale={chatLocales[locale]}
        // The end of the page, also where the page's direction is not the chat's.
        side={directionOf(pageLocale) === directionOf(locale) ? "end" : "start"}
        contact={{ label: "+44 1632 960101", href: "tel:+441632960101" }}
        logo="/icon.svg"
        suggestions={suggestions.chat[locale]}
        suggestionIcons={["source", "store", "box", "person"]}
        teamHours={words.teamHours}
        help={{ label: words.searchHelp, href: helpPath(locale), search: "q" }}
        pictureOrigins={pictureOrigins}
        onEvent={showInPage}
      />
    </div>
  );
}

/** Marks the products of an answer where the page lists them, and scrolls to the first. */
function showInPage(event: WidgetEvent): void {
  if (event.type !== "reply_done") return;
  for (const item of document.querySelectorAll<HTMLElement>("[data-product]"))
    item.toggleAttribute("data-answers", event.productIds.includes(item.dataset["product"] ?? ""));
  // A phone's panel is modal and covers the page.
  if (document.querySelector("dialog:modal") !== null) return;
  document.querySelector("[data-answers]")?.scrollIntoView({ block: "center" });
}

/** The chat's `locale` by language. English is British, because the shop is in the United Kingdom. */
const chatLocales: Record<Locale, string> = { en: "en-GB", de: "de", fr: "fr", ar: "ar", ja: "ja" };
