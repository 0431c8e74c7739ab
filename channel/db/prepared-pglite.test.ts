/** Statements that are prepared once behave like those of PGlite's `query`. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { openTemplate } from "../testing/pglite-template.ts";
import { prepared } from "./prepared-pglite.ts";

const engine = await openTemplate();
const database = prepared(engine);
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.exec("drop table if exists notes; create table notes (id integer primary key, text text)");
});

const insert = "insert into notes values ($1, $2) returning *";

test("returns typed rows as objects and as arrays", async () => {
  const first = await database.query(insert, [1, "a"]);
  expect(first.rows).toEqual([{ id: 1, text: "a" }]);
  const second = await database.query(insert, [2, null], { rowMode: "array" });
  expect(second.rows).toEqual([[2, null]]);
  const none = await database.query("select * from notes where id = any($1)", [[7]]);
  expect(none.rows).toEqual([]);
});

test("parses a statement once for all users of the engine", async () => {
  for (const id of [1, 2, 3]) await prepared(engine).query(insert, [id, "a"]);
  const { rows } = await engine.query("select count(*) from pg_prepared_statements where statement = $1", [
    insert,
  ]);
  expect(rows).toEqual([{ count: 1 }]);
});

test("a statement succeeds after a failed one", async () => {
  await database.query(insert, [1, "a"]);
  await expect(database.query(insert, [1, "b"])).rejects.toMatchObject({ code: "23505" });
  await expect(database.query("select nothing")).rejects.toMatchObject({ code: "42703" });
  await expect(database.query(insert, ["x", "b"])).rejects.toMatchObject({ code: "22P02" });
  expect((await database.query(insert, [2, "b"])).rows).toEqual([{ id: 2, text: "b" }]);
});

test("a statement waits for the transaction before it", async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const transaction = database.transaction(async (tx) => {
    await tx.query(insert, [1, "a"]);
    start();
    await tx.query(insert, [2, "b"]);
  });
  await started;
  expect((await database.query("select * from notes")).rows).toHaveLength(2);
  await transaction;
});
