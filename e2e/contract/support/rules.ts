/**
 * The rules of the specification, by names that begin with its section; each test cites those that it checks.
 * Sentences are the specification's. The codes of its table of errors are rules as well, under their own
 * names: `errors.chat_closed`.
 */

export const rules = {
  // "General rules"
  "general.json": "All request and response bodies are JSON, except upload, download and the streamed reply.",
  "general.request-id": "Every response carries `X-Request-Id`. Its value equals `error.requestId`.",
  "general.rate-limit":
    "Every successful response carries `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`.",
  "general.retry-after": "Every 429 and every 503 carries `Retry-After` (seconds).",
  "idempotency.required": "Every operation that changes something requires the `Idempotency-Key` header.",
  "idempotency.format": "8 to 128 characters, matching `^[A-Za-z0-9._:-]{8,128}$`.",
  "idempotency.replay":
    "The same key and content returns the first result. A replay answers 200, the first execution 201.",
  "idempotency.once": "Nothing happens twice: the message is stored once and answered once.",
  "idempotency.conflict": "The same key with a different request is refused with `idempotency_conflict`.",
  "idempotency.retention": "30 days for a key that created a chat; the life of the chat for the others.",
  // "Resources and their fields"
  "resources.shape": "The field names are exact; timestamps are ISO 8601 UTC strings with milliseconds.",
  "resources.user-id": "The caller's `userId`, or a random ID for a guest.",
  "resources.history": "`historyComplete` is false when older messages are no longer kept.",
  "resources.cards": "At most 20 citations, 3 products and 10 orders. A choice is sent as the next text.",
  "resources.author": "The teammate who sent it, for a teammate's message. `system` is a notice.",
  "resources.collection": "The fields that the answers refer to; only `accepted` is an answer.",
  // "States and transitions"
  "states.created": "A created chat has mode `agent`, no teammate, no handoff and a complete history.",
  "states.agent": "Reply is an agent message. `updatedAt` advances.",
  "states.waiting": "An accepted offer sets mode `waiting`, and `handoff` with `requestedAt`.",
  "states.team": "While the chat is with the team, `reply` is null. A claimed handoff names the teammate.",
  "states.resolved": "Message, upload, submission and handoff are refused with `chat_closed`.",
  "states.file": "`expiresAt` is a day after the upload until the file is sent, then null.",
  "states.version": "`version` increases after a saved submission; a stale one is refused.",
  // "Endpoints"
  "paths.ids": "A malformed path ID gives `invalid_id`.",
  "paths.unknown": "An unknown path gives `not_found`, another method `method_not_allowed` with `Allow`.",
  "bodies.json": "Request bodies must be valid JSON objects with `Content-Type: application/json`.",
  "bodies.size": "JSON has at most 32 KiB, 2 MiB for a collection submission.",
  "create.user-id": "`userId` matches `^[A-Za-z0-9._:-]{8,128}$`.",
  "create.locale": "`locale` has at most 64 characters of BCP 47; default `en`.",
  "create.properties": "No other properties are allowed.",
  "create.replay": "A replay returns the chat as it is now.",
  "get.chat": "The chat; 404 for another channel's or a deleted one.",
  "send.text":
    "`text` has at most 4,000 UTF-16 code units, one of them not white space when it is the only one.",
  "send.files": "`fileIds` has 1 to 4 unique entries, from this chat's uploads.",
  "send.properties": "At least one of the two is required, and no other properties are allowed.",
  "send.turn": "The message as stored, the reply, and the chat after the turn.",
  "send.one-turn": "Another turn in the chat is running: `turn_in_progress`.",
  "list.limit": "`limit` is 1 to 50, by default 20.",
  "list.cursor": "`cursor` is the `nextCursor` of the previous page, of the same chat.",
  "list.pages": "Oldest first; `nextCursor` is null on the last page.",
  "upload.part": "`multipart/form-data` with one required part `file`, and no other parts.",
  "upload.type": "JPEG, PNG, GIF, WebP, PDF and plain text.",
  "upload.size": "At most 4 MiB.",
  "upload.limits": "At most 40 files and 80 MiB a chat.",
  "download.bytes":
    "The file's bytes, with the `Content-Type` it was uploaded with and `Content-Disposition`.",
  "submit.body":
    "`collectionRequestId`, `expectedVersion` and `action` are required; at most 20 answers of 2,000 units.",
  "submit.answers": "Rejected answers give `invalid_submission`, and the collection says why.",
  "submit.actions": "Saves, skips or cancels the form, if the form allows it.",
  "handoff.body":
    "`confirmationId` is required; `email` is an email address; `locale` is BCP 47, default `en`.",
  "handoff.offer": "Accepts the agent's latest offer; a missing or stale one gives `confirmation_required`.",
  "handoff.email": "The email address is needed when the offer's `requiresEmail` is true.",
  "handoff.details":
    "`collection_incomplete` opens a form; once it is answered, the handoff is repeated under a new key.",
  "handoff.availability": "When the team is next available, and its time zone.",
  // "Authentication"
  "authentication.key":
    "A missing or wrong key gives `invalid_api_key`. Creating a new key invalidates the old one.",
  "authentication.channel": "The chat key belongs to one agent.",
  "authentication.origin": "A request with an `Origin` header gives `origin_not_allowed`.",
  "authentication.state":
    "An unpublished channel gives `channel_disabled`, a suspended one `workspace_suspended`.",
  // "Events"
  "events.sequence": "One `start`, then zero or more `delta`, then exactly one of `done` or `error`.",
  "events.frame": "`event: <name>`, then `data: <JSON>`, followed by a blank line.",
  "events.text": "The concatenated deltas equal the reply text in `done`, unless that is a closing question.",
  "events.keep-alive": "A comment line is sent every 15 seconds.",
  "events.no-resume": "A `Last-Event-ID` request header is refused.",
  "events.repeat": "The client repeats the request with the same key; a replay is also streamed.",
  "events.accept":
    "An `Accept` value that is neither JSON nor `text/event-stream` gives `unsupported_accept`.",
  // "Errors"
  "errors.shape":
    "JSON of the Error shape, with the status of its code, and of a code that the operation has.",
  "errors.field": "JSON pointer to the request field at fault.",
  "errors.capacity":
    "`chat_limit_reached`, `capacity_limited` and `operation_capacity_reached` refuse what needs more.",
  "errors.repeat": "After 429, 500 or 503 the same request is sent again with the same key.",
  "errors.outcome":
    "`operation_interrupted` and `operation_superseded`: the outcome is read from the chat, and kept under the key.",
  "errors.deleted":
    "Deleted chats are gone: `chat_not_found`, and `idempotency_resource_gone` for their key.",
} as const;

export type Rule = keyof typeof rules;

/** Rules that the specification leaves open, or has for others than the Chat API. No test checks them. */
export const unchecked: Readonly<Record<string, string>> = {
  "Thresholds behind `rate_limited`, plans and capacities": "not shown by the specification",
  "Keep the key on the server; `userId` is not a sign-in": "rules for callers",
  "The version is carried in the path prefix `/v1`": "every request of the tests has it",
};

/** A response that breaks a rule which every response has to keep, whatever its test checks. */
export class Breach extends Error {
  readonly rule: Rule;

  constructor(rule: Rule, message: string) {
    super(`${rule}: ${message}`);
    this.rule = rule;
  }
}
