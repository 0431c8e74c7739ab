/**
 * PGlite with prepared statements. Its own `query` parses and plans a statement each time, in six calls into
 * WebAssembly; here a text is parsed once, and running it is one call.
 */
import { type PGlite, protocol, type QueryOptions, type Results } from "@electric-sql/pglite";

const { serialize, messages } = protocol;

interface Statement {
  name: string;
  /** The types of the statement's parameters. */
  parameters: readonly number[];
  fields: Results["fields"];
}

/** Statements by text. They belong to the engine, which several `PreparedPglite` may share. */
const statementsOf = new WeakMap<PGlite, Map<string, Statement>>();

/** Statements with lists have a text for each length: beyond this number, texts are parsed each time. */
const maxStatements = 500;

type Query = (text: string, values?: unknown[], options?: QueryOptions) => Promise<Results<unknown>>;

/** The part of PGlite that Drizzle uses. */
export class PreparedPglite {
  readonly #engine: PGlite;
  readonly #statements: Map<string, Statement>;

  constructor(engine: PGlite) {
    this.#engine = engine;
    this.#statements = statementsOf.get(engine) ?? new Map();
    statementsOf.set(engine, this.#statements);
  }

  readonly query: Query = async (text, values, options) => {
    const engine = this.#engine;
    if (!this.#mayPrepare(text)) return engine.query(text, values, options);
    await engine._checkReady();
    return engine._runExclusiveTransaction(async () => {
      const results = await this.#run(text, values, options);
      await engine.syncToFs();
      return results;
    });
  };

  transaction<T>(phase: (tx: { query: Query }) => Promise<T>): Promise<T> {
    return this.#engine.transaction((tx) =>
      phase({
        query: (text, values, options) =>
          this.#mayPrepare(text) ? this.#run(text, values, options) : tx.query(text, values, options),
      }),
    );
  }

  #mayPrepare(text: string): boolean {
    return this.#statements.has(text) || this.#statements.size < maxStatements;
  }

  async #run(text: string, values: unknown[] = [], options: QueryOptions = {}): Promise<Results<unknown>> {
    const engine = this.#engine;
    return engine._runExclusiveQuery(async () => {
      const { name, parameters, fields } = this.#statements.get(text) ?? (await this.#prepare(text));
      const bound = values.map((value, index) => {
        if (value === null || value === undefined) return null;
        const serializer = engine.serializers[parameters[index] ?? 0];
        return serializer === undefined ? String(value) : serializer(value);
      });
      const answers = await this.#send([
        serialize.bind({ statement: name, values: bound }),
        serialize.execute(),
        serialize.sync(),
      ]);
      const columns = fields.map(({ name: column, dataTypeID }) => ({
        name: column,
        parse: options.parsers?.[dataTypeID] ?? engine.parsers[dataTypeID],
        dataTypeID,
      }));
      const rows = answers
        .filter((answer) => answer instanceof messages.DataRowMessage)
        .map(({ fields: texts }) => {
          const cells = columns.map(({ parse, dataTypeID }, index) => {
            const text = texts[index] ?? null;
            return text === null || parse === undefined ? text : parse(text, dataTypeID);
          });
          if (options.rowMode === "array") return cells;
          return Object.fromEntries(columns.map(({ name: column }, index) => [column, cells[index]]));
        });
      return { rows, fields };
    });
  }

  async #prepare(text: string): Promise<Statement> {
    const name = `statement_${this.#statements.size}`;
    const answers = await this.#send([
      serialize.parse({ name, text }),
      serialize.describe({ type: "S", name }),
      serialize.sync(),
    ]);
    const parameters = answers.find((answer) => answer instanceof messages.ParameterDescriptionMessage);
    const row = answers.find((answer) => answer instanceof messages.RowDescriptionMessage);
    const statement = {
      name,
      parameters: parameters?.dataTypeIDs ?? [],
      fields: row?.fields.map(({ name: column, dataTypeID }) => ({ name: column, dataTypeID })) ?? [],
    };
    this.#statements.set(text, statement);
    return statement;
  }

  /** One call into the engine. */
  #send(parts: readonly Uint8Array[]) {
    return this.#engine.execProtocolStream(Buffer.concat(parts), { syncToFs: false });
  }
}
