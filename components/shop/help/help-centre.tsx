import { Link } from "#components/ui/link.tsx";
import { type HelpPage, helpGroups, listHelpPages, searchHelp } from "#lib/shop/help.ts";
import { directionOf, helpPath, type Locale } from "#lib/shop/locales.ts";
import { AskButton } from "../site/ask-button.tsx";
import { PageHeader } from "../site/page-header.tsx";
import siteWords from "../site/site-words.json" with { type: "json" };
import styles from "./help-centre.module.css";
import helpWords from "./help-words.json" with { type: "json" };
import { LanguageLinks } from "./language-links.tsx";

interface HelpCentreProps {
  locale: Locale;
  query: string;
}

/** The help centre's start page, or the sections that a search finds. */
export function HelpCentre({ locale, query }: HelpCentreProps) {
  const words = helpWords[locale];
  const search = siteWords[locale].searchHelp;
  return (
    <div dir={directionOf(locale)} lang={locale}>
      <PageHeader title={words.centre}>
        <p>{words.lead}</p>
      </PageHeader>
      <LanguageLinks current={locale} paths={(other) => helpPath(other)} />
      <search aria-label={words.centre}>
        <form action={helpPath(locale)} className={styles["search"]}>
          <input aria-label={search} defaultValue={query} name="q" placeholder={search} type="search" />
        </form>
      </search>
      {query === "" ? <Groups locale={locale} /> : <Found locale={locale} query={query} />}
    </div>
  );
}

const shownSections = 12;

function Found({ locale, query }: HelpCentreProps) {
  const words = helpWords[locale];
  const found = searchHelp(query, locale).slice(0, shownSections);
  return (
    <section aria-label={siteWords[locale].searchHelp} className={styles["groups"]}>
      <ul className={styles["pages"]}>
        {found.map(({ page, section: { anchor, heading } }) => (
          <li key={`${page.slug}-${anchor}`}>
            <Link className={styles["page"]} href={`${page.path}#${encodeURIComponent(anchor)}`}>
              <span className={styles["pageTitle"]}>{heading}</span>
              <span className={styles["summary"]}>{page.title}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p>
        {words.notAnswered} <AskButton draft={query}>{words.ask}</AskButton>
      </p>
    </section>
  );
}

function Groups({ locale }: { locale: Locale }) {
  const pages = listHelpPages(locale);
  return (
    <div className={styles["groups"]}>
      {locale !== "en" && <PageList pages={pages} />}
      {(locale === "en" ? helpGroups : []).map((group) => (
        <section aria-labelledby={`group-${group.id}`} key={group.id}>
          <h2 className={styles["groupTitle"]} id={`group-${group.id}`}>
            {group.name}
          </h2>
          <PageList pages={pages.filter(({ slug }) => group.pages.some((page) => page === slug))} />
        </section>
      ))}
    </div>
  );
}

function PageList({ pages }: { pages: readonly HelpPage[] }) {
  return (
    <ul className={styles["pages"]}>
      {pages.map((page) => (
        <li key={page.slug}>
          <Link className={styles["page"]} href={page.path ?? ""}>
            <span className={styles["pageTitle"]}>{page.title}</span>
            <span className={styles["summary"]}>{page.summary}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
