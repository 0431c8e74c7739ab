import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { catalogue } from "#lib/shop/catalogue.ts";
import { helpPages, lastChange } from "#lib/shop/help.ts";
import { shopOrigin } from "./(shop)/shop-origin.ts";

const fixedPaths = ["/", "/products", "/help", "/about"];

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  // The shop's origin is known at run time, not at build time.
  await connection();
  const origin = shopOrigin();
  const now = new Date();
  return [
    ...fixedPaths.map((path) => ({ url: `${origin}${path}` })),
    ...catalogue.flatMap(({ path }) => (path === null ? [] : { url: `${origin}${path}` })),
    ...helpPages.flatMap((page) => {
      if (page.path === null) return [];
      const changed = lastChange(page, now);
      return [{ url: `${origin}${page.path}`, ...(changed === null ? {} : { lastModified: changed }) }];
    }),
  ];
}
