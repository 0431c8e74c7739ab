import { Icon } from "#components/ui/icon.tsx";
import { Link } from "#components/ui/link.tsx";
import { findHelpPage, type HelpPage, lastChange, translationsOf } from "#lib/shop/help.ts";
import { directionOf, helpPath } from "#lib/shop/locales.ts";
import type { Inline, TextBlock } from "#lib/shop/markdown.ts";
import { AskButton } from "../site/ask-button.tsx";
import { PageHeader } from "../site/page-header.tsx";
import styles from "./help-article.module.css";
import helpWords from "./help-words.json" with { type: "json" };
import { LanguageLinks } from "./language-links.tsx";

export function HelpArticle({ page, now }: { page: HelpPage; now: Date }) {
  const words = helpWords[page.locale];
  const translations = translationsOf(page);
  return (
    <div dir={directionOf(page.locale)} lang={page.locale}>
      <PageHeader title={page.title} trail={[{ href: helpPath(page.locale), label: words.centre }]}>
        <p>{page.summary}</p>
      </PageHeader>
      <LanguageLinks
        current={page.locale}
        paths={(locale) => translations.find((translation) => translation.locale === locale)?.path}
      />
      <div className={styles["layout"]}>
        <Contents page={page} />
        <article className={styles["text"]}>
          <Facts page={page} />
          <Blocks blocks={page.introduction} />
          {page.sections.map((section) => (
            <section aria-labelledby={section.anchor} key={section.anchor}>
              <h2 className={styles["heading"]} id={section.anchor}>
                {section.heading}
              </h2>
              <Blocks blocks={section.blocks} />
            </section>
          ))}
          <Changed now={now} page={page} />
        </article>
      </div>
      <Further page={page} />
    </div>
  );
}

function Contents({ page }: { page: HelpPage }) {
  const words = helpWords[page.locale];
  return (
    <nav aria-label={words.onThisPage} className={styles["contents"]}>
      <p className={styles["contentsTitle"]}>{words.onThisPage}</p>
      <ul>
        {page.sections.map(({ anchor, heading }) => (
          <li key={anchor}>
            <a href={`#${encodeURIComponent(anchor)}`}>{heading}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Facts({ page }: { page: HelpPage }) {
  if (page.facts === undefined) return null;
  return (
    <table className={styles["facts"]}>
      <caption>{helpWords[page.locale].atAGlance}</caption>
      <tbody>
        {page.facts.map(([label, value]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const yearsUntilOld = 2;

function Changed({ page, now }: { page: HelpPage; now: Date }) {
  const words = helpWords[page.locale];
  const changed = lastChange(page, now);
  if (changed === null) return null;
  const oldFrom = new Date(now);
  oldFrom.setUTCFullYear(now.getUTCFullYear() - yearsUntilOld);
  const date = new Intl.DateTimeFormat(page.locale === "en" ? "en-GB" : page.locale, {
    dateStyle: "long",
    timeZone: "UTC",
  }).format(changed);
  return (
    <>
      <p className={styles["changed"]}>
        {words.updated} <time dateTime={changed.toISOString()}>{date}</time>
      </p>
      {changed < oldFrom ? <p className={styles["old"]}>{words.old}</p> : null}
    </>
  );
}

function Further({ page }: { page: HelpPage }) {
  const words = helpWords[page.locale];
  const related = page.related.flatMap((slug) => findHelpPage(slug, page.locale) ?? []);
  return (
    <aside className={styles["further"]}>
      <div>
        <h2 className={styles["furtherTitle"]}>{words.notAnswered}</h2>
        <AskButton
          draft={words.askAbout.replace(
            "{title}",
            page.locale === "en" ? page.title.toLowerCase() : page.title,
          )}
          variant="primary"
        >
          <Icon name="chat" /> {words.ask}
        </AskButton>
      </div>
      {related.length > 0 ? (
        <nav aria-label={words.related}>
          <h2 className={styles["furtherTitle"]}>{words.related}</h2>
          <ul className={styles["related"]}>
            {related.map((other) => (
              <li key={other.slug}>
                <Link href={other.path ?? ""}>{other.title}</Link>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
    </aside>
  );
}

/** A help page's paragraphs and lists. */
function Blocks({ blocks }: { blocks: readonly TextBlock[] }) {
  return blocks.map((block) =>
    block.type === "paragraph" ? (
      <p className={styles["paragraph"]} key={textOf(block.content)}>
        <Line content={block.content} />
      </p>
    ) : (
      <ul className={styles["list"]} key={block.items.map(textOf).join()}>
        {block.items.map((item) => (
          <li key={textOf(item)}>
            <Line content={item} />
          </li>
        ))}
      </ul>
    ),
  );
}

function Line({ content }: { content: readonly Inline[] }) {
  return content.map((inline) => <Piece inline={inline} key={`${inline.type} ${inline.text}`} />);
}

function Piece({ inline }: { inline: Inline }) {
  switch (inline.type) {
    case "text":
      return inline.text;
    case "strong":
      return <strong>{inline.text}</strong>;
    case "emphasis":
      return <em>{inline.text}</em>;
    case "link":
      return <a href={inline.href}>{inline.text}</a>;
  }
}

function textOf(content: readonly Inline[]): string {
  return content.map(({ text }) => text).join("");
}
