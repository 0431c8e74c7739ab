/** Messages of a channel that cannot start: the cause, what happened to the data, and the way out. */
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./root.ts";
import { failedStart, newFolder } from "./testing/channel-process.ts";

test("names a data folder that cannot be made, and its variable", async () => {
  const file = join(await newFolder(), "file");
  await writeFile(file, "");
  // Node's own recursive `mkdir` never returns from /proc.
  for (const folder of [file, ...(process.platform === "linux" ? ["/proc/none/data"] : [])]) {
    const said = await failedStart({ CHANNEL_DATA_DIR: folder });
    expect(said).toMatch(new RegExp(`The data folder ${folder} cannot be used .* CHANNEL_DATA_DIR`));
  }
  const database = { CHANNEL_DATA_DIR: await newFolder(), CHANNEL_DATABASE_URL: file };
  expect(await failedStart(database)).toContain("name another folder in CHANNEL_DATABASE_URL");
});

test.each([
  ["the folder", ""],
  ["a key", "chat-key"],
  ["the database's folder", "channel"],
  ["the database's files", "channel/PG_VERSION"],
])("names the data folder and its variable when %s may not be read", async (_, name) => {
  const folder = await newFolder();
  await writeFile(join(folder, "chat-key"), "ck_abcdefgh");
  const path = join(folder, name);
  await chmod(path, 0);
  onTestFinished(() => chmod(path, 0o700));
  const command = [process.execPath, join(root, "channel", "main.ts")];
  // Root may read everything, unless it gives these two rights away.
  if (process.getuid?.() === 0)
    command.unshift("setpriv", "--bounding-set", "-dac_override,-dac_read_search");
  const [executable, ...args] = command;
  const said = await failedStart({ CHANNEL_DATA_DIR: folder }, args, executable);
  expect(said).toMatch(/The data folder \S+ cannot be used \(EACCES\)\. .* CHANNEL_DATA_DIR\.$/m);
});

test("says where keys belong that stand in each other's variable", async () => {
  const said = await failedStart({ CHAT_CHANNEL_KEY: "ck_abcdefgh", CHAT_KEY: "dep_demo_shop" });
  expect(said).toContain("CHAT_CHANNEL_KEY: this is another key (ck_…): it belongs in CHAT_KEY");
  expect(said).toContain("CHAT_KEY: this is another key (dep_…): it belongs in CHAT_CHANNEL_KEY");
  expect(said).not.toContain("abcdefgh");
});

test("names the address where it cannot listen, its user and the ways out, and writes nothing", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), "shop-chat-port-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const bin = join(root, "channel", "bin.ts");
  const said = await failedStart({ CHANNEL_DATA_DIR: folder }, [bin, "--port", String(port)]);
  expect(await readdir(folder)).toEqual([]);
  expect(said).toContain(`address already in use 127.0.0.1:${port}.`);
  if (process.platform === "linux") expect(said).toContain(`uses the port (perhaps process ${process.pid})`);
  expect(said).toContain("set CHANNEL_PORT (--port) or CHANNEL_HOST (--host) to another");
  const elsewhere = await failedStart({ CHANNEL_DATA_DIR: folder }, [bin, "--host", "203.0.113.1"]);
  expect(elsewhere).toMatch(/203\.0\.113\.1(:\d+)?\. Set CHANNEL_PORT \(--port\) or CHANNEL_HOST \(--host\)/);
});

/** A server that gives one answer to all who connect. */
async function answering(answer: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.end(answer));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const wrongPassword = 'SFATAL\0C28P01\0Mpassword authentication failed for user "chat"\0\0';

test.each([
  ["no encryption", "N", "?sslmode=verify-full", "The server does not support SSL connections."],
  ["a certificate that is not there", "S", "?sslmode=verify-full&sslrootcert=/no.pem", "ENOENT"],
  [
    "a wrong password",
    `E\0\0\0${String.fromCharCode(wrongPassword.length + 4)}${wrongPassword}`,
    "",
    'password authentication failed for user "chat".',
  ],
])("names %s and the address's variable", async (_, answer, query, reason) => {
  const said = await failedStart({
    CHANNEL_DATA_DIR: await newFolder(),
    CHANNEL_DATABASE_URL: `postgres://chat@${await answering(answer)}/chat${query}`,
  });
  expect(said).toContain(`PostgreSQL cannot be used: ${reason}`);
  expect(said).toContain("correct CHANNEL_DATABASE_URL");
});

/** Node's arguments for the command, after this module. */
const after = (module: string) => [
  ...["--import", `data:text/javascript,${encodeURIComponent(module)}`],
  join(root, "channel", "bin.ts"),
];

test("the command names the Node that it needs before it loads anything", async () => {
  const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.12.0" } })`;
  const said = await failedStart({}, after(old));
  expect(said).toBe("shop-chat-channel needs Node 22.13 or newer, and this is Node 22.12.0.\n");
});

test("names the package that a PostgreSQL needs and that is not installed", async () => {
  const hide = `import { registerHooks } from "node:module";
    registerHooks({ resolve: (name, context, next) => next(name === "pg" ? "pg-is-missing" : name, context) });`;
  const env = { CHANNEL_DATA_DIR: await newFolder(), CHANNEL_DATABASE_URL: "postgres://chat@127.0.0.1/chat" };
  expect(await failedStart(env, after(hide))).toContain("PostgreSQL needs the package pg: npm install pg.");
});
