import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Field } from "#lib/chat-api/collection.ts";
import { Order, Product } from "#lib/chat-api/message.ts";
import { catalogue, categories, productCard } from "./catalogue.ts";
import { forms } from "./forms.ts";
import { findHelpPage, helpGroups, helpPages, lastChange, listHelpPages, plainText } from "./help.ts";
import { isLocale, locales } from "./locales.ts";
import { customers, orders } from "./orders.ts";
import { stores, weekdays } from "./stores.ts";
import team from "./team.json" with { type: "json" };

const fieldId = /^[A-Za-z0-9_-]{1,128}$/;
const fictionalPhone = /^\+44 1632 960\d{3}$/;
const translated = locales.filter((locale) => locale !== "en");
const mainPages = ["delivery", "returns", "warranty", "workshop-prices", "store-hours", "payment"];

test("makes every product a valid Product once its URLs are absolute", () => {
  for (const product of catalogue) {
    const card = productCard(product, "https://shop.tarn-and-tread.example");
    expect(Product.parse(card)).toEqual(card);
  }
});

test("has unique IDs, slugs and paths, with paths that follow slugs", () => {
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
  expect(new Set(catalogue.map(({ slug }) => slug)).size).toBe(catalogue.length);
  for (const { path, slug } of catalogue) if (path !== null) expect(path).toBe(`/products/${slug}`);
});

test("has every picture except the intentionally missing one, and no unused one", () => {
  const named = catalogue.flatMap(({ image }) => image ?? []);
  const missing = named.filter((image) => !existsSync(`public${image}`));
  expect(missing).toEqual(["/shop/products/enamel-mug-photo-lost.svg"]);
  const drawn = readdirSync("public/shop/products").map((file) => `/shop/products/${file}`);
  expect(drawn.filter((file) => !named.includes(file))).toEqual([]);
  expect(new Set(drawn.map((file) => readFileSync(`public${file}`, "utf8"))).size).toBe(drawn.length);
});

test("describes every product in every language, with a known category and shops", () => {
  for (const product of catalogue) {
    expect(categories.map(({ id }) => id)).toContain(product.category);
    expect(product.description.length).toBeGreaterThanOrEqual(2);
    expect(product.tags.length).toBeGreaterThan(0);
    for (const store of product.stores) expect(stores.map(({ id }) => id)).toContain(store);
    if (product.inStock !== true) expect(product.stores.filter(() => product.price !== null)).toEqual([]);
    expect(Object.keys(product.i18n).sort()).toEqual([...translated].sort());
    for (const { title, summary } of Object.values(product.i18n)) {
      expect(title).not.toBe("");
      expect(summary).not.toBe("");
    }
  }
});

test("has every help page in English and the main ones in every language", () => {
  expect(listHelpPages("en").length).toBeGreaterThanOrEqual(14);
  for (const locale of translated) {
    expect(listHelpPages(locale).map(({ slug }) => slug)).toEqual(expect.arrayContaining(mainPages));
  }
});

test("has exactly one help page without an English version: in German", () => {
  const slugs = helpPages.filter(({ locale }) => locale === "en").map(({ slug }) => slug);
  const others = helpPages.filter(({ slug }) => !slugs.includes(slug));
  expect(others.map(({ locale }) => locale)).toEqual(["de"]);
});

test("lists every help page with a URL in exactly one group", () => {
  const shelved = helpGroups.flatMap(({ pages }): readonly string[] => pages);
  const addressed = new Set(helpPages.flatMap(({ slug, path }) => (path === null ? [] : slug)));
  expect([...shelved].sort()).toEqual([...addressed].sort());
});

test("derives URLs from slug and language, with valid dates, unique anchors and known links", () => {
  for (const page of helpPages) {
    const { slug, locale, path, sections } = page;
    if (path !== null) expect(path).toBe(locale === "en" ? `/help/${slug}` : `/${locale}/help/${slug}`);
    expect(lastChange(page, new Date())?.getTime()).not.toBeNaN();
    const anchors = sections.map(({ anchor }) => anchor);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(anchors).not.toContain("");
    for (const anchor of Object.keys(page.sectionTopics)) expect(anchors).toContain(anchor);
    const english = helpPages.find((other) => other.slug === slug && other.locale === "en");
    const originals = english?.sections.map(({ anchor }) => anchor);
    if (english !== page) expect(page.translates?.length).toBe(originals && sections.length);
    expect(originals ?? []).toEqual(expect.arrayContaining(page.translates?.flat() ?? []));
    for (const other of page.related) {
      expect(helpPages.some((candidate) => candidate.slug === other && candidate.path !== null)).toBe(true);
    }
    expect(page.topics.length).toBeGreaterThan(0);
    for (const section of sections) expect(plainText(section.blocks).length).toBeGreaterThan(20);
  }
});

