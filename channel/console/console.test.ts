/** The console over HTTP: access, pages and forms. */
import type { HttpBindings } from "@hono/node-server";
import { expect, onTestFinished, test, vi } from "vitest";
import { anOrder, aProduct } from "#lib/chat-api/testing/builders.ts";
import type { ChannelDeps } from "../channel.ts";
import { listen } from "../http/server.ts";
import { waitingChat } from "../testing/handoff-chats.ts";
import { type TestChannel, testChannel, testTeamKey } from "../testing/test-channel.ts";
import { channelClient } from "./channel-client.ts";
import { serveConsole } from "./serve.ts";

const host = "127.0.0.1:2428";
const here = `http://${host}`;
const token = "one-time-token-of-the-printed-address-0123";
const hostile = '<img src=x onerror="alert(1)"> & "quotes"';

test("shows the inbox under a strict CSP", async () => {
  const channel = await local();
  const page = await get(channel, "/console");
  expect(page.status).toBe(200);
  expect(page.text).toContain("Nobody is waiting.");
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(page.text).not.toMatch(/ style=| on\w+=|<script(?! (?:defer|type="module") src=)/);
});

// As nginx forwards by default, as a web page that rebinds its name, and as a program on this machine.
test.each([
  [{ host: "127.0.0.1:2428" }, "127.0.0.1"],
  [{ host: "evil.example:2428" }, "127.0.0.1"],
  [{ host: "127.0.0.1:2428", "x-forwarded-for": "203.0.113.7" }, "127.0.0.1"],
  [{ host: "localhost:2428" }, "198.51.100.7"],
])("asks for the team key whatever a request looks like (%#)", async (headers, address) => {
  const { channel } = await testChannel({ console: { token } });
  for (const path of ["/console", "/console/requests", "/console/lab", `/console?token=${"x".repeat(43)}`]) {
    const response = await channel.fetch(new Request(`${here}${path}`, { headers }), connectionFrom(address));
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await locationAtLast(channel, response)).toMatch(/^\/console\/sign-in/);
  }
});

test("the token of the printed address signs in one browser, once", async () => {
  const { channel } = await testChannel({ console: { token } });
  const path = `/console?token=${token}`;
  // Programs that preview links ask for the headers only.
  await channel.fetch(new Request(`${here}${path}`, { method: "HEAD" }));
  const first = await channel.fetch(new Request(`${here}${path}`));
  expect([first.status, first.headers.get("location")]).toEqual([303, "/console"]);
  const page = await channel.fetch(new Request(`${here}/console`, { headers: { cookie: cookieOf(first) } }));
  expect(page.status).toBe(200);
  const second = await channel.fetch(new Request(`${here}${path}`));
  expect(second.headers.getSetCookie()).toEqual([]);
  expect(await locationAtLast(channel, second)).toMatch(/^\/console\/sign-in/);
});

test("the team key opens a session, and forged session cookies are refused", async () => {
  const channel = await testChannel();
  const headers = { host: "team.example" };
  expect((await visit(channel, "/console", headers)).status).toBe(303);
  expect((await visit(channel, "/console/sign-in", headers)).text).toContain("Team key");
  const wrong = await post(channel, "/console/sign-in", { key: "tk_wrong" }, headers, "http://team.example");
  expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
  const right = await post(channel, "/console/sign-in", { key: testTeamKey }, headers, "http://team.example");
  expect(right.status).toBe(303);
  const cookie = right.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Lax/);
  const value = cookie.split(";")[0] ?? "";
  expect((await visit(channel, "/console", { ...headers, cookie: value })).status).toBe(200);
  for (const forged of [value.replace(/=\d/, "=9"), `${value}x`, "console-session=", "console-session=1.2"])
    expect((await visit(channel, "/console", { ...headers, cookie: forged })).status).toBe(303);
});

test("a console session ends twelve hours after the sign-in", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-24T08:00:00Z") });
  const channel = await testChannel();
  const headers = { host: "team.example" };
  const session = await signIn(channel, channel.teamKey);
  const cookie = cookieOf(session);
  vi.setSystemTime(new Date("2026-11-24T19:59:59Z"));
  expect((await visit(channel, "/console", { ...headers, cookie })).status).toBe(200);
  vi.setSystemTime(new Date("2026-11-24T20:00:00Z"));
  expect((await visit(channel, "/console", { ...headers, cookie })).status).toBe(303);
});

