import { join } from "node:path";

/** @type {import("next").NextConfig} */
export default {
  distDir: "../../.next-bench",
  poweredByHeader: false,
  // Next does not compress the chat's own responses, so compression would slow down only the baselines.
  compress: false,
  turbopack: { root: join(import.meta.dirname, "../..") },
  typescript: { ignoreBuildErrors: true },
};