test("has four customers, and valid orders that belong to them", () => {
  expect(customers).toHaveLength(4);
  for (const { locale } of customers) expect(isLocale(locale)).toBe(true);
  for (const order of orders) {
    const { owner, email, ...rest } = order;
    expect(Order.parse(rest)).toEqual(rest);
    expect(customers.find(({ id }) => id === owner)?.email).toBe(email);
  }
});

test("has six forms with every text in every language", () => {
  expect(forms).toHaveLength(6);
  for (const form of forms) {
    expect(form.collectionId).toMatch(fieldId);
    const texts: Record<string, string>[] = [form.title, form.purpose];
    for (const { required: _required, ...field } of form.fields) {
      expect(field.id).toMatch(fieldId);
      for (const locale of locales) {
        const shown = {
          id: field.id,
          type: field.type,
          label: field.label[locale],
          description: field.description[locale],
          choices: field.choices.map(({ id, label }) => ({ id, label: label[locale] })),
        };
        expect(Field.parse(shown)).toEqual(shown);
      }
      expect(field.choices.length > 0).toBe(field.type === "choice");
      for (const { id } of field.choices) expect(id).toMatch(fieldId);
      texts.push(field.label, ...field.choices.map(({ label }) => label));
    }
    for (const text of texts) for (const locale of locales) expect(text[locale]).toBeTruthy();
  }
});

test("has fictional telephone numbers, ordered hours and one shop without a number", () => {
  expect(stores.map(({ phone }) => phone === null)).toEqual([false, false, true]);
  for (const store of stores) {
    if (store.phone !== null) expect(store.phone).toMatch(fictionalPhone);
    for (const day of weekdays) {
      const hours = store.hours[day];
      if (hours !== null) expect(hours[0] < hours[1]).toBe(true);
    }
  }
  for (const day of weekdays)
    expect(team.hours.weekly[day].flat()).toEqual(team.hours.weekly[day].flat().sort());
  expect(team.members).toHaveLength(4);
});

test("gives the same hours and telephone numbers on pages and in the data", () => {
  const linesOf = (slug: string) =>
    findHelpPage(slug, "en")
      ?.sections.map(({ heading, blocks }) => `${heading}: ${plainText(blocks)}`)
      .join("\n") ?? "";
  const hours = linesOf("store-hours");
  for (const store of stores) {
    const about = hours.split("\n").find((line) => line.startsWith(store.name)) ?? "";
    if (store.phone !== null) expect(about).toContain(store.phone);
    expect(about).toContain(`${store.address.street}, ${store.address.town} ${store.address.postcode}`);
    const spans = weekdays.flatMap((day) => (store.hours[day] ? [store.hours[day].join("–")] : []));
    for (const span of new Set(spans)) {
      const [opens = "", closes = ""] = span.split("–");
      expect(about.includes(span) || (about.includes(opens) && about.includes(`until ${closes}`))).toBe(true);
    }
  }
  const contact = linesOf("contact");
  for (const [from, to] of [...team.hours.weekly.tue, ...team.hours.weekly.sat]) {
    expect(contact).toContain(`${from}–${to}`);
  }
  expect(contact).toContain(`Wednesday ${team.hours.weekly.wed[0]?.[1]}–${team.hours.weekly.wed[1]?.[0]}`);
});

const textOf = ({ sections }: (typeof helpPages)[number]) =>
  sections.map(({ blocks }) => plainText(blocks)).join(" ");
const amountsIn = (text: string) => text.match(/£[\d.,]*\d/g) ?? [];

test("repeats every price from a page's facts in its text", () => {
  for (const page of helpPages) {
    const text = `${plainText(page.introduction)} ${textOf(page)}`;
    for (const amount of amountsIn((page.facts ?? []).flat().join(" ")))
      expect(text, `${page.slug} ${page.locale}`).toContain(amount);
  }
});

test("gives no amount in a translation that the English page does not give", () => {
  for (const page of helpPages.filter(({ locale }) => locale !== "en")) {
    const english = helpPages.find(({ slug, locale }) => slug === page.slug && locale === "en");
    if (english === undefined) continue;
    const known = amountsIn(textOf(english));
    for (const amount of amountsIn(textOf(page)))
      expect(known, `${page.slug} ${page.locale}`).toContain(amount);
  }
});

test("puts a left-to-right mark before every pound sign in Arabic pages", () => {
  for (const page of helpPages.filter(({ locale }) => locale === "ar")) {
    const text = `${JSON.stringify(page.facts)} ${textOf(page)}`;
    expect(text.match(/(?<!\u200e)£/g), page.slug).toBeNull();
  }
});

test("has only mailto links in help pages", () => {
  const links = helpPages
    .flatMap(({ introduction, sections }) => [...introduction, ...sections.flatMap(({ blocks }) => blocks)])
    .flatMap((block) => (block.type === "list" ? block.items : [block.content]))
    .flat()
    .flatMap((inline) => (inline.type === "link" ? inline.href : []));
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(link).toMatch(/^mailto:[a-z]+@example\.com$/);
});
