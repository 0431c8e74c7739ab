import { Link } from "#components/ui/link.tsx";
import { type HelpPage, helpGroups, listHelpPages } from "#lib/shop/help.ts";
import { searchHelp } from "#lib/shop/help-search.ts";
import { directionOf, type Locale } from "#lib/shop/locales.ts";
import { AskButton } from "../site/ask-button.tsx";
import { PageHeader } from "../site/page-header.tsx";
import styles from "./help-centre.module.css";
import { HelpSearchForm } from "./help-search-form.tsx";
import { helpPath, helpWords } from "./help-words.ts";
import { LanguageLinks } from "./language-links.tsx";

/** The help centre's start page, or its search results. */
export function HelpCentre({ locale, query }: { locale: Locale; query: string }) {
  const words = helpWords[locale];
  return (
    <div dir={directionOf(locale)} lang={locale}>
      <PageHeader title={words.centre}>
        <p>{words.lead}</p>
      </PageHeader>
      <div className={styles["tools"]}>
        <HelpSearchForm locale={locale} query={query} />
        <LanguageLinks current={locale} paths={(other) => helpPath(other)} />
      </div>
      {query === "" ? <Groups locale={locale} /> : <Results locale={locale} query={query} />}
    </div>
  );
}

function Groups({ locale }: { locale: Locale }) {
  const pages = listHelpPages(locale);
  if (locale !== "en") return <PageList pages={pages} />;
  return (
    <div className={styles["groups"]}>
      {helpGroups.map((group) => (
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

function Results({ locale, query }: { locale: Locale; query: string }) {
  const words = helpWords[locale];
  const hits = searchHelp(query, locale);
  if (hits.length === 0) {
    return (
      <div className={styles["nothing"]}>
        <h2 className={styles["groupTitle"]}>{words.nothing}</h2>
        <p>{words.nothingMore}</p>
        <AskButton draft={query} variant="primary">
          {words.ask}
        </AskButton>
      </div>
    );
  }
  return (
    <section aria-labelledby="results">
      <h2 className={styles["groupTitle"]} id="results">
        {words.results(hits.length, query)}
      </h2>
      <ol className={styles["pages"]}>
        {hits.map(({ page, section, excerpt }) => {
          const address = section ? `${page.path}#${section.anchor}` : (page.path ?? "");
          return (
            <li key={address}>
              <Link className={styles["page"]} href={address}>
                <span className={styles["pageTitle"]}>
                  {page.title}
                  {section ? ` › ${section.heading}` : ""}
                </span>
                <span className={styles["summary"]}>{excerpt}</span>
              </Link>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
