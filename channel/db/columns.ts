import { type SQL, sql } from "drizzle-orm";
import { customType, timestamp } from "drizzle-orm/pg-core";

/** A moment with milliseconds, the precision of the Chat API. */
export const time = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

/** A moment in a statement of SQL. */
export const sqlTime = (moment: Date): SQL => sql`${moment.toISOString()}::timestamptz`;

/**
 * A JSON value stored as text. `jsonb` reorders keys, rewrites numbers and refuses lone surrogates, but a
 * replay must return exactly the first result.
 */
export const jsonText = <T>() =>
  customType<{ data: T; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => JSON.stringify(value),
    // Written by `toDriver` above, from a T.
    fromDriver: (text) => JSON.parse(text) as T,
  })();

export const bytes = customType<{ data: Uint8Array<ArrayBuffer>; driverData: Uint8Array }>({
  dataType: () => "bytea",
});
