/** The help centre: the pages in help/, read once. README.md beside this file describes their format. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLocale, type Locale } from "./locales.ts";
import { parseMarkdown, type TextBlock } from "./markdown.ts";

/** The groups of the help centre and the order of their pages. */
export const helpGroups = [
  { id: "orders", name: "Orders and delivery", pages: ["delivery", "order-tracking", "click-and-collect"] },
  {
    id: "returns",
    name: "Returns, warranty and complaints",
    pages: ["returns", "warranty", "complaints", "recycling", "batterieruecknahme"],
  },
  {
    id: "workshop",
    name: "Workshop and care",
    pages: ["workshop-prices", "workshop-booking", "bike-setup", "e-bike-batteries"],
  },
  {
    id: "buying",
    name: "Choosing and paying",
    pages: ["bike-sizing", "clothing-sizing", "payment", "gift-cards", "cycle-to-work"],
  },
  { id: "shops", name: "Our shops and your data", pages: ["store-hours", "contact", "privacy"] },
] as const;

export interface HelpSection {
  /** The URL fragment, unique on the page. */
  anchor: string;
  heading: string;
  blocks: TextBlock[];
  /** The section's topics, in addition to the page's. */
  topics: readonly string[];
  /** Anchors of the sections of the English page whose content this one has. */
  translates: readonly string[];
}

interface HelpMetadata {
  slug: string;
  title: string;
  locale: Locale;
  /** Relative to the shop's origin. Null: a source without a URL. */
  path: string | null;
  /** ISO 8601, `today`, or null if unknown. */
  updatedAt: string | null;
  topics: readonly string[];
  sectionTopics: Readonly<Record<string, readonly string[]>>;
  /** The sections that these translate, in turn; absent on pages that are no translation. */
  translates?: readonly (readonly string[])[];
  summary: string;
  /** Slugs of other pages. */
  related: readonly string[];
  /** Label and value. */
  facts?: readonly (readonly [string, string])[];
}

export interface HelpPage extends HelpMetadata {
  introduction: TextBlock[];
  sections: HelpSection[];
}

/** Lower case; every run of characters other than letters, marks and digits becomes one hyphen. */
export function slugify(heading: string): string {
  return heading
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/**
 * Parses one page.
 * @throws Error if the front matter is missing, a value is not JSON, the locale is unknown or the body uses
 * unsupported markdown.
 */
export function parseHelpPage(source: string): HelpPage {
  const [, frontMatter, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? [];
  if (frontMatter === undefined || body === undefined)
    throw new Error(`expected front matter between two lines of ---, not ${source.slice(0, 100)}`);
  const metadata = Object.fromEntries(
    frontMatter.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), JSON.parse(line.slice(colon + 2))];
    }),
  ) as HelpMetadata;
  if (!isLocale(metadata.locale)) throw new Error(`${metadata.slug}: unknown locale`);

  const introduction: TextBlock[] = [];
  const sections: HelpSection[] = [];
  for (const block of parseMarkdown(body)) {
    if (block.type === "heading") {
      const anchor = slugify(block.text);
      sections.push({
        anchor,
        heading: block.text,
        blocks: [],
        topics: metadata.sectionTopics[anchor] ?? [],
        translates: metadata.translates?.[sections.length] ?? [],
      });
    } else {
      (sections.at(-1)?.blocks ?? introduction).push(block);
    }
  }
  return { ...metadata, introduction, sections };
}

// Next bundles this module away from its folder and runs in the project's; other programs may run anywhere.
const inProject = join(process.cwd(), "lib", "shop", "help");
const folder = existsSync(inProject) ? inProject : join(import.meta.dirname, "help");

const files = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .map((name) => readFileSync(join(folder, name), "utf8"));

/** Every page in every language. */
export const helpPages: readonly HelpPage[] = files
  // A page begins with its front matter.
  .flatMap((file) => file.split(/^(?=---\nslug: )/m))
  .map((source) => parseHelpPage(source))
  .sort((a, b) => (a.slug < b.slug || (a.slug === b.slug && a.locale < b.locale) ? -1 : 1));

const order: readonly string[] = helpGroups.flatMap(({ pages }) => pages);

/** The pages of one language that have a URL, in the order of the groups. */
export function listHelpPages(locale: Locale): HelpPage[] {
  return helpPages
    .filter((page) => page.locale === locale && page.path !== null)
    .sort((a, b) => order.indexOf(a.slug) - order.indexOf(b.slug));
}

export function findHelpPage(slug: string, locale: Locale): HelpPage | undefined {
  return listHelpPages(locale).find((page) => page.slug === slug);
}

/** A language's sections that have most of the words, first those that have them in a short heading. */
export function searchHelp(query: string, locale: Locale): { page: HelpPage; section: HelpSection }[] {
  const words = slugify(query).split("-").filter(Boolean);
  const found = listHelpPages(locale).flatMap((page) =>
    page.sections.map((section) => {
      const heading = slugify(`${page.title} ${section.heading} ${section.topics.join(" ")}`);
      const text = heading + slugify(plainText(section.blocks));
      const rank = words.filter((word) => heading.includes(word)).length - section.heading.length / 1000;
      return { page, section, rank, count: words.filter((word) => text.includes(word)).length };
    }),
  );
  const most = Math.max(1, ...found.map(({ count }) => count));
  return found.filter(({ count }) => count === most).sort((a, b) => b.rank - a.rank);
}

/** The page in all languages that it exists in. */
export function translationsOf(page: HelpPage): HelpPage[] {
  return helpPages.filter((other) => other.slug === page.slug && other.path !== null);
}

/** When the page last changed; null if unknown. */
export function lastChange(page: Pick<HelpPage, "updatedAt">, now: Date): Date | null {
  if (page.updatedAt === null) return null;
  if (page.updatedAt !== "today") return new Date(page.updatedAt);
  const today = new Date(now);
  today.setUTCHours(0, 0, 0, 0);
  return today;
}

/** Blocks as plain text, for search and structured data. */
export function plainText(blocks: readonly TextBlock[]): string {
  return blocks
    .flatMap((block) => (block.type === "paragraph" ? [block.content] : block.items))
    .map((line) => line.map(({ text }) => text).join(""))
    .join(" ");
}
