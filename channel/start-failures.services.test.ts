/** Messages of the channel when its PostgreSQL is away, too old or refuses it. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../processes/free-port.ts";
import { failedStart, newFolder } from "./testing/channel-process.ts";
import { postgresUrl } from "./testing/test-database.ts";

async function failedOn(databaseUrl: URL | string): Promise<string> {
  return failedStart({ CHANNEL_DATA_DIR: await newFolder(), CHANNEL_DATABASE_URL: String(databaseUrl) });
}

function changed(parts: Partial<URL>): URL {
  return Object.assign(new URL(postgresUrl), parts);
}

test("waits for a PostgreSQL that is away, then names its address's variable", async () => {
  const port = await freePort();
  const said = await failedOn(changed({ hostname: "localhost", port: String(port) }));
  expect(said).toMatch(/"reason":"connect ECONNREFUSED [^"]+","msg":"waiting for the database"/);
  expect(said).toMatch(/PostgreSQL cannot be used: connect ECONNREFUSED .+CHANNEL_DATABASE_URL/);
});

test("names the database that does not exist", async () => {
  const said = await failedOn(changed({ pathname: "/missing" }));
  expect(said).toContain('PostgreSQL cannot be used: database "missing" does not exist.');
  expect(said).toContain("CHANNEL_DATABASE_URL");
});

test("names the privilege that the user lacks", async () => {
  const [admin, user] = [new pg.Client({ connectionString: postgresUrl }), `limited_${process.pid}`];
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query(`create role ${user} login password 'limited'`);
  onTestFinished(async () => void (await admin.query(`drop role ${user}`)));
  const said = await failedOn(changed({ username: user, password: "limited" }));
  // Another test may have created the schema.
  expect(said).toMatch(/PostgreSQL cannot be used: permission denied for (database|schema) \S+\./);
});

/** A proxy in front of PostgreSQL that makes its version an older one. */
async function olderServer(): Promise<string> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>("show server_version");
  await client.end();
  const version = rows[0]?.server_version ?? "";
  const { port } = new URL(postgresUrl);
  const proxy = createServer((socket) => {
    const server = connect(Number(port), "127.0.0.1");
    socket.pipe(server);
    // The same length, because PostgreSQL's messages begin with theirs.
    server.on("data", (bytes) => {
      const text = bytes.toString("latin1").replaceAll(version, version.replace(/^\d\d/, "13"));
      socket.write(Buffer.from(text, "latin1"));
    });
    for (const each of [socket, server])
      each.on("error", () => undefined).on("close", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  return String((proxy.address() as AddressInfo).port);
}

test("names the version of a PostgreSQL that is too old", async () => {
  const said = await failedOn(changed({ hostname: "127.0.0.1", port: await olderServer() }));
  expect(said).toMatch(/PostgreSQL 13\S*.* is too old: the channel needs 14 or newer/);
  expect(said).toContain("CHANNEL_DATABASE_URL");
});
