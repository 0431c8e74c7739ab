import { bffErrorCodes, errorRules, responseOf } from "#lib/chat-api/errors.ts";
import { code, table } from "../../channel/openapi/fill-tables.ts";

function errorsTable(): string {
  const rows = bffErrorCodes.map((name) => {
    const { status, sentence } = responseOf(name);
    const { retry, nextKey } = errorRules[name];
    return [code(name), String(status), sentence, retry === "never" ? "no" : "yes", nextKey];
  });
  return table(["code", "status", "means", "repeated", "next key"], rows);
}

/** The table of docs/chat-server.md, of the codes that the BFF adds to the contract's. */
export const chatServerTables = { errors: errorsTable };
