/**
 * On everything but the chat's server, whose pipeline sets its own. (A header set in both places would be
 * sent twice.) The pages' Content Security Policy has a nonce and comes from `proxy.ts`; where that does not
 * run, there is the one below.
 */
const headers = [
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
  { key: "Referrer-Policy", value: "no-referrer" },
  // Ignored by browsers on plain http.
  { key: "Strict-Transport-Security", value: "max-age=31536000; includeSubDomains" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
];

/** What `proxy.ts` leaves out: Next's own files, and all that end like a file. */
const files = "/(_next/.*|.*\\.(?:avif|css|gif|ico|jpg|js|json|map|png|svg|txt|webmanifest|webp|woff2|xml))";
/**
 * Nothing runs there. One that is not there is answered with the shop's page for that, which would run
 * without it.
 */
const filePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const isDevelopment = process.env["NODE_ENV"] === "development";

/** The gallery's conversations are in no Chat API: the shop's pictures stand for their messages' files. */
const galleryFiles = {
  source: "/api/chat/chats/chat_gallery_1/files/:name",
  destination: "/shop/products/:name.svg",
};

/**
 * Two servers cannot share the folder that they compile to: for those that tests start beside the usual one.
 */
const distDir = process.env["NEXT_DIST_DIR"];

/** @type {import("next").NextConfig} */
const config = {
  ...(distDir === undefined ? {} : { distDir }),
  // Files named `*.dev.tsx` (the chat's gallery) are pages of `next dev` and are not in a build at all.
  pageExtensions: isDevelopment ? ["dev.tsx", "tsx", "ts"] : ["tsx", "ts"],
  ...(isDevelopment ? { rewrites: async () => ({ beforeFiles: [galleryFiles] }) } : {}),
  poweredByHeader: false,
  // Where `proxy.ts` runs, Next keeps this much of each unfinished body: pages take none, and 100 times 10 MB
  // is a gigabyte.
  experimental: { proxyClientMaxBodySize: "16kb" },
  // Streams must leave as they are written: gzip would hold deltas back and cost more CPU for each.
  compress: false,
  productionBrowserSourceMaps: false,
  // The optimiser fetches addresses that an answer names (SSRF, decoding attacks); pictures are shown with
  // <img>.
  images: { unoptimized: true },
  typescript: {
    // Types are checked by `npm run check` with the same tsconfig.
    ignoreBuildErrors: true,
    // Next adds the folder to tsconfig.json by itself, but not to one that extends another.
    ...(distDir === undefined ? {} : { tsconfigPath: "e2e/development/tsconfig.json" }),
  },
  headers: async () => [
    { source: "/((?!api/chat(?:/|$)).*)", headers },
    { source: "/api/shop/:path*", headers: [{ key: "Content-Security-Policy", value: filePolicy }] },
    { source: files, headers: [{ key: "Content-Security-Policy", value: filePolicy }] },
  ],
};

export default config;
