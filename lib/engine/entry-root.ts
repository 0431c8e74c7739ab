import { defaultBasePath } from "../chat-api/base-path.ts";

/**
 * What the names of a chat's stored entries begin with. The pages of one origin may belong to several chat
 * servers, whose base paths tell them apart; without a path it is the default one. `1` is the version of the
 * stored data: a change that old readers would misread increments it.
 */
export const entryRoot = (api: string): string => `shop-chat${api === defaultBasePath ? "" : api}:1:`;
