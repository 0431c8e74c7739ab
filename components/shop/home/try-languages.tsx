import { Icon } from "#components/ui/icon.tsx";
import { directionOf, helpPath, localeNames, locales } from "#lib/shop/locales.ts";
import { helpWords } from "../help/help-words.ts";
import { TryGroup } from "./try-group.tsx";
import styles from "./try-list.module.css";

/**
 * The help centre in each language. Full page loads instead of client-side navigation, because the chat takes
 * its language from the loaded page.
 */
export function TryLanguages() {
  return (
    <TryGroup
      about="The chat speaks the language of the page on which it starts, and writes times, dates and prices its way. Open one of these, then the chat. A new chat is answered in that language too."
      id="languages"
      title="Five languages"
    >
      <ul className={styles["lines"]}>
        {locales.map((locale) => (
          <li key={locale}>
            <a className={styles["line"]} href={helpPath(locale)} hrefLang={locale}>
              <span className={styles["name"]} dir={directionOf(locale)} lang={locale}>
                {localeNames[locale]}
              </span>
              <span className={styles["see"]} dir={directionOf(locale)} lang={locale}>
                {helpWords[locale].centre}
              </span>
              <Icon className={styles["icon"]} name="globe" />
            </a>
          </li>
        ))}
      </ul>
    </TryGroup>
  );
}