test("limits the length of a form before the sign-in", async () => {
  const channel = await testChannel();
  expect((await signIn(channel, "k".repeat(40_000))).status).toBe(413);
});

test("signs a browser out", async () => {
  const channel = await local();
  const page = await get(channel, "/console");
  expect(page.text).toContain('action="/console/sign-out"');
  const answer = await post(channel, "/console/sign-out", {});
  expect(answer.headers.get("location")).toBe("/console/sign-in");
  expect(answer.headers.get("set-cookie")).toMatch(/^console-session=; Max-Age=0; Path=\/console/);
});

test("sets Secure cookies behind a proxy that terminates TLS", async () => {
  const channel = await testChannel();
  const headers = { host: "team.example" };
  const key = { key: channel.teamKey };
  const overTls = await post(channel, "/console/sign-in", key, headers, "https://team.example");
  expect(overTls.headers.get("set-cookie")).toMatch(/; Secure/);
  const plain = await post(channel, "/console/sign-in", key, headers, "http://team.example");
  expect(plain.headers.get("set-cookie")).not.toMatch(/Secure/);
  const token = "a-token-of-the-start";
  const started = await testChannel({ console: { token } });
  const forwarded = { ...headers, "x-forwarded-proto": "https" };
  const redeemed = await visit(started, `/console?token=${token}`, forwarded);
  expect(redeemed.headers.get("set-cookie")).toMatch(/; Secure/);
});

test.each(["{bad", "null", "%7Bbad", '{"tone":"worst","text":"x"}'])(
  "ignores a notice cookie that the console did not write: %s",
  async (cookie) => {
    const channel = await local();
    const page = await get(channel, "/console", { cookie: `console-notice=${cookie}` });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<div id="notice" role="status"></div>');
  },
);

test("refuses forms that another page submits", async () => {
  const { channel, chatId } = await waiting();
  const path = `/console/chats/${chatId}/claim`;
  for (const [headers, origin] of [
    [{}, "http://evil.example"],
    [{}, null],
    [{}, "http://127.0.0.1:3000"],
    [{ "sec-fetch-site": "cross-site" }, here],
  ] as const)
    expect((await post(channel, path, {}, headers, origin)).status).toBe(403);
  expect((await channel.getChat(chatId)).mode).toBe("waiting");
});

test("escapes everything that customers and agents write", async () => {
  const channel = await local();
  const chatId = await channel.createChat();
  channel.agent.answer(() => [
    { type: "text", text: hostile },
    { type: "citations", citations: [{ title: hostile, url: "javascript:alert(1)", updatedAt: null }] },
    {
      type: "products",
      products: [
        aProduct({
          title: hostile,
          productUrl: 'https://shop.example/"><script>',
          price: { amount: 12.5, currency: "GBP", was: 20, from: true },
        }),
      ],
    },
    {
      type: "orders",
      orders: [
        anOrder({
          status: hostile,
          items: [{ description: hostile, quantity: 2.5, arrived: false }],
          store: { name: "Ostle Quay", phone: "+44 1632 960001" },
        }),
      ],
    },
    { type: "choices", choices: [hostile] },
  ]);
  await channel.send(chatId, { text: hostile });
  const { text } = await get(channel, `/console/chats/${chatId}`);
  expect(text).not.toContain("<img src=x");
  expect(text).not.toContain("<script>");
  expect(text).not.toContain("javascript:");
  expect(text.split("&lt;img src=x").length).toBeGreaterThan(6);
  expect(text).toContain("from 12.5 GBP · was 20 GBP");
  expect(text).toContain("+44 1632 960001");
  expect(text).toContain("× 2.5");
});

