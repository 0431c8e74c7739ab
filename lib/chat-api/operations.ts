/**
 * The nine operations as every side needs to know them (docs/chat-api.md, "Operations"): the client builds
 * requests from it, the BFF and the channel their routes. Free of zod, so that browser code may import it;
 * `operations/` has a file of each operation with its errors and schemas.
 */

export interface Operation {
  method: "GET" | "POST" | "DELETE";
  /**
   * The path below `/v1/channels/{channelKey}` in the Chat API, below the base path (`/api/chat`) in the BFF.
   */
  path: string;
  /** True for a write: it requires an `Idempotency-Key`, and a replay returns 200. */
  writes: boolean;
  /** Status of a first execution. */
  status: 200 | 201;
}

const read = { method: "GET", writes: false, status: 200 } as const;
const write = { method: "POST", writes: true, status: 201 } as const;

export const operations = {
  createChat: { ...write, path: "/chats" },
  getChat: { ...read, path: "/chats/{chatId}" },
  sendMessage: { ...write, path: "/chats/{chatId}/messages" },
  listMessages: { ...read, path: "/chats/{chatId}/messages" },
  uploadFile: { ...write, path: "/chats/{chatId}/files" },
  downloadFile: { ...read, path: "/chats/{chatId}/files/{fileId}" },
  getCollection: { ...read, path: "/chats/{chatId}/collection" },
  submitCollection: { ...write, path: "/chats/{chatId}/collection", status: 200 },
  handoff: { ...write, path: "/chats/{chatId}/handoff" },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

export interface OperationIds {
  chatId?: string;
  fileId?: string;
}

/** The operation's path with its IDs, percent-encoded. Throws if an ID is missing: a programming error. */
export function operationPath(operation: OperationName, ids: OperationIds = {}): string {
  const idOf = (name: keyof OperationIds) => {
    const id = ids[name];
    if (id === undefined) throw new TypeError(`${operation} needs a ${name}`);
    return encodeURIComponent(id);
  };
  return operations[operation].path
    .replace("{chatId}", () => idOf("chatId"))
    .replace("{fileId}", () => idOf("fileId"));
}
