import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import { createChatServer } from "../chat-server/chat-server.ts";
import { hostilePeer, ownBff, ownerOfChat } from "../testing/hostile-set-up.ts";
import { emptyPage, errorBody } from "../testing/hostile-upstream.ts";
import { pageHeaders, testOrigin } from "../testing/test-bff.ts";
import type { ChatEvent } from "./observe.ts";

const { upstream, environment } = await hostilePeer();
const listing = "/api/chat/chats/chat_0001/messages";

test("tells an observer of a request and of its requests to the Chat API", async () => {
  const events: ChatEvent[] = [];
  const t = ownBff(environment, { observe: (event) => void events.push(event) });
  const browser = await ownerOfChat(t, upstream);
  upstream.respond("GET /chats/chat_0001/messages", 200, emptyPage);
  await browser.get(listing);
  upstream.respond("GET /chats/chat_0001/messages", 410, errorBody("cursor_expired"));
  await browser.get(listing);
  const told = events.filter((event) => event.type !== "log" && "operation" in event);
  expect(told).toMatchObject([
    { type: "upstream", operation: "getChat", outcome: "ok", result: "ok" },
    { type: "upstream", operation: "listMessages", outcome: "ok", result: "ok" },
    { type: "upstream", operation: "listMessages", outcome: "cursor_expired", result: "refused" },
  ]);
  const requests = events.filter((event) => event.type === "request");
  expect(requests.map(({ route, status }) => [route, status])).toEqual([
    ["startSession", 200],
    ["listMessages", 200],
    ["listMessages", 410],
  ]);
  const last = requests.at(-1);
  expect(told.at(-1)).toMatchObject({ requestId: last?.requestId });
  expect(last?.facts).toMatchObject({ code: "cursor_expired", upstreamStatus: 410 });
  expect(JSON.stringify(events)).not.toMatch(/chat_0001|maya/);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("broken");
    },
  ],
  ["rejects", () => Promise.reject(new Error("broken"))],
  ["rejects with another realm's promise", () => runInNewContext("Promise").reject(new Error("broken"))],
])("answers although an observer %s, and tells the others", async (_, observe) => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const t = ownBff(environment, { observe });
  expect((await t.browser().get("/api/chat/health/live")).status).toBe(200);
  expect(t.lines.find(({ route }) => route === "live")).toMatchObject({ event: "request", status: 200 });
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ message: "broken" }));
});

test("writes no log to standard output for a host that observes", async () => {
  const write = vi.spyOn(process.stdout, "write");
  onTestFinished(() => write.mockRestore());
  for (const configuration of [environment, { ...environment, CHAT_KEY: "" }]) {
    const events: ChatEvent[] = [];
    const chat = createChatServer({ configuration, observe: (event) => void events.push(event) });
    onTestFinished(() => chat.stop());
    await chat.handle(new Request(`${testOrigin}/api/chat/session`, { headers: pageHeaders }));
    expect(events.at(-1)?.type).toBe("request");
  }
  expect(write).not.toHaveBeenCalled();
});

const token = "a-token-for-the-metrics";

test("serves metrics only with the token and collects none for other callers", async () => {
  const t = ownBff({ ...environment, METRICS_TOKEN: token });
  if (t.bff.metrics === undefined) throw new Error("expected metrics");
  const expose = vi.spyOn(t.bff.metrics, "expose");
  const read = (headers: Record<string, string>) => t.browser().get("/api/chat/metrics", headers);
  for (const authorization of ["", "Bearer", "Bearer wrong", token, `bearer ${token}`]) {
    const refusal = await read({ authorization });
    expect(refusal.status, authorization).toBe(404);
    expect((await refusal.json()).error.code).toBe("not_found");
  }
  expect(expose).not.toHaveBeenCalled();

  await t.browser().start();
  const text = await (await read({ authorization: `Bearer ${token}` })).text();
  expect(text).toContain('chat_bff_requests_total{route="startSession",status="201",chat="/api/chat"} 1');
  expect(text).toContain('chat_bff_requests_total{route="metrics",status="404",chat="/api/chat"} 5');
  expect(text).toContain("process_resident_memory_bytes");
  expect(text).not.toContain(token);
});

test("answers 404 without a configured token", async () => {
  const t = ownBff(environment);
  const response = await t.browser().get("/api/chat/metrics", { authorization: "Bearer undefined" });
  expect(response.status).toBe(404);
});
