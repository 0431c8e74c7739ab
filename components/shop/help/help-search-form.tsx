import { Button } from "#components/ui/button.tsx";
import type { Locale } from "#lib/shop/locales.ts";
import styles from "./help-search-form.module.css";
import { helpPath, helpWords } from "./help-words.ts";

export function HelpSearchForm({ locale, query = "" }: { locale: Locale; query?: string }) {
  const words = helpWords[locale];
  return (
    <search>
      <form action={helpPath(locale)} className={styles["form"]}>
        <label className={styles["label"]} htmlFor="help-query">
          {words.searchLabel}
        </label>
        <input
          className={styles["input"]}
          defaultValue={query}
          dir="auto"
          enterKeyHint="search"
          id="help-query"
          maxLength={120}
          name="q"
          type="search"
        />
        <Button type="submit" variant="primary">
          {words.search}
        </Button>
      </form>
    </search>
  );
}
