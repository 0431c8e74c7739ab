import { Icon } from "#components/ui/icon.tsx";
import { directionOf, helpPath, localeNames, locales } from "#lib/shop/locales.ts";
import tryGroups from "#lib/shop/try-lines.json" with { type: "json" };
import helpWords from "../help/help-words.json" with { type: "json" };
import { TryGroup } from "./try-group.tsx";
import styles from "./try-list.module.css";

export function TryList() {
  return (
    <>
      <nav aria-label="Features" className={styles["jump"]}>
        <ul>
          {tryGroups.map((group) => (
            <li key={group.id}>
              <a href={`#${group.id}`}>{group.title}</a>
            </li>
          ))}
          <li>
            <a href="#languages">Five languages</a>
          </li>
        </ul>
      </nav>
      {tryGroups.map((group) => (
        <TryGroup about={group.about} id={group.id} key={group.id} title={group.title}>
          <ul className={styles["lines"]}>
            {group.lines.map((line) => (
              <li key={line.say}>
                <button className={styles["line"]} data-shop-chat-open={line.say} type="button">
                  <span className={styles["say"]}>
                    <bdi>{line.say}</bdi>
                  </span>
                  <span className={styles["see"]}>{line.see}</span>
                  <Icon className={styles["icon"]} name="chat" />
                </button>
              </li>
            ))}
          </ul>
        </TryGroup>
      ))}
      <TryLanguages />
    </>
  );
}

/**
 * The help centre in each language. Full page loads instead of client-side navigation, because the chat takes
 * its language from the loaded page.
 */
function TryLanguages() {
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
