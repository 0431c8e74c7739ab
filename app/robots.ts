import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { shopOrigin } from "./(shop)/shop-origin.ts";

export default async function robots(): Promise<MetadataRoute.Robots> {
  await connection();
  return {
    rules: { userAgent: "*", allow: "/", disallow: ["/api/", "/account"] },
    sitemap: `${shopOrigin()}/sitemap.xml`,
  };
}
