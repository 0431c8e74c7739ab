/**
 * The form of the Chat API's requests and responses, for the model: paths, bodies, errors. What requests mean
 * is in `model.ts`.
 */
import { z } from "zod";
import type { Collection } from "../contract/support/shapes.ts";
import * as specification from "../contract/support/specification.ts";

const { limits, pathOf } = specification;
type Code = specification.Code;
type OperationName = specification.OperationName;

const idPattern = /^[A-Za-z0-9_-]{8,128}$/;
const keyPattern = /^[A-Za-z0-9._:-]{8,128}$/;

/** Text of at most `length` UTF-16 code units, and nothing that would be stored as another text. */
const text = (length: number) =>
  z.string().refine((value) => value.length <= length && value.isWellFormed() && !value.includes("\0"));
const strings = (pattern: RegExp, count: number) => z.array(z.string().regex(pattern)).max(count);
const locale = z.string().regex(/^(?=.{1,64}$)[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/);
const email = text(254).regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/);
const fieldId = /^[A-Za-z0-9_-]{1,128}$/;

export const CreateChat = z.strictObject({
  userId: z.string().regex(keyPattern).optional(),
  locale: locale.default("en"),
});
export const SendMessage = z
  .strictObject({
    text: text(limits.text).optional(),
    fileIds: strings(idPattern, limits.filesPerMessage)
      .min(1)
      .refine((ids) => new Set(ids).size === ids.length)
      .optional(),
  })
  .refine((body) => body.fileIds !== undefined || /\S/u.test(body.text ?? ""), { path: ["text"] });
export const SubmitCollection = z.object({
  collectionRequestId: z.string().nullable(),
  expectedVersion: z.int().nonnegative(),
  action: z.enum(["save", "skip", "cancel"]),
  values: z
    .record(z.string().regex(fieldId), text(limits.answerLength))
    .refine((values) => Object.keys(values).length <= limits.answers)
    .default({}),
  fieldIds: strings(fieldId, limits.skippedFields).default([]),
});
export const Handoff = z.object({
  confirmationId: text(1_000).min(1),
  email: email.optional(),
  locale: locale.default("en"),
});

const mediaTypes = "image/jpeg image/png image/gif image/webp application/pdf text/plain".split(" ");

/** Operations by path, with `*` in the place of IDs, and by method. */
const routes = new Map<string, Map<string, OperationName>>();
for (const name of specification.operationNames) {
  const path = pathOf(name, { chatId: "*", fileId: "*" });
  routes.set(path, new Map([...(routes.get(path) ?? []), [specification.methodOf(name), name]]));
}

/** The parts of a path; `ids` is null if one is malformed. */
export function readPath(pathname: string) {
  const [, address = "", path = ""] = /^\/v1\/channels\/([^/]*)(\/.*)?$/.exec(pathname) ?? [];
  const parts = path.split("/").map((part, index) => ({ part, isId: index > 0 && index % 2 === 0 }));
  const methods = routes.get(parts.map(({ part, isId }) => (isId ? "*" : part)).join("/"));
  const ids = parts.filter(({ isId }) => isId).map(({ part }) => decoded(part));
  return { address, methods, ids: ids.every((id) => idPattern.test(id)) ? ids : null };
}

export class Refusal extends Error {
  readonly code: Code;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: Code, field?: string, retryAfter?: number) {
    super(code);
    this.code = code;
    this.field = field;
    // "Every 429 and every 503 carries `Retry-After` (seconds)."
    this.retryAfter = retryAfter ?? ([429, 503].includes(specification.statusOf(code)) ? 2 : undefined);
  }
}

export function refuse(code: Code, field?: string): never {
  throw new Refusal(code, field);
}

