import { readFileSync } from "node:fs";

/**
 * Headers of everything except the chat's server, whose pipeline sets its own: a header set in both places
 * would be sent twice. Pages get their Content Security Policy, with a nonce, from `proxy.ts`. The policy
 * below is for the paths that the proxy skips.
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

/**
 * The paths that `proxy.ts` skips: `/api`, Next's own files, and paths with a file extension. Here without
 * the chat, whose files may have one, too.
 */
const apis = "/(api(?:/(?!chat(?:/|$)).*)?)";
const files =
  "/(_next/.*|(?!api/chat(?:/|$)).*\\.(?:avif|css|gif|ico|jpg|js|json|map|png|svg|txt|webmanifest|webp|woff2|xml))";
/**
 * Forbids all scripts. A missing file is answered with the shop's 404 page, whose scripts would otherwise
 * run.
 */
const filePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const isDevelopment = process.env["NODE_ENV"] === "development";

/** Next's development server answers pages of other hosts than localhost only if they are named. */
const ownHost = URL.parse(process.env["APP_ORIGIN"] ?? "")?.hostname;

/** The gallery's conversations do not exist in a Chat API, so the shop's pictures replace their files. */
const galleryFiles = {
  source: "/api/chat/chats/chat_gallery_1/files/:name",
  destination: "/shop/products/:name.svg",
};

/** Two servers cannot share a build folder: tests that start a second server set another folder. */
const distDir = process.env["NEXT_DIST_DIR"];

/** Packages that the chat loads by name, which Next's tracing cannot see, and what they need. */
function packagesByName() {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const names = new Set(["ioredis", "@prometheus-io/client"]);
  for (const name of names)
    for (const needed of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) names.add(needed);
  return [...names].map((name) => `node_modules/${name}/**`);
}

/** For containers: the server with nothing but the files that it needs, in `.next/standalone`. */
const standalone =
  process.env["NEXT_OUTPUT"] === "standalone"
    ? { output: "standalone", outputFileTracingIncludes: { "/*": packagesByName() } }
    : {};

/** @type {import("next").NextConfig} */
const config = {
  ...(distDir === undefined ? {} : { distDir }),
  ...standalone,
  // Files named `*.dev.tsx` (the chat's gallery) are pages of `next dev` only.
  pageExtensions: isDevelopment ? ["dev.tsx", "tsx", "ts"] : ["tsx", "ts"],
  ...(isDevelopment ? { rewrites: async () => ({ beforeFiles: [galleryFiles] }) } : {}),
  ...(ownHost === undefined ? {} : { allowedDevOrigins: [ownHost] }),
  // The indicator would cover the chat's button on right-to-left pages.
  devIndicators: false,
  poweredByHeader: false,
  // Where `proxy.ts` runs, Next buffers this much of each unfinished body. Pages take no body, and with the
  // default of 10 MB a hundred requests would hold a gigabyte.
  experimental: { proxyClientMaxBodySize: "16kb" },
  productionBrowserSourceMaps: false,
  // Next's optimiser would fetch addresses that a reply names (SSRF, decoding attacks), so pictures are shown
  // with <img>.
  images: { unoptimized: true },
  typescript: {
    // Types are checked by `npm run check` with the same tsconfig.
    ignoreBuildErrors: true,
    // Next would add the build folder to tsconfig.json, but leaves alone a file that extends another.
    ...(distDir === undefined ? {} : { tsconfigPath: "e2e/development/tsconfig.json" }),
  },
  headers: async () => [
    { source: "/((?!api/chat(?:/|$)).*)", headers },
    { source: apis, headers: [{ key: "Content-Security-Policy", value: filePolicy }] },
    { source: files, headers: [{ key: "Content-Security-Policy", value: filePolicy }] },
  ],
};

export default config;
