/**
 * Building blocks of the contract's schemas.
 *
 * Reading tolerates newer or different implementations: unknown fields are dropped, a missing nullable field
 * becomes null, a missing list empty, an unknown enum value the harmless one, and a list over its cap is
 * truncated. Request bodies are strict about values; `createChat` and `sendMessage` also reject unknown
 * fields.
 */
import { z } from "zod";
import { limits } from "./limits.ts";
import { localePattern } from "./patterns.ts";
import { isStorableText } from "./text.ts";

const notStorable = "must be well-formed text without U+0000";

/**
 * A value from the Chat API that is sent back unchanged. The specification sets no length, so the body's
 * limit applies.
 */
export function echoedText() {
  return z.string().refine(isStorableText, { error: notStorable });
}

/**
 * A text of at most `max` UTF-16 code units. zod's own `.max` counts code points, so it would accept 4,000
 * emoji.
 */
export function utf16Max(max: number) {
  return z
    .string()
    .refine((value) => value.length <= max, { error: `must be at most ${max} UTF-16 code units` })
    .refine(isStorableText, { error: notStorable })
    .meta({ maxLength: max });
}

export function matching(pattern: RegExp, what: string) {
  return z.string().regex(pattern, { error: `must be ${what}` });
}

/**
 * ISO 8601 UTC with milliseconds (docs/chat-api.md, "Resources"). Readers accept any string, so that a
 * malformed time never breaks a display.
 */
export const Time = z.string().meta({ format: "date-time", examples: ["2026-03-02T09:30:00.000Z"] });

export function orNull<S extends z.ZodType>(schema: S) {
  return schema.nullable().default(null as never);
}

export function listOf<S extends z.ZodType>(item: S) {
  return z.array(item).default([]);
}

/** A list that is truncated at its cap, because rejecting it would lose the whole message. */
export function cappedList<S extends z.ZodType>(item: S, maxItems: number) {
  return z
    .array(item)
    .overwrite((items) => items.slice(0, maxItems))
    .default([])
    .meta({ maxItems });
}

/** A closed enum; an unknown value becomes `otherwise`. */
export function enumOr<const W extends readonly [string, ...string[]]>(words: W, otherwise: W[number]) {
  return z.enum(words).catch(otherwise as never);
}

/** `locale` of a request: a BCP 47 tag; `en` if absent. */
export const LocaleInput = z
  .string()
  .refine((value) => value.length <= limits.localeLength, {
    error: `must be at most ${limits.localeLength} characters`,
  })
  .regex(localePattern, { error: "must be a BCP 47 tag" })
  .meta({ maxLength: limits.localeLength, examples: ["en", "de-CH"] });