export async function readBody<S extends z.ZodType>(
  request: Request,
  schema: S,
  { limit = limits.jsonBytes, beforeKey = (): void => undefined } = {},
): Promise<{ key: string; body: z.output<S> }> {
  const type = (request.headers.get("content-type") ?? "").toLowerCase().replaceAll(/[\s"]/g, "");
  const isJson = /^application\/json(;charset=utf-8)?$/.test(type);
  if (!isJson || request.headers.has("content-encoding")) refuse("unsupported_media_type");
  const bytes = await readBytes(request, limit);
  beforeKey();
  const key = keyOf(request);
  const parsed = schema.safeParse(jsonOf(bytes));
  if (parsed.success) return { key, body: parsed.data };
  const [issue] = parsed.error.issues;
  const path = [
    ...(issue?.path ?? []),
    ...(issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : []),
  ];
  const names = path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return refuse("invalid_request", names.join(""));
}

export const json = (status: number, body: object) => response(status, JSON.stringify(body));
export const jsonText = (status: number, item: string) => response(status, `{"item":${item}}`);

function response(status: number, body: string): Response {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  return new Response(body, { status, headers });
}

export const errorOf = ({ code, field, retryAfter }: Refusal, requestId: string) => ({
  error: { code, message: code.replaceAll("_", " "), requestId, field, retryAfterSeconds: retryAfter },
});

export function errorResponse(refusal: Refusal, requestId: string): Response {
  const refused = json(specification.statusOf(refusal.code), errorOf(refusal, requestId));
  refused.headers.set("X-Request-Id", requestId);
  if (refusal.retryAfter !== undefined) refused.headers.set("Retry-After", String(refusal.retryAfter));
  return refused;
}

/** "An `Accept` value that is neither JSON nor `text/event-stream` gives `unsupported_accept`." */
export function wantsStream(headers: Headers): boolean {
  const accept = headers.get("accept")?.toLowerCase() ?? "*/*";
  if (/text\/event-stream(?!\s*;\s*q=0\b)/.test(accept)) return true;
  return /application\/(json|\*)|\*\/\*/.test(accept) ? false : refuse("unsupported_accept");
}

export function keyOf({ headers }: Request): string {
  const key = headers.get("idempotency-key") ?? "";
  return keyPattern.test(key) ? key : refuse("invalid_request", "/Idempotency-Key");
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length")) > limit) refuse("payload_too_large");
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length > limit ? refuse("payload_too_large") : bytes;
}

function jsonOf(bytes: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    );
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below.
  }
  return refuse("invalid_json");
}

/** The one part of a multipart body. `request.formData()` would read it on other threads, in any order. */
export async function readUpload(request: Request) {
  const type = /^multipart\/form-data\s*;.*boundary="?([^";]+)"?/i.exec(
    request.headers.get("content-type") ?? "",
  );
  if (type === null) refuse("unsupported_media_type");
  const body = Buffer.from(await readBytes(request, limits.fileBytes + 64 * 1024)).toString("latin1");
  const [part = "", another] = `\r\n${body}`.split(`\r\n--${type[1]}`).slice(1, -1);
  const end = part.indexOf("\r\n\r\n");
  const head = Buffer.from(part.slice(0, end), "latin1").toString("utf8");
  const filename = /filename="([^"]*)"/i.exec(head)?.[1];
  if (another !== undefined || filename === undefined || !/[;\s]name="file"/.test(head))
    return refuse("invalid_request", "/file");
  const bytes = new Uint8Array(Buffer.from(part.slice(end + 4), "latin1"));
  if (bytes.length > limits.fileBytes) refuse("payload_too_large");
  const mediaType = /content-type:\s*([^\s;]+)/i.exec(head)?.[1]?.toLowerCase() ?? "";
  if (!mediaTypes.includes(mediaType)) refuse("unsupported_file");
  return { filename, bytes, mediaType };
}

export function fits({ type, choices }: Collection["fields"][number], value: string): boolean {
  if (type === "email") return email.safeParse(value.trim()).success;
  return type === "text" || choices.some(({ id }) => id === value);
}

/** A replacer for `JSON.stringify`: equal objects have equal texts. */
export const sorted = (_: string, value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
