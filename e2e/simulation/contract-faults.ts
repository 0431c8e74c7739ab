/**
 * Faults of a Chat API, one at a time, which the tests have to find before the model of the simulation
 * (`verify.test.ts`). Each breaks the rule that it names.
 */

import type { Rule } from "../contract/support/rules.ts";
import type { Mutant } from "./mutants.ts";

const model = "e2e/simulation/model.ts";
const http = "e2e/simulation/model-http.ts";
const collection = "e2e/simulation/model-collection.ts";

export const faults: Record<string, Mutant & { breaks: Rule }> = {
  "a repeated upload or handoff answers 201": {
    breaks: "idempotency.replay",
    file: model,
    find: "return { item: result.item, status: 200 };",
    put: "return { item: result.item, status: 201 };",
  },
  "a repeated message is stored again": {
    breaks: "idempotency.once",
    file: model,
    find: "if (before !== undefined) return respond(call, before, 200);",
    put: "",
  },
  "another text under the same key gets the first one's answer": {
    breaks: "idempotency.conflict",
    file: model,
    find: '      refuse("idempotency_conflict");\n',
    put: "",
  },
  "a repeated creation creates another chat": {
    breaks: "idempotency.replay",
    file: model,
    find: "if (creation !== undefined)",
    put: "if (creation === null)",
  },
  "a key may have seven characters": {
    breaks: "idempotency.format",
    file: http,
    find: "const keyPattern = /^[A-Za-z0-9._:-]{8,128}$/;",
    put: "const keyPattern = /^[A-Za-z0-9._:-]{7,128}$/;",
  },
  "an earlier message is lost": {
    breaks: "send.turn",
    file: model,
    find: "    end(stored, { item: JSON.stringify({ message: turn.message, reply: message, chat: stored.chat }) });",
    put: "    end(stored, { item: JSON.stringify({ message: turn.message, reply: message, chat: stored.chat }) }); if (stored.messages.length === 8) stored.messages.splice(4, 1);",
  },
  "errors carry another request ID than their header": {
    breaks: "general.request-id",
    file: http,
    find: "errorOf(refusal, requestId));",
    put: 'errorOf(refusal, "request_of_another"));',
  },
  "responses leave out RateLimit-Remaining": {
    breaks: "general.rate-limit",
    file: model,
    find: "Remaining: limit - rate.requests, ",
    put: "",
  },
  "a request with Origin is let in": {
    breaks: "authentication.origin",
    file: model,
    find: 'if (request.headers.has("origin")) refuse("origin_not_allowed");',
    put: "",
  },
  "a key that begins like the right one is accepted": {
    breaks: "authentication.key",
    file: model,
    find: `if (request.headers.get("authorization")?.replace(/^bearer/i, "Bearer") !== \`Bearer \${chatKey}\`)`,
    put: `if (request.headers.get("authorization")?.startsWith(\`Bearer \${chatKey}\`) !== true)`,
  },
  "a malformed ID is an unknown one": {
    breaks: "paths.ids",
    file: model,
    find: 'if (!isAddress || given === null) refuse("invalid_id");',
    put: 'if (!isAddress || given === null) refuse("chat_not_found");',
  },
  "405 names no methods": {
    breaks: "paths.unknown",
    file: model,
    find: 'response.headers.set("Allow", [...methods.keys()].join(", "));',
    put: "",
  },
  "JSON of 64 KiB is read": {
    breaks: "bodies.size",
    file: http,
    find: "{ limit = limits.jsonBytes,",
    put: "{ limit = 2 * limits.jsonBytes,",
  },
  "creations ignore unknown properties": {
    breaks: "create.properties",
    file: http,
    find: "export const CreateChat = z.strictObject({",
    put: "export const CreateChat = z.object({",
  },
  "text is counted in code points": {
    breaks: "send.text",
    file: http,
    find: "value.length <= length && value.isWellFormed()",
    put: "[...value].length <= length && value.isWellFormed()",
  },
  "white space alone is a message": {
    breaks: "send.text",
    file: http,
    find: '/\\S/u.test(body.text ?? "")',
    put: '(body.text ?? "") !== ""',
  },
  "a file of another chat can be sent": {
    breaks: "send.files",
    file: model,
    find: "const found = files.get(id);",
    put: "const found = [...chats.values()].flatMap((one) => one.files.get(id) ?? [])[0] ?? files.get(id);",
  },
  "a sent file still expires": {
    breaks: "states.file",
    file: model,
    find: "for (const sent of files) sent.file = { ...sent.file, expiresAt: null };",
    put: "",
  },
  "a limit above 50 is taken": {
    breaks: "list.limit",
    file: model,
    find: "/^([1-9]|[1-4]\\d|50)$/",
    put: "/^[1-9]\\d*$/",
  },
  "a message between two pages is left out": {
    breaks: "list.pages",
    file: model,
    find: "const start = cursor?.from ??",
    put: "const start = (cursor && cursor.from + 1) ??",
  },
  "a page lists its newest message first": {
    breaks: "list.pages",
    file: model,
    find: "return json(200, { items, nextCursor });",
    put: "return json(200, { items: items.toReversed(), nextCursor });",
  },
  "any type of file is taken": {
    breaks: "upload.type",
    file: http,
    find: 'if (!mediaTypes.includes(mediaType)) refuse("unsupported_file");',
    put: "",
  },
  "a chat takes a 41st file": {
    breaks: "upload.limits",
    file: model,
    find: "if (kept.length >= limits.filesPerChat)",
    put: "if (kept.length > limits.filesPerChat)",
  },
  "a closed chat takes files": {
    breaks: "states.resolved",
    file: model,
    find: 'if (chat.mode === "resolved") refuse("chat_closed");\n      const kept',
    put: "const kept",
  },
  "downloads lose their type": {
    breaks: "download.bytes",
    file: model,
    find: '"Content-Type": file.mediaType,',
    put: '"Content-Type": "application/octet-stream",',
  },
  "a saved form keeps its version": {
    breaks: "states.version",
    file: collection,
    find: "else Object.assign(details, { version: details.version + 1, error: null });",
    put: "else Object.assign(details, { error: null });",
  },
  "a stale version is saved": {
    breaks: "states.version",
    file: collection,
    find: "if (body.expectedVersion !== details.version)",
    put: "if (body.expectedVersion > details.version)",
  },
  "a choice that was not offered is saved": {
    breaks: "submit.answers",
    file: http,
    find: 'return type === "text" || choices.some(({ id }) => id === value);',
    put: "return true;",
  },
  "an older offer is accepted": {
    breaks: "handoff.offer",
    file: model,
    find: "offer.id !== body.confirmationId)",
    put: "offer.id.length !== body.confirmationId.length)",
  },
  "an offer that needs an email address does without": {
    breaks: "handoff.email",
    file: model,
    find: "if (availability(offer).requiresEmail && address === null)",
    put: "if (availability(offer).requiresEmail && address === undefined)",
  },
  "the agent answers while the team has the chat": {
    breaks: "states.team",
    file: model,
    find: 'if (stored.chat.mode === "agent") begin(stored, reply',
    put: "if (stored.turn === null) begin(stored, reply",
  },
  "a stream is done twice": {
    breaks: "events.sequence",
    file: model,
    find: `send("done", \`{"item":\${result.item}}\`);`,
    put: `[1, 2].forEach(() => send("done", \`{"item":\${result.item}}\`));`,
  },
  "a stream can be resumed": {
    breaks: "events.no-resume",
    file: model,
    find: 'if (headers.has("last-event-id")) refuse("unsupported_resume");',
    put: "",
  },
};
