import { Link } from "#components/ui/link.tsx";
import { type HelpPage, helpGroups, listHelpPages } from "#lib/shop/help.ts";
import { directionOf, helpPath, type Locale } from "#lib/shop/locales.ts";
import { PageHeader } from "../site/page-header.tsx";
import styles from "./help-centre.module.css";
import { helpWords } from "./help-words.ts";
import { LanguageLinks } from "./language-links.tsx";

/** The help centre's start page. */
export function HelpCentre({ locale }: { locale: Locale }) {
  const words = helpWords[locale];
  return (
    <div dir={directionOf(locale)} lang={locale}>
      <PageHeader title={words.centre}>
        <p>{words.lead}</p>
      </PageHeader>
      <LanguageLinks current={locale} paths={(other) => helpPath(other)} />
      <Groups locale={locale} />
    </div>
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
