import { expect, test } from "vitest";
import {
  findHelpPage,
  helpPages,
  lastChange,
  listHelpPages,
  parseHelpPage,
  plainText,
  searchHelp,
  slugify,
  translationsOf,
} from "./help.ts";
import type { Locale } from "./locales.ts";

const frontMatter = `---
slug: "example"
title: "Example"
locale: "en"
path: "/help/example"
updatedAt: null
topics: ["example"]
sectionTopics: {"second-part": ["other"]}
summary: "An example."
related: []
---
`;

test("keeps letters of every script in anchors and nothing else", () => {
  expect(slugify("What a return costs")).toBe("what-a-return-costs");
  expect(slugify("Beschädigte Pakete?")).toBe("beschädigte-pakete");
  expect(slugify("France, Allemagne & l'Europe")).toBe("france-allemagne-l-europe");
  expect(slugify("الطرود التالفة")).toBe("الطرود-التالفة");
  expect(slugify("日本とクウェート")).toBe("日本とクウェート");
});

test("splits a page into introduction and sections", () => {
  const page = parseHelpPage(
    `${frontMatter}\nFirst **words**.\n\n## Second part\n\n- one\n- two & three\n\nWrite to a@example.com.\n`,
  );
  expect(page.introduction).toEqual([
    {
      type: "paragraph",
      content: [
        { type: "text", text: "First " },
        { type: "strong", text: "words" },
        { type: "text", text: "." },
      ],
    },
  ]);
  expect(page.sections).toHaveLength(1);
  expect(page.sections[0]).toMatchObject({
    anchor: "second-part",
    heading: "Second part",
    topics: ["other"],
  });
  expect(plainText(page.sections[0]?.blocks ?? [])).toBe("one two & three Write to a@example.com.");
});

test("rejects markdown that the pages cannot render", () => {
  expect(() => parseHelpPage("# no front matter")).toThrow("front matter");
  expect(() => parseHelpPage(`${frontMatter}\n<b>bold</b>\n`)).toThrow('"html"');
  expect(() => parseHelpPage(`${frontMatter}\n| a |\n|---|\n| b |\n`)).toThrow('"table"');
});

test("finds a page in its language only", () => {
  expect(findHelpPage("delivery", "de")?.title).toBe("Lieferung");
  expect(findHelpPage("batterieruecknahme", "en")).toBeUndefined();
  expect(findHelpPage("winter-check-poster", "en")).toBeUndefined();
  const delivery = findHelpPage("delivery", "en");
  expect(delivery && translationsOf(delivery).map(({ locale }) => locale)).toEqual([
    "ar",
    "de",
    "en",
    "fr",
    "ja",
  ]);
});

test("dates a page that changed today to the start of the day", () => {
  const page = findHelpPage("store-hours", "en");
  expect(page && lastChange(page, new Date("2026-11-20T21:59:00Z"))).toEqual(
    new Date("2026-11-20T00:00:00Z"),
  );
  const unknown = helpPages.find(({ updatedAt }) => updatedAt === null);
  expect(unknown && lastChange(unknown, new Date())).toBeNull();
});

test("lists only pages that have an address", () => {
  expect(listHelpPages("en").some(({ path }) => path === null)).toBe(false);
});

const foundFor = (query: string, locale: Locale) =>
  searchHelp(query, locale).map(({ page, section }) => `${page.slug}#${section.anchor}`);

test("finds the sections with most of the words, those with them in a heading first", () => {
  expect(foundFor("delivery to Ireland?", "en")[0]).toBe("delivery#ireland");
  expect(foundFor("Beschädigte Pakete", "de")[0]).toContain("delivery#");
  expect(foundFor("أيرلندا", "ar")[0]).toBe("delivery#أيرلندا");
  expect(foundFor("返品", "ja")[0]).toContain("returns#");
  expect(foundFor("xylophone", "en")).toEqual([]);
  expect(foundFor(" ?! ", "en")).toEqual([]);
});
