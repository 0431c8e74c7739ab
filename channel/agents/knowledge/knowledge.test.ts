import { expect, test } from "vitest";
import { shopDir } from "../testing.ts";
import { findProducts } from "./find-products.ts";
import { parseHelpPage } from "./help-page.ts";
import { hoursOn } from "./opening-hours.ts";
import { splitSentences } from "./sentences.ts";
import { openShop } from "./shop.ts";

const shop = await openShop({ shopDir, shopOrigin: "https://shop.example" });

function titles(query: Parameters<typeof findProducts>[1]): string[] {
  return findProducts(shop.catalogue, query).items.map((item) => item.product.title);
}

test("wishes that nothing meets are given up one after the other, and named", () => {
  expect(findProducts(shop.catalogue, { kinds: ["helmet"], colours: ["other"] })).toMatchObject({
    unmet: ["colours"],
  });
  expect(titles({ kinds: ["helmet"], colours: ["red"] })).toEqual(["Kestrel helmet"]);
});

test("prices in different currencies are not compared", () => {
  expect(titles({ kinds: ["light"], sort: "dearest" })).toEqual(["Wick 300 light set", "Wick 900 lamp"]);
});

test("a product that is called what was asked for goes before others of its kind", () => {
  expect(titles({ kinds: ["tool"], words: ["multitool"] })).toEqual(["Stell 18 multitool"]);
});

test("a page without its front matter is refused with the file's name", () => {
  expect(() => parseHelpPage("## Nothing", "nowhere.md")).toThrow(/nowhere\.md/);
});

test("items of a list know what introduces them", () => {
  const page = parseHelpPage(
    '---\nslug: "a"\ntitle: "A"\nlocale: "en"\npath: null\nupdatedAt: null\ntopics: []\nsectionTopics: {}\nsummary: ""\n---\n\nWe mend:\n\n- **tubes**\n- [tyres](/x)\n',
    "a.md",
  );
  expect(page.sections[0]).toMatchObject({ sentences: ["tubes", "tyres"], leads: ["We mend:", "We mend:"] });
});

test("a German ordinal does not end a sentence", () => {
  expect(splitSentences("Bis 24. Dezember. Danach nicht.", "de")).toEqual([
    "Bis 24. Dezember.",
    "Danach nicht.",
  ]);
});

test("every section can be cited, and `today` follows the channel's clock", () => {
  const now = new Date("2027-03-04T18:00:00.000Z");
  const hours = shop.help.passages.filter(
    (passage) => passage.page.slug === "store-hours" && passage.language === "en",
  );
  expect(hours.map((passage) => shop.cite(passage, now).updatedAt)).toEqual(
    hours.map(() => "2027-03-04T00:00:00.000Z"),
  );
});

test("opening hours know holidays, early closes and the local day", () => {
  const { stores } = shop.data;
  const [kelderby] = stores.stores;
  if (!kelderby) throw new Error("there is a first shop");
  const on = (time: string, daysAhead = 0) => hoursOn(kelderby, stores, new Date(time), daysAhead);
  expect(on("2026-06-11T10:00:00Z")).toEqual(["09:00", "20:00"]);
  expect(on("2026-12-24T10:00:00Z")).toEqual(["09:00", "13:00"]);
  expect(on("2026-12-24T10:00:00Z", 1)).toBeNull();
  expect(on("2026-04-03T10:00:00Z")).toBeNull();
  // Half past eleven at night in UTC is the next day in London in summer.
  expect(on("2026-06-13T23:30:00Z")).toEqual(["10:00", "16:00"]);
});
