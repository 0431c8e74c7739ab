/** Request validation shared by the BFF and the channel. Servers only: imports zod. */
import type { z } from "zod";
import { ChatApiError } from "./errors.ts";
import { idempotencyKeyPattern } from "./patterns.ts";
import { eventStreamType } from "./turn-events.ts";

/** RFC 6901. The empty pointer refers to the whole document. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function issuePath(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  // zod reports an unknown property at its parent, but the pointer must name the property itself.
  if (issue.code === "unrecognized_keys" && issue.keys[0] !== undefined)
    return [...issue.path, issue.keys[0]];
  return issue.path;
}

function issueMessage(issue: z.core.$ZodIssue, path: readonly PropertyKey[]): string {
  const name = path.length === 0 ? "The request" : `"${String(path.at(-1))}"`;
  if (issue.code === "unrecognized_keys") return `${name} is not a property of this request.`;
  return issue.code === "custom" || issue.code === "invalid_format"
    ? `${name} ${issue.message}.`
    : `${name} is invalid: ${issue.message}.`;
}

/**
 * Parses the value with the schema.
 * @throws ChatApiError `invalid_request` whose `field` points at the first problem.
 */
export function parseRequest<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue === undefined) throw new ChatApiError("invalid_request");
  const path = issuePath(issue);
  const field = jsonPointer(path);
  throw new ChatApiError("invalid_request", {
    message: issueMessage(issue, path),
    ...(field === "" ? {} : { field }),
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses a request's bytes as one JSON object in UTF-8 (RFC 8259).
 * @throws ChatApiError `invalid_json`
 */
export function parseJsonObject(bytes: Uint8Array): object {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new ChatApiError("invalid_json", { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ChatApiError("invalid_json");
  return value;
}

/**
 * The request's idempotency key (docs/chat-api.md, "Idempotency").
 * @throws ChatApiError `invalid_request` if it is missing or malformed.
 */
export function parseIdempotencyKey(header: string | null | undefined): string {
  if (header !== null && header !== undefined && idempotencyKeyPattern.test(header)) return header;
  throw new ChatApiError("invalid_request", {
    message: "The Idempotency-Key header must be 8 to 128 letters, digits or . _ : -",
    field: "/Idempotency-Key",
  });
}

interface Range {
  name: string;
  quality: number;
}

/**
 * True for a turn stream, false for JSON. A wildcard that matches both means JSON.
 * @param streamRanges The ranges that may select a stream, the most precise first.
 * @throws ChatApiError `unsupported_accept` if neither is acceptable
 */
export function wantsEventStream(accept: string | null, streamRanges = [eventStreamType]): boolean {
  const ranges = (accept?.trim() || "*/*").split(",").flatMap((text) => parseRange(text) ?? []);
  const json = mostPrecise(ranges, ["application/json", "application/*", "*/*"]);
  const stream = mostPrecise(ranges, streamRanges);
  if (json.quality === 0 && stream.quality === 0) throw new ChatApiError("unsupported_accept");
  return stream.quality === json.quality ? stream.name !== "*/*" : stream.quality > json.quality;
}

/** Undefined for a range whose quality cannot be read. */
function parseRange(text: string): Range | undefined {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "") ?? "1";
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality)
    ? { name, quality: Number(quality) }
    : undefined;
}

function mostPrecise(ranges: readonly Range[], names: readonly string[]): Range {
  const matching = names.flatMap((name) => ranges.find((range) => range.name === name) ?? []);
  return matching[0] ?? { name: "", quality: 0 };
}
