import { Icon } from "#components/ui/icon.tsx";
import { Link } from "#components/ui/link.tsx";
import { directionOf, type Locale, localeNames, locales } from "#lib/shop/locales.ts";
import helpWords from "./help-words.json" with { type: "json" };
import styles from "./language-links.module.css";

interface LanguageLinksProps {
  current: Locale;
  /** The page's path in a language; null or undefined if there is none. */
  paths: (locale: Locale) => string | null | undefined;
}

/** Links to the page in its other languages, each in its own name. */
export function LanguageLinks({ current, paths }: LanguageLinksProps) {
  const others = locales.flatMap((locale) => {
    const path = locale === current ? undefined : paths(locale);
    return path ? [{ locale, path }] : [];
  });
  if (others.length === 0) return null;
  return (
    <nav aria-label={helpWords[current].languages} className={styles["languages"]}>
      <Icon name="globe" />
      <ul>
        {others.map(({ locale, path }) => (
          <li key={locale}>
            <Link dir={directionOf(locale)} href={path} hrefLang={locale} lang={locale}>
              {localeNames[locale]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
