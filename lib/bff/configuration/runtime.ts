/** True on workerd (Cloudflare's Workers), which documents this name. Node 20 has no `navigator`. */
export const isWorkers = globalThis.navigator?.userAgent === "Cloudflare-Workers";
