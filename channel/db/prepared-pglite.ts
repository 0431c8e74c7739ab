/**
 * Prepared statements on PGlite. Its own `query` parses and plans a statement each time, which would take
 * most of a turn's CPU time.
 */
import { type PGlite, parse, protocol, type QueryOptions, type Results } from "@electric-sql/pglite";

const { serialize } = protocol;

interface Statement {
  name: string;
  /** The types of the statement's parameters. */
  parameters: readonly number[];
  /** Includes the message that names the columns of each result. */
  description: Awaited<ReturnType<PGlite["execProtocolStream"]>>;
}

/** Statements by text. They belong to the engine, on which tests open several databases. */
const statementsOf = new WeakMap<PGlite, Map<string, Statement>>();

/** A statement with a list has a text for each length of it. Texts beyond this number are not prepared. */
const maxStatements = 500;

type Query = (text: string, values?: unknown[], options?: QueryOptions) => Promise<Results<unknown>>;

/** The part of PGlite that Drizzle calls, with prepared statements. */
export function prepared(engine: PGlite) {
  const statements = statementsOf.get(engine) ?? new Map<string, Statement>();
  statementsOf.set(engine, statements);

  const run: Query = (text, values = [], options) =>
    engine.runExclusive(async () => {
      const { name, parameters, description } = statements.get(text) ?? (await prepare(text));
      const bound = values.map((value, index) => {
        if (value === null || value === undefined) return null;
        return (engine.serializers[parameters[index] ?? 0] ?? String)(value);
      });
      const responses = await send([
        serialize.bind({ statement: name, values: bound }),
        serialize.execute(),
        serialize.sync(),
      ]);
      // Inheriting the engine's parsers takes less time than copying them, as `parseResults` would.
      const parsers = Object.assign(Object.create(engine.parsers), options?.parsers);
      const rows = options?.rowMode === "array" ? ({ rowMode: "array" } as const) : {};
      const [results] = parse.parseResults([...description, ...responses], parsers, rows);
      if (results === undefined) throw new Error("PGlite has sent no result.");
      return results;
    });

  async function prepare(text: string): Promise<Statement> {
    const name = `statement_${statements.size}`;
    const description = await send([
      serialize.parse({ name, text }),
      serialize.describe({ type: "S", name }),
      serialize.sync(),
    ]);
    const parameters = parse.parseDescribeStatementResults(description);
    const statement = { name, parameters, description };
    statements.set(text, statement);
    return statement;
  }

  /** One call into WebAssembly. */
  const send = (messages: readonly Uint8Array[]) => engine.execProtocolStream(Buffer.concat(messages));

  const mayPrepare = (text: string) => statements.has(text) || statements.size < maxStatements;

  const query: Query = (text, values, options) => {
    if (engine.closed || !mayPrepare(text)) return engine.query(text, values, options);
    // As in `engine.query`, so that the statement does not become part of another caller's transaction.
    return engine._runExclusiveTransaction(() => run(text, values, options));
  };

  return {
    query,
    transaction: <T>(phase: (tx: { query: Query }) => Promise<T>) =>
      engine.transaction((tx) =>
        phase({
          query: (text, values, options) =>
            mayPrepare(text) ? run(text, values, options) : tx.query(text, values, options),
        }),
      ),
  };
}
