/** The customer whom the host names when it is asked. */
import { createServer, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listenLocally } from "../../../testing/local-server.ts";
import { customerOfEnvironment } from "./customer-settings.ts";

const ada = { id: "42", name: "Ada" };
const session = "/api/chat/session";
const read = "/api/chat/chats/chat_0001";

async function host(answer: (response: ServerResponse) => void) {
  const cookies: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    expect(headers["x-requested-with"]).toBe("XMLHttpRequest");
    cookies.push(headers.cookie);
    answer(response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${await listenLocally(server)}/chat-customer`;
  const customerOf = customerOfEnvironment({ CUSTOMER_URL: url }, () => undefined);
  return {
    cookies,
    ask: async (path: string, cookie = "sid=1") =>
      customerOf?.(new Request(`https://shop.example${path}`, { headers: cookie === "" ? {} : { cookie } })),
  };
}

const json = (body: unknown) => (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
const status = (code: number) => (response: ServerResponse) =>
  response.writeHead(code, { location: "/sign-in" }).end();

test("passes the caller's cookies on and believes the answer", async () => {
  const { ask, cookies } = await host(json(ada));
  expect(await ask(session, "sid=1; theme=dark")).toEqual(ada);
  expect(cookies).toEqual(["sid=1; theme=dark"]);
});

test("takes a number as the ID, and no name", async () => {
  const { ask } = await host(json({ id: 42, role: "buyer" }));
  expect(await ask(session)).toEqual({ id: "42", name: "" });
});

test("takes null, 204 and 401 for a guest, and does not ask about a caller without cookies", async () => {
  for (const answer of [json(null), status(204), status(401)]) {
    const { ask, cookies } = await host(answer);
    expect(await ask(session)).toBeNull();
    expect(await ask(session, "")).toBeNull();
    expect(cookies.length).toBe(1);
  }
});

test("fails on any other answer", async () => {
  const others = [
    status(302),
    status(403),
    status(500),
    json({}),
    json({ id: "" }),
    json([ada]),
    json({ id: null }),
  ];
  for (const answer of [...others, (response: ServerResponse) => void response.end("<html>")]) {
    const { ask } = await host(answer);
    await expect(ask(session)).rejects.toThrow();
  }
});

test("fails if the host is silent or gone", async () => {
  const { ask } = await host(() => undefined);
  await expect(ask(session)).rejects.toThrow(/timeout/i);
  const gone = customerOfEnvironment({ CUSTOMER_URL: "http://127.0.0.1:1/" }, () => undefined);
  const request = new Request(`https://shop.example${session}`, { headers: { cookie: "sid=1" } });
  await expect(Promise.resolve(gone?.(request))).rejects.toThrow();
});

test("stops reading an endless answer", async () => {
  let sent = 0;
  const { ask } = await host((response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const piece = Buffer.alloc(1024 * 1024, "[");
    const write = () => {
      while (!response.destroyed && response.write(piece)) sent += piece.length;
    };
    response.on("drain", write);
    write();
  });
  await expect(ask(session)).rejects.toThrow("64 KiB");
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test("asks once for the requests of a second, but for the first of a page", async () => {
  const { ask, cookies } = await host(json(ada));
  await Promise.all([ask(read), ask(read), ask(read)]);
  expect(cookies.length).toBe(1);
  await ask(session);
  expect(cookies.length).toBe(2);
  await ask(read, "sid=2");
  expect(cookies).toEqual(["sid=1", "sid=1", "sid=2"]);
});
