import { expect, test } from "vitest";
import { parseHelpPage } from "#lib/shop/help.ts";
import { splitSentences } from "../language/languages.ts";
import { findProducts } from "./find-products.ts";
import { readHelpPage } from "./help-page.ts";
import { openShop } from "./shop.ts";

const shop = openShop("https://shop.example");

function titles(query: Parameters<typeof findProducts>[1]): string[] {
  return findProducts(shop.catalogue, query).items.map((item) => item.product.title);
}

test("drops criteria that no product meets, and reports them", () => {
  expect(findProducts(shop.catalogue, { kinds: ["helmet"], colours: ["other"] })).toMatchObject({
    unmet: ["colours"],
  });
  expect(titles({ kinds: ["helmet"], colours: ["red"] })).toEqual(["Kestrel helmet"]);
});

test("does not compare prices in different currencies", () => {
  const { items } = findProducts(shop.catalogue, { kinds: ["jacket"], sort: "dearest" });
  expect(items.map(({ product }) => product.price?.currency)).toEqual(["GBP", "EUR"]);
});

test("finds only products with the customer's word in title or tags, if there are any", () => {
  expect(titles({ kinds: ["tool"], words: ["multitool"] })).toEqual(["Stell 18 multitool"]);
});

test("quotes the translation of a section, or the section in English if it has none", () => {
  const headingOf = (name: string) => shop.help.section(name, "de").section.heading;
  expect(headingOf("payment#finance")).toBe("Drei Raten und Finanzierung");
  expect(headingOf("payment#invoices")).toBe("Invoices");
  expect(headingOf("workshop-prices#gold-service")).toBe("Service Gold");
});

test("a list is one sentence with its introduction", () => {
  const source =
    '---\nslug: "a"\ntitle: "A"\nlocale: "en"\npath: null\nupdatedAt: null\ntopics: []\nsectionTopics: {}\nsummary: ""\nrelated: []\n---\n\nWe mend:\n\n- **tubes**\n- [tyres](/x)\n';
  const page = readHelpPage(parseHelpPage(source));
  expect(page.sections[0]).toMatchObject({ sentences: ["We mend: tubes; tyres."] });
});

test("a German ordinal does not end a sentence", () => {
  expect(splitSentences("Bis 24. Dezember. Danach nicht.", "de")).toEqual([
    "Bis 24. Dezember.",
    "Danach nicht.",
  ]);
});

test("`updatedAt: today` becomes midnight UTC of the channel's current day", () => {
  const now = new Date("2027-03-04T18:00:00.000Z");
  const hours = shop.help.passages.filter(
    (passage) => passage.page.slug === "store-hours" && passage.language === "en",
  );
  expect(hours.map((passage) => shop.cite(passage, now).updatedAt)).toEqual(
    hours.map(() => "2027-03-04T00:00:00.000Z"),
  );
});
