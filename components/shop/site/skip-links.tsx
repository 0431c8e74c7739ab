"use client";

import { directionOf } from "#lib/shop/locales.ts";
import siteWords from "./site-words.json" with { type: "json" };
import styles from "./skip-links.module.css";
import { useLocale } from "./use-locale.ts";

/** Come first in the tab order, and skip the navigation or the whole page. */
export function SkipLinks() {
  const locale = useLocale();
  const words = siteWords[locale];
  return (
    <div dir={directionOf(locale)} lang={locale}>
      <a className={styles["skip"]} href="#main">
        {words.skipToContent}
      </a>
      <a className={styles["skip"]} href="#chat">
        {words.skipToChat}
      </a>
    </div>
  );
}
