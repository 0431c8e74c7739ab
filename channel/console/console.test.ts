/** The console over HTTP: access, pages and forms. */
import type { HttpBindings } from "@hono/node-server";
import { expect, onTestFinished, test, vi } from "vitest";
import { anOrder, aProduct } from "#lib/chat-api/testing/builders.ts";
import type { ChannelDeps } from "../channel.ts";
import { listen } from "../http/server.ts";
import { type TestChannel, testChannel, testTeamKey, waitingChat } from "../testing/test-channel.ts";
import { channelClient } from "./channel-client.ts";
import { serveConsole } from "./console.ts";

const host = "127.0.0.1:2428";
const here = `http://${host}`;
const token = "one-time-token-of-the-printed-address-0123";
const hostile = '<img src=x onerror="alert(1)"> & "quotes"';

test("shows the inbox under a strict CSP", async () => {
  const channel = await local();
  const page = await get(channel, "/console");
  expect(page.status).toBe(200);
  expect(page.text).toContain("There is no chat here.");
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
  for (const path of ["/console", "/console/requests/req_1", "/console/lab", "/console/chats/chat_1"]) {
    const response = await channel.fetch(new Request(`${here}${path}`, { headers }), connectionFrom(address));
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, []]);
    expect(await response.text()).toContain("Team key");
  }
});

test("the token of the printed address signs in one browser, once", async () => {
  const { channel } = await testChannel({ console: { token } });
  const path = `/console?token=${token}`;
  // Programs that preview links ask for the headers only.
  await channel.fetch(new Request(`${here}${path}`, { method: "HEAD" }));
  const wrong = await channel.fetch(new Request(`${here}/console?token=${"x".repeat(43)}`));
  expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([303, []]);
  const first = await channel.fetch(new Request(`${here}${path}&channel=dep_lab_1`));
  expect([first.status, first.headers.get("location")]).toEqual([303, "/console?channel=dep_lab_1"]);
  const page = await channel.fetch(new Request(`${here}/console`, { headers: { cookie: cookieOf(first) } }));
  expect(page.status).toBe(200);
  const second = await channel.fetch(new Request(`${here}${path}`));
  expect(second.headers.getSetCookie()).toEqual([]);
});

test("the team key opens a session at the page's address, and forged session cookies are refused", async () => {
  const channel = await testChannel();
  const headers = { host: "team.example" };
  const asked = "/console/lab?reads";
  expect((await visit(channel, asked, headers)).text).toContain("Team key");
  const wrong = await signIn(channel, "tk_wrong", asked);
  expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
  expect(wrong.text).toContain("That is not the team key.");
  const right = await signIn(channel, testTeamKey, asked);
  expect([right.status, right.headers.get("location")]).toEqual([303, asked]);
  const cookie = right.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Lax/);
  const value = cookie.split(";")[0] ?? "";
  expect((await visit(channel, "/console", { ...headers, cookie: value })).status).toBe(200);
  for (const forged of [value.replace(/=\d/, "=9"), `${value}x`, "console-session=", "console-session=1.2"])
    expect((await visit(channel, "/console", { ...headers, cookie: forged })).status).toBe(401);
});

test("a console session ends twelve hours after the sign-in", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-24T08:00:00Z") });
  const channel = await testChannel();
  const headers = { host: "team.example", cookie: cookieOf(await signIn(channel, channel.teamKey)) };
  vi.setSystemTime(new Date("2026-11-24T19:59:59Z"));
  expect((await visit(channel, "/console", headers)).status).toBe(200);
  vi.setSystemTime(new Date("2026-11-24T20:00:00Z"));
  expect((await visit(channel, "/console", headers)).status).toBe(401);
});

test("limits the length of a form before the sign-in", async () => {
  const channel = await testChannel();
  expect((await signIn(channel, "k".repeat(50_000))).status).toBe(413);
});

test("signs a browser out", async () => {
  const channel = await local();
  expect((await get(channel, "/console")).text).toContain('action="/console/sign-out"');
  const answer = await post(channel, "/console/sign-out", {});
  expect(answer.headers.get("location")).toBe("/console");
  expect(answer.headers.get("set-cookie")).toMatch(/^console-session=; Max-Age=0; Path=\/console/);
});

