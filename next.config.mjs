import { readFileSync } from "node:fs";
import { responseHeaders } from "./lib/shop/server/response-headers.ts";

const isDevelopment = process.env["NODE_ENV"] === "development";
/** The address that browsers show, of which a server behind a proxy may not know. */
const shop = URL.parse(process.env["APP_ORIGIN"] ?? "");
/** Two servers cannot share a build folder: tests that start a second server set another folder. */
const distDir = process.env["NEXT_DIST_DIR"];
/** The gallery's conversations do not exist in a Chat API, so the shop's pictures replace their files. */
const galleryFiles = {
  source: "/api/chat/chats/chat_gallery_1/files/:name",
  destination: "/shop/products/:name.svg",
};

/** Files of the packages that the chat loads by name, which Next's tracing cannot see, and what they need. */
function packagesLoadedByName() {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const names = new Set(["ioredis", "@prometheus-io/client"]);
  for (const name of names)
    for (const needed of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) names.add(needed);
  return [...names].map((name) => `node_modules/${name}/**`);
}

/** @type {import("next").NextConfig} */
const config = {
  ...(distDir && { distDir }),
  // `standalone` for containers: the server in `.next/standalone`, with nothing but the files that it needs.
  output: process.env["NEXT_OUTPUT"],
  outputFileTracingIncludes: { "/*": packagesLoadedByName() },
  // Files named `*.dev.tsx` (the chat's gallery) are pages of `next dev` only.
  pageExtensions: isDevelopment ? ["dev.tsx", "tsx", "ts"] : ["tsx", "ts"],
  rewrites: async () => ({ beforeFiles: isDevelopment ? [galleryFiles] : [] }),
  headers: async () => responseHeaders,
  allowedDevOrigins: shop ? [shop.hostname] : [],
  // The indicator would cover the chat's button on right-to-left pages.
  devIndicators: false,
  poweredByHeader: false,
  experimental: {
    // Where `proxy.ts` runs, Next buffers this much of each unfinished body. Pages take small forms, and with
    // the default of 10 MB a hundred requests would hold a gigabyte.
    proxyClientMaxBodySize: "16kb",
    serverActions: { allowedOrigins: shop ? [shop.host] : [] },
  },
  // Closes Next's optimiser: it would fetch addresses that a reply names (SSRF, decoding attacks), and leaves
  // SVG pictures, such as the shop's, as they are.
  images: { unoptimized: true },
  // Next would add another build folder to tsconfig.json, but leaves alone a file that extends another.
  ...(distDir && { typescript: { tsconfigPath: "e2e/development/tsconfig.json" } }),
};

export default config;
