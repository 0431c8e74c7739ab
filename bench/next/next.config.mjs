import { join } from "node:path";

/** @type {import("next").NextConfig} */
export default {
  distDir: "../../.next-bench",
  poweredByHeader: false,
  compress: false,
  turbopack: { root: join(import.meta.dirname, "../..") },
  typescript: { ignoreBuildErrors: true },
};
