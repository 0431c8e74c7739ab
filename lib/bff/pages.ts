/** `shop-chat/pages`: the configuration that a host's pages and proxy may need, without the server. */
export { readProcessConfig } from "./configuration/env.ts";
export { pagePolicy, reportingEndpoints } from "./http/page-policy.ts";