test("sets Secure cookies behind a proxy that terminates TLS", async () => {
  const channel = await testChannel({ console: { token } });
  const cookieFrom = async (origin: string) =>
    (await signIn(channel, channel.teamKey, "/console", origin)).headers.get("set-cookie");
  expect(await cookieFrom("https://team.example")).toMatch(/; Secure/);
  expect(await cookieFrom("http://team.example")).not.toMatch(/Secure/);
  const forwarded = { host: "team.example", "x-forwarded-proto": "https" };
  const redeemed = await visit(channel, `/console?token=${token}`, forwarded);
  expect(redeemed.headers.get("set-cookie")).toMatch(/; Secure/);
});

test("refuses forms that another page submits", async () => {
  const { channel, chatId } = await waiting();
  const path = `/console/chats/${chatId}/claim`;
  for (const [headers, origin] of [
    [{}, "http://evil.example"],
    [{}, null],
    [{}, "http://127.0.0.1:3000"],
    [{ "sec-fetch-site": "same-site" }, "http://127.0.0.1:3000"],
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
  expect(text).not.toContain('href="javascript:');
  expect(text.split("&lt;img src=x").length).toBeGreaterThan(6);
  for (const known of ["12.5", "GBP", "+44 1632 960001"]) expect(text).toContain(`<bdi>${known}</bdi>`);
});

test.each([
  ["a text", "notes.txt", "text/plain", "<script>alert(1)</script>"],
  ["a picture", "wheel.png", "image/png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01"],
])("serves %s from its own origin under a sandboxed CSP", async (_what, name, type, content) => {
  const channel = await local();
  const chatId = await channel.createChat();
  const body = new FormData();
  body.append("file", new File([Buffer.from(content, "latin1")], name, { type }));
  const { item } = (await channel.call<{ item: { id: string } }>(`/chats/${chatId}/files`, { body })).body;
  await channel.send(chatId, { fileIds: [item.id] });
  const path = `/console/chats/${chatId}/files/${item.id}`;
  expect((await get(channel, `/console/chats/${chatId}`)).text).toContain(`href="${path}"`);
  const file = await get(channel, path);
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
  expect(file.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
});

test("the inbox opens at the first chat: who waits longest, then the latest", async () => {
  const { channel, chatId } = await waiting();
  await channel.advance(60_000);
  await waitingChat(channel);
  const later = await channel.createChat();
  await channel.send(later, { text: "Is the hub ready?" });
  const first = async (query: string) => (await get(channel, `/console${query}`)).headers.get("location");
  expect(await first("")).toBe(`/console/chats/${chatId}`);
  expect(await first("?mode=agent")).toBe(`/console/chats/${later}?mode=agent`);
  expect((await get(channel, "/console?mode=resolved")).text).toContain("There is no chat here.");
});

test("the inbox counts unanswered messages, and a waiting chat shows its actions", async () => {
  const { channel, chatId, page } = await waiting();
  await channel.send(chatId, { text: "Anybody there?" });
  const { text } = await page();
  for (const part of ["1 new", "Anybody there?"]) expect(text).toContain(part);
  for (const label of ["Claim", "Return to the agent", "Could not be reached", "Resolve"])
    expect(text).toContain(`>${label}</button>`);
  expect(text).not.toContain("<textarea");
});

test("the inbox shows how long each customer waits, for the team or for its answer", async () => {
  const { channel, chatId, act, page } = await waiting();
  const after = async (minutes: number) => {
    await channel.advance(minutes * 60_000);
    const { text } = await page();
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
  const { channel, chatId, path, page, act: actAs } = await waiting({ members: ["Priya N.", "Zoë"] });
  const cookie = cookieOf(await post(channel, "/console/teammate", { teammate: " Zoë " }));
  const act = (action: string, fields?: Record<string, string>) =>
    actAs(action, fields, { cookie, referer: `${here}${path}?mode=waiting` });

  const claimed = await act("claim");
  expect([claimed.status, claimed.headers.get("location")]).toEqual([303, `${here}${path}?mode=waiting`]);
  const told = await page({ cookie });
  expect(told.text).toContain("<mark>With the team: <bdi>Zoë</bdi></mark>");
  expect(told.text).toContain("<textarea");
  expect((await channel.getChat(chatId)).teammate).toEqual({ name: "Zoë" });

  await act("messages", { text: "Hello\r\nI am Zoë", key: "reply-0001" });
  await act("messages", { text: "Hello\r\nI am Zoë", key: "reply-0001" });
  expect((await channel.messagesOf(chatId)).slice(4).map(({ role, text }) => [role, text])).toEqual([
    ["teammate", "Hello\nI am Zoë"],
  ]);
  await act("form", { label: " 色 ", purpose: "To paint it" });
  expect((await page({ cookie })).text).toMatch(/<bdi>To paint it<\/bdi>.*<bdi>色<\/bdi>/s);
  await act("release");
  expect((await channel.getChat(chatId)).mode).toBe("agent");
  await act("claim");
  await act("resolve");
  expect((await channel.getChat(chatId)).mode).toBe("resolved");
});

test("an unreachable team fails the handoff", async () => {
  const { channel, chatId, act } = await waiting();
  await act("fail");
  expect(await channel.getChat(chatId)).toMatchObject({ mode: "agent", handoff: { status: "failed" } });
});

test("shows the handoff, and the collected details by the questions' words", async () => {
  const { channel, chatId, page, act } = await waiting();
  await act("claim");
  const field = { id: "time", label: "Best time", type: "choice", choices: [{ id: "am", label: "Morning" }] };
  await channel.asTeam(`/team/chats/${chatId}/form`, {
    form: { purpose: "To call you back", fields: [{ field, required: true }] },
  });
  const open = (await page()).text;
  for (const part of ["<bdi>claimed</bdi>", "<bdi>To call you back</bdi>", "<bdi>Best time</bdi>"])
    expect(open).toContain(part);
  await channel.asTeam(`/team/chats/${chatId}/details`, {
    values: [{ fieldId: "time", value: "am", status: "disputed" }],
  });
  expect((await page()).text).toContain("<bdi>Morning (disputed, by the team)</bdi>");
});

test("explains a refused action and changes nothing", async () => {
  const { channel, chatId, act } = await waiting({ members: ["Priya N.", "Zoë"] });
  await act("claim");
  const cookie = cookieOf(await post(channel, "/console/teammate", { teammate: "Zoë" }));
  const refusal = await act("claim", {}, { cookie });
  expect(refusal.status).toBe(409);
  expect(refusal.text).toMatch(/id="problem" role="alert">Priya N. has this chat/);
  expect(refusal.text).toContain("Take over from Priya N.");
  await act("claim", { takesOver: "on" }, { cookie });
  expect((await channel.getChat(chatId)).teammate).toEqual({ name: "Zoë" });
});

test("lists the latest requests with their outcome, without the polls that succeeded", async () => {
  const channel = await local();
  const chatId = await channel.createChat();
  await channel.send(chatId, { text: "Hello" }, { key: "send-0001" });
  await channel.send(chatId, { text: "Hello" }, { key: "send-0001" });
  await channel.getChat(chatId);
  await channel.call("/nowhere");
  const { text } = await get(channel, "/console/lab");
  expect(text.match(/>sendMessage</g)).toHaveLength(2);
  expect(text.match(/>replay</g)).toHaveLength(1);
  expect(text).toContain("not_found");
  expect(text).not.toMatch(/Hello|getChat/);
  expect((await get(channel, "/console/lab?reads")).text).toContain(">getChat<");
});

test("shows a request and its response whole, with the curl command that repeats it", async () => {
  const channel = await local();
  const chatId = await channel.createChat();
  await channel.send(chatId, { text: hostile }, { key: "send-0001" });
  const latest = async () => {
    const { text: list } = await get(channel, "/console/lab?reads");
    const [path = ""] = /\/console\/requests\/req_[A-Za-z0-9_-]+/.exec(list) ?? [];
    return (await get(channel, path)).text;
  };
  const text = await latest();
  expect(text).toContain("idempotency-key: send-0001");
  expect(text).toContain("x-request-id:");
  expect(text).toContain("curl -N -X POST ");
  expect(text).toContain("authorization: Bearer ck_…");
  expect(text).not.toContain("<img");
  expect((await get(channel, "/console/requests/req_unknown")).status).toBe(404);
  for (const outside of ["/v1/openapi.json", "/v1/nope"]) {
    await channel.channel.fetch(new Request(here + outside));
    expect(await latest()).toContain(`GET <code>${here}${outside}</code>`);
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
  await post(channel, "/console/lab/faults", {});
  expect((await get(channel, "/console/lab")).text).not.toContain("chat_closed");
  const off = await local({ lab: false });
  expect((await get(off, "/console/lab")).status).toBe(404);
});

test("shows a paused reply and its open request", async () => {
  const channel = await local();
  const chatId = await channel.createChat();
  const labPage = async () => (await get(channel, "/console/lab")).text;
  const chatPage = async () => (await get(channel, `/console/chats/${chatId}`)).text;
  await channel.asTeam("/lab/reply", { chatId, reply: { text: "Yes", holdsAfter: 0 } });
  expect(await labPage()).toContain("for a next turn, paused at delta 0");
  const sending = channel.send(chatId, { text: "Hello" });
  await expect.poll(labPage).toContain("being written, paused at delta 0");
  expect(await labPage()).toMatch(/>sendMessage<[\s\S]*?>pending</);
  const [path = ""] = /\/console\/requests\/[\w-]+/.exec(await labPage()) ?? [];
  expect((await get(channel, path)).text).toContain("{&quot;text&quot;:&quot;Hello&quot;}");
  expect(await chatPage()).toContain("is answering");
  await channel.asTeam("/lab/reply/continue", { chatId });
  await sending;
  expect(await labPage()).not.toMatch(/at delta|>pending</);
  expect(await chatPage()).not.toContain("is answering");
});

test("opens a channel that the lab has created, by its link and from the list", async () => {
  const channel = await local();
  const firstId = await channel.createChat();
  const created = await channel.asTeam("/lab/channels", { seed: { chats: [{ userId: "cust.ana-lopez" }] } });
  const { item } = (await created.json()) as { item: { channelKey: string; chats: [{ id: string }] } };
  const base = `/console/channels/${item.channelKey}`;
  const link = await get(channel, `/console?channel=${item.channelKey}`);
  expect(link.headers.get("location")).toBe(base);
  expect((await get(channel, "/console/lab")).text).toContain(`href="${base}"`);
  const [chat] = item.chats;
  const path = `${base}/chats/${chat.id}`;
  expect((await get(channel, base)).headers.get("location")).toBe(path);
  await post(channel, `${path}/claim`, {});
  const inbox = await get(channel, path);
  for (const part of ["Ana Lopez", "With the team: <bdi>Priya N."]) expect(inbox.text).toContain(part);
  expect(inbox.text).not.toContain(firstId);
  expect((await get(channel, `${base}/lab`)).status).toBe(200);
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
  expect(await open()).toEqual([200, expect.stringContaining("There is no chat here.")]);
  await server.close(0);
  expect(await open()).toEqual([503, expect.stringContaining("The channel does not answer.")]);
});

test.each([
  [200, "<html>"],
  [502, "<html>"],
  [404, "{}"],
])("reports what a proxy sends in place of the channel (%i, %s)", async (status, body) => {
  const client = channelClient(async () => new Response(body, { status }), here, testTeamKey);
  await expect(client.get("/lab")).rejects.toMatchObject({ code: "service_unavailable" });
});

test("a form whose session has ended leads back to its page, which asks for the sign-in", async () => {
  const channel = await testChannel();
  const referer = `${here}/console/chats/chat_1?mode=teammate`;
  const init = { method: "POST", headers: { host, origin: here, referer }, body: new URLSearchParams({}) };
  const answer = await answerOf(channel, new Request(`${here}/console/chats/chat_1/messages`, init));
  expect([answer.status, answer.headers.get("location")]).toEqual([303, referer]);
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
    path,
    page: (headers: Record<string, string> = {}) => get(channel, path, headers),
    act: (action: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      post(channel, `${path}/${action}`, fields, headers),
  };
}

/** A connection from the address: the console reads nothing else of it. */
function connectionFrom(address: string): Pick<HttpBindings, "incoming"> {
  return { incoming: { socket: { remoteAddress: address } } as HttpBindings["incoming"] };
}

/** Sends the form of the page that asks for the sign-in. */
function signIn(channel: TestChannel, teamKey: string, path = "/console", origin = "http://team.example") {
  const headers = { host: new URL(origin).host, origin };
  const init = { method: "POST", headers, body: new URLSearchParams({ teamKey }) };
  return answerOf(channel, new Request(`${here}${path}`, init));
}

const sessions = new WeakMap<TestChannel, string>();

/** The headers with the cookie of a session. */
async function signedIn(channel: TestChannel, headers: Record<string, string>): Promise<Headers> {
  const session = sessions.get(channel) ?? cookieOf(await signIn(channel, testTeamKey, "/console", here));
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
