/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // Streams must leave as they are written: gzip would hold deltas back and cost more CPU for each.
  compress: false,
  productionBrowserSourceMaps: false,
  // The optimiser fetches addresses that an answer names (SSRF, decoding attacks); pictures are shown with <img>.
  images: { unoptimized: true },
  typescript: {
    // Types are checked by `npm run check` with the same tsconfig.
    ignoreBuildErrors: true,
  },
};

export default config;
