import { join } from "node:path";

/** @type {import("next").NextConfig} */
export default {
  distDir: "../../.next-bench",
  poweredByHeader: false,
  // Compression would slow down only the baselines: the chat's own answers do not pass it.
  compress: false,
  turbopack: { root: join(import.meta.dirname, "../..") },
  typescript: { ignoreBuildErrors: true },
};
