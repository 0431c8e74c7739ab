/**
 * Files of `<shop-chat>` by name, gzipped, in Base64. Empty in the sources: `npm run package` fills it in.
 */
export const embedFiles: Readonly<Record<string, string>> = {};