test.each([
  ["a text", "notes.txt", "text/plain", "<script>alert(1)</script>", "attachment"],
  ["a picture", "wheel.png", "image/png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01", "inline"],
])("serves %s from its own origin under a sandboxed CSP", async (_what, name, type, content, disposition) => {
  const channel = await local();
  const chatId = await channel.createChat();
  const body = new FormData();
  body.append("file", new File([Buffer.from(content, "latin1")], name, { type }));
  const { item } = (await channel.call<{ item: { id: string } }>(`/chats/${chatId}/files`, { body })).body;
  await channel.send(chatId, { fileIds: [item.id] });
  const path = `/console/chats/${chatId}/files/${item.id}`;
  expect((await get(channel, `/console/chats/${chatId}`)).text).toContain(`href="${path}"`);
  const file = await get(channel, path);
  expect(file.headers.get("content-disposition")).toBe(`${disposition}; filename="${name}"`);
  expect(file.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
});

test("the inbox opens at the first state that has chats, unless the address names one", async () => {
  const channel = await local();
  await channel.send(await channel.createChat(), { text: "Is the hub ready?" });
  expect((await get(channel, "/console")).text).toContain("Is the hub ready?");
  const asked = await get(channel, "/console?mode=waiting");
  expect(asked.text).toContain("Nobody is waiting.");
  expect(asked.text).not.toContain("Is the hub ready?");
});

test("the inbox counts unanswered messages, and a waiting chat shows its actions", async () => {
  const { channel, chatId, page } = await waiting();
  await channel.send(chatId, { text: "Anybody there?" });
  const list = await get(channel, "/console");
  expect(list.text).toContain("1 new");
  expect(list.text).toContain("Anybody there?");
  const chat = await page();
  for (const label of ["Claim", "Return to the agent", "Could not be reached", "Resolve"])
    expect(chat.text).toContain(`>${label}</button>`);
  expect(chat.text).toMatch(/<form id="composer"[^>]* hidden/);
});

test("the inbox shows how long each customer waits, for the team or for its answer", async () => {
  const { channel, chatId, act } = await waiting();
  const after = async (minutes: number) => {
    await channel.advance(minutes * 60_000);
    const { text } = await get(channel, `/console?mode=${(await channel.getChat(chatId)).mode}`);
    return /<mark data-tone="(?:warn|bad)"><span class="visually-hidden">waiting <\/span>[^<]*/.exec(
      text.slice(text.indexOf('id="chats"'), text.indexOf('id="customer"')),
    )?.[0];
  };
  expect(await after(3)).toMatch(/warn.*3 min$/);
  expect(await after(4)).toMatch(/bad.*7 min$/);
  await act("claim");
  expect(await after(1)).toBeUndefined();
  await channel.send(chatId, { text: "Is anybody there?" });
  expect(await after(1)).toMatch(/warn.*1 min$/);
  await act("messages", { text: "Hello", key: "reply-0002" });
  expect(await after(1)).toBeUndefined();
});

test("console actions have the team API's effects, in the teammate's own name", async () => {
  const { channel, chatId, page, act: actAs } = await waiting({ members: ["Priya N.", "Zoë"] });
  const cookie = cookieOf(await post(channel, "/console/teammate", { teammate: "Zoë" }));
  const act = (action: string, fields?: Record<string, string>) => actAs(action, fields, { cookie });

  const claimed = await act("claim");
  expect(claimed.headers.get("location")).toBe(`/console/chats/${chatId}`);
  const told = await page({ cookie: `${cookie}; ${cookieOf(claimed)}` });
  expect(told.text).toContain("You have this chat.");
  expect(told.text).not.toMatch(/<form id="composer"[^>]* hidden/);
  expect((await channel.getChat(chatId)).teammate).toEqual({ name: "Zoë" });

  await act("messages", { text: "Hello\r\nI am Zoë", key: "reply-0001" });
  await act("messages", { text: "Hello\r\nI am Zoë", key: "reply-0001" });
  await act("form", {
    purpose: "To call you back",
    label: "Best time",
    type: "choice",
    choices: "Morning, Evening",
    required: "on",
  });
  const [field] = (await channel.collectionOf(chatId)).fields;
  const morning = field?.choices[0]?.id ?? "";
  await act("details", { fieldId: field?.id ?? "", value: morning, status: "disputed" });
  expect((await channel.messagesOf(chatId)).slice(4).map(({ role, text }) => [role, text])).toEqual([
    ["teammate", "Hello\nI am Zoë"],
    ["teammate", "To call you back"],
  ]);
  expect(await channel.collectionOf(chatId)).toMatchObject({
    missing: [field?.id],
    fields: [{ type: "choice", choices: [{ label: "Morning" }, { label: "Evening" }] }],
    values: [{ fieldId: field?.id, value: morning, status: "disputed", actor: "teammate" }],
  });
  await act("release");
  expect((await channel.getChat(chatId)).mode).toBe("agent");
  await act("claim");
  await act("resolve");
  expect((await channel.getChat(chatId)).mode).toBe("resolved");
});

test("an unreachable team fails the handoff", async () => {
  const { channel, chatId, page, act } = await waiting();
  const failed = await act("fail");
  expect(await channel.getChat(chatId)).toMatchObject({ mode: "agent", handoff: { status: "failed" } });
  const { text } = await page({ cookie: cookieOf(failed) });
  expect(text).toContain("The customer was told that nobody could be reached.");
});

test("an answer fills a later form only where question and options are the same", async () => {
  const { channel, chatId, act } = await waiting();
  const ask = async (label: string, choices = "") => {
    const type = choices === "" ? "text" : "choice";
    await act("form", { purpose: "p", label, type, choices, required: "on" });
    return channel.collectionOf(chatId);
  };
  await act("claim");
  const colour = await ask("色", "Red, Blue");
  const red = colour.fields[0]?.choices[0]?.id;
  await channel.submit(chatId, colour, { values: { [colour.missing[0] ?? ""]: red } });
  expect((await ask("住所")).missing).toHaveLength(1);
  expect((await ask("色 ", "Blue, Red")).missing).toEqual([]);
  expect((await ask("色", "Green, Yellow")).missing).toHaveLength(1);
});

test("explains a refused action and changes nothing", async () => {
  const { channel, chatId, page, act } = await waiting({ members: ["Priya N.", "Zoë"] });
  await act("claim");
  const cookie = cookieOf(await post(channel, "/console/teammate", { teammate: "Zoë" }));
  const refusal = await act("claim", {}, { cookie });
  const { text } = await page({ cookie: `${cookie}; ${cookieOf(refusal)}` });
  expect(text).toContain("Priya N. has this chat.");
  expect(text).toContain("Take over from Priya N.");
  await act("take-over", {}, { cookie });
  expect((await channel.getChat(chatId)).teammate).toEqual({ name: "Zoë" });
});

test("lists recent requests with their outcome", async () => {
  const channel = await local();
  const chatId = await channel.createChat();
  await channel.send(chatId, { text: "Hello" }, { key: "send-0001" });
  await channel.send(chatId, { text: "Hello" }, { key: "send-0001" });
  await channel.call("/nowhere");
  const { text } = await get(channel, "/console/requests");
  expect(text.match(/>sendMessage</g)).toHaveLength(2);
  expect(text.match(/>replay</g)).toHaveLength(1);
  expect(text).toContain("not_found");
  expect(text).not.toContain("Hello");
  const refusal = await get(channel, "/console/requests?show=refused");
  expect(refusal.text).not.toContain("sendMessage");
});

test("shows a request and its response whole, with the curl command that repeats it", async () => {
  const channel = await local();
  const chatId = await channel.createChat();
  await channel.send(chatId, { text: hostile }, { key: "send-0001" });
  const { text: list } = await get(channel, "/console/requests");
  const [path = ""] = /\/console\/requests\/req_[A-Za-z0-9_-]+/.exec(list) ?? [];
  const { text } = await get(channel, path);
  expect(text).toContain("idempotency-key: send-0001");
  expect(text).toContain("x-request-id:");
  expect(text).toContain("curl -N -X POST ");
  expect(text).toContain("authorization: Bearer ck_…");
  expect(text).not.toContain("<img");
  expect((await get(channel, "/console/requests/req_unknown")).status).toBe(404);
  for (const outside of ["/v1/openapi.json", "/v1/nope"]) {
    await channel.channel.fetch(new Request(here + outside));
    const { text: all } = await get(channel, "/console/requests?show=all");
    const [latest = ""] = /\/console\/requests\/req_[A-Za-z0-9_-]+/.exec(all) ?? [];
    expect((await get(channel, latest)).text).toContain(`GET ${here}${outside}`);
  }
});

test("shows the clock, faults, limits and notices of the channel", async () => {
  const channel = await local();
  const { chatId } = await waitingChat(channel);
  await channel.channel.runJobs();
  await post(channel, "/console/lab/clock", { advanceSeconds: "86400" });
  expect(channel.channel.settings.current().clockOffsetMs).toBe(86_400_000);
  await channel.asTeam("/lab/faults", {
    operation: "getChat",
    fault: "error",
    code: "chat_closed",
    times: 2,
  });
  const { text } = await get(channel, "/console/lab");
  expect(text).toContain("chat_closed");
  expect(text).toContain("chatsPerChannel");
  expect(text).toMatch(new RegExp(`<td>handoff[^<]*</td><td><a href="/console/chats/${chatId}"`));
  await post(channel, "/console/lab/faults/clear", {});
  expect((await get(channel, "/console/lab")).text).not.toContain("chat_closed");
  const off = await local({ lab: false });
  expect((await get(off, "/console/lab")).status).toBe(404);
  expect((await get(off, "/console")).text).not.toContain("/console/lab");
});

test("shows a paused reply in its chat and among the lab's", async () => {
  const channel = await local();
  const chatId = await channel.createChat();
  const labPage = async () => (await get(channel, "/console/lab")).text;
  const script = (method: string) =>
    channel.asTeam(`/lab/reply${method}`, {
      chatId,
      ...(method === "" && { reply: { text: "Yes", holdsAfter: 0 } }),
    });
  await script("");
  expect(await labPage()).toContain("for a next turn, paused at delta 0");
  const sending = channel.send(chatId, { text: "Hello" });
  await expect.poll(labPage).toContain("being written, paused at delta 0");
  expect((await get(channel, `/console/chats/${chatId}`)).text).toContain("is answering");
  await script("/continue");
  await sending;
  expect(await labPage()).not.toContain("at delta");
  expect((await get(channel, `/console/chats/${chatId}`)).text).not.toContain("is answering");
});

test("opens a channel that the lab has created, by its link and from the list", async () => {
  const channel = await local();
  const firstId = await channel.createChat();
  const created = await channel.asTeam("/lab/channels", { seed: { chats: [{ userId: "cust.ana-lopez" }] } });
  const { item } = (await created.json()) as { item: { channelKey: string; chats: [{ id: string }] } };
  const base = `/console/channels/${item.channelKey}`;
  const link = await get(channel, `/console?channel=${item.channelKey}`);
  expect(link.headers.get("location")).toBe(base);
  expect((await get(channel, "/console/channels")).text).toContain(`href="${base}"`);
  const inbox = await get(channel, `${base}?mode=agent`);
  expect(inbox.text).toContain("Ana Lopez");
  expect(inbox.text).not.toContain(firstId);
  const [chat] = item.chats;
  const claimed = await post(channel, `${base}/chats/${chat.id}/claim`, {});
  expect(claimed.headers.get("location")).toBe(`${base}/chats/${chat.id}`);
  expect((await get(channel, `${base}/chats/${chat.id}`)).text).toContain("With the team");
  for (const page of ["requests", "lab"]) expect((await get(channel, `${base}/${page}`)).status).toBe(200);
  const gone = await get(channel, "/console/channels/dep_lab_gone");
  expect([gone.status, gone.text.includes("A test drops its own")]).toEqual([404, true]);
});

test("serves a channel from a program of its own, and says when the channel does not answer", async () => {
  const { channel, teamKey } = await testChannel();
  const server = await listen(channel.fetch, { host: "127.0.0.1", port: 0 });
  const channelUrl = `http://127.0.0.1:${server.port}/`;
  const served = await serveConsole({ channelUrl, teamKey, host: "127.0.0.1", port: 0, token });
  onTestFinished(served.close);
  const url = `http://127.0.0.1:${served.port}/console`;
  const signed = await fetch(`${url}?token=${token}`, { redirect: "manual" });
  const open = async () => {
    const page = await fetch(url, { headers: { cookie: cookieOf(signed) } });
    return [page.status, await page.text()];
  };
  expect(await open()).toEqual([200, expect.stringContaining("Nobody is waiting.")]);
  await server.close(0);
  expect(await open()).toEqual([503, expect.stringContaining("The channel does not answer.")]);
});

test.each([200, 502])("reports a page that a proxy sends in place of the channel (%i)", async (status) => {
  const client = channelClient(async () => new Response("<html>", { status }), here, testTeamKey);
  await expect(client.get("/lab")).rejects.toMatchObject({ code: "service_unavailable" });
});

test("the page that asked for the sign-in opens after it", async () => {
  const channel = await testChannel();
  const headers = { host: "team.example" };
  const path = "/console?channel=dep_lab_1";
  const asked = await visit(channel, path, headers);
  const back = new URL(asked.headers.get("location") ?? "", here).searchParams.get("back") ?? "";
  expect(back).toBe(path);
  const after = async (to: string) => (await signIn(channel, channel.teamKey, to)).headers.get("location");
  expect(await after(back)).toBe(path);
  expect(await after("//evil.example/console")).toBe("/console");
});

test.each([
  [`${here}/console/chats/chat_1?mode=teammate`, "/console/chats/chat_1?mode=teammate"],
  ["http://evil.example/console/lab", "/console"],
  [`${here}/docs`, "/console"],
  ["no address", "/console"],
])("after a form without a session, the sign-in leads to the console's page (%s)", async (referer, back) => {
  const channel = await testChannel();
  const headers = { host, origin: here, referer };
  const init = { method: "POST", headers, body: new URLSearchParams({ text: "Hello" }) };
  const answer = await answerOf(channel, new Request(`${here}/console/chats/chat_1/messages`, init));
  expect(new URL(answer.headers.get("location") ?? "", here).searchParams.get("back")).toBe(back);
});

test.each(["   ", "x".repeat(81)])("refuses a teammate's name that no customer could read", async (name) => {
  const channel = await local();
  const refused = await post(channel, "/console/teammate", { teammate: name });
  expect(cookieOf(refused)).not.toContain("teammate=");
  const page = await get(channel, "/console", { cookie: cookieOf(refused) });
  expect(page.text).toContain("Give a name of 1 to 80 characters.");
});

test("unknown chats and assets answer 404, a malformed chat ID answers 400", async () => {
  const channel = await local();
  const unknown = await get(channel, "/console/chats/chat_unknown_0123456789");
  expect(unknown.status).toBe(404);
  expect(unknown.text).toContain("There is no such chat.");
  expect(unknown.headers.get("content-type")).toContain("text/html");
  expect((await get(channel, "/console/chats/short")).status).toBe(400);
  for (const path of ["nothing.css", "../console.ts", "..%2Fconsole.ts", "icons"])
    expect((await get(channel, `/assets/${path}`)).status).toBe(404);
  const style = await get(channel, "/assets/console.css");
  expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(style.headers.get("cache-control")).toBe("no-cache");
  expect(style.headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

function local(options: Partial<ChannelDeps> = {}): Promise<TestChannel> {
  return testChannel({ console: { members: ["Priya N."] }, ...options });
}

/** A chat that waits for the team, its page, and the forms on it. */
async function waiting(console: ChannelDeps["console"] = {}) {
  const channel = await local({ console });
  const { chatId } = await waitingChat(channel);
  const path = `/console/chats/${chatId}`;
  return {
    channel,
    chatId,
    page: (headers: Record<string, string> = {}) => get(channel, path, headers),
    act: (action: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      post(channel, `${path}/${action}`, fields, headers),
  };
}

/** A connection from the address: the console reads nothing else of it. */
function connectionFrom(address: string): Pick<HttpBindings, "incoming"> {
  return { incoming: { socket: { remoteAddress: address } } as HttpBindings["incoming"] };
}

const signInRequest = (key: string, headers: Record<string, string>, back = "") =>
  new Request(`${here}/console/sign-in`, {
    method: "POST",
    headers,
    body: new URLSearchParams({ key, back }),
  });

function signIn(channel: TestChannel, key: string, back?: string) {
  const headers = { host: "team.example", origin: "http://team.example" };
  return answerOf(channel, signInRequest(key, headers, back));
}

/** Follows a redirect within the console to the next one. */
async function locationAtLast(channel: TestChannel["channel"], response: Response): Promise<string | null> {
  const location = response.headers.get("location");
  if (location !== "/console") return location;
  const next = await channel.fetch(new Request(`${here}/console`));
  return next.headers.get("location");
}

const sessions = new WeakMap<TestChannel, string>();

/** The headers with the cookie of a session. */
async function signedIn(channel: TestChannel, headers: Record<string, string>): Promise<Headers> {
  const request = signInRequest(testTeamKey, { host, origin: here });
  const session = sessions.get(channel) ?? cookieOf(await answerOf(channel, request));
  sessions.set(channel, session);
  const { cookie, ...others } = headers;
  return new Headers({ host, ...others, cookie: cookie === undefined ? session : `${cookie}; ${session}` });
}

/** Requests a page without its own session. */
function visit(channel: TestChannel, path: string, headers: Record<string, string>) {
  return answerOf(channel, new Request(`${here}${path}`, { headers }));
}

async function get(channel: TestChannel, path: string, headers: Record<string, string> = {}) {
  return answerOf(channel, new Request(`${here}${path}`, { headers: await signedIn(channel, headers) }));
}

async function post(
  channel: TestChannel,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  origin: string | null = here,
) {
  const withOrigin = await signedIn(channel, headers);
  if (origin !== null) withOrigin.set("origin", origin);
  const init = { method: "POST", headers: withOrigin, body: new URLSearchParams(fields) };
  return answerOf(channel, new Request(`${here}${path}`, init));
}

async function answerOf(channel: TestChannel, request: Request) {
  const response = await channel.channel.fetch(request);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function cookieOf(answer: { headers: Headers }): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
