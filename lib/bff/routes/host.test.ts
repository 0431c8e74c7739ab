import { expect, test } from "vitest";
import type { Feedback } from "../chats/host.ts";
import {
  expectRefused,
  hostilePeer,
  newChat,
  newGuest,
  ownBff,
  ownerOfChat,
  signedIn,
} from "../testing/hostile-set-up.ts";
import { freshKey, type TestBrowser } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const thumb = { kind: "up", messageId: "message_1", value: 1 };

/** A BFF whose host stores feedback; `fails` is how often it fails first. */
function aHost({ fails = 0, isSync = false } = {}) {
  const calls: Feedback[] = [];
  const store = (feedback: Feedback) => {
    calls.push(feedback);
    if (calls.length <= fails) throw new Error("the host's database is down");
  };
  const t = ownBff(environment, { onFeedback: isSync ? store : async (feedback) => store(feedback) });
  return { t, calls };
}

const press = (browser: TestBrowser, body: object = thumb, key = freshKey(), chatId = "chat_0001") =>
  browser.post(`/api/chat/chats/${chatId}/feedback`, body, { "idempotency-key": key });

test("tells the page and passes each press to the host once", async () => {
  const { t, calls } = aHost();
  const browser = await ownerOfChat(t, upstream);
  expect((await (await browser.start()).json()).item.takesFeedback).toBe(true);
  const key = freshKey();
  const statuses = [await press(browser, thumb, key), await press(browser, thumb, key)];
  expect(statuses.map(({ status }) => status)).toEqual([204, 204]);
  const rating = { kind: "rating", messageId: null, value: 4, comment: "Quick, thank you" };
  await press(browser, rating);
  const customer = { id: "maya-okafor", name: "maya-okafor" };
  expect(calls).toEqual([
    { ...thumb, chatId: "chat_0001", customer, id: expect.stringMatching(/^[\w-]{43}$/) },
    { ...rating, chatId: "chat_0001", customer, id: expect.any(String) },
  ]);
  await expectRefused(press(browser, { ...thumb, value: 0 }, key), "idempotency_conflict");
});

test.each([true, false])(
  "has the page repeat a press that the host could not store (at once: %s)",
  async (isSync) => {
    const { t, calls } = aHost({ fails: 1, isSync });
    const browser = await ownerOfChat(t, upstream);
    const key = freshKey();
    const refused = await press(browser, thumb, key);
    expect(refused.headers.get("retry-after")).toBe("1");
    await expectRefused(refused, "service_unavailable");
    expect((await press(browser, thumb, key)).status).toBe(204);
    expect(calls).toHaveLength(2);
    expect(calls[0]?.id).toBe(calls[1]?.id);
    expect(t.lines.filter(({ event }) => event === "unexpected_error")).toHaveLength(1);
  },
);

test("takes a guest's feedback, without a customer", async () => {
  const { t, calls } = aHost();
  const browser = await newGuest(t);
  await newChat(upstream, browser, "chat_0002");
  expect((await press(browser, thumb, freshKey(), "chat_0002")).status).toBe(204);
  expect(calls).toMatchObject([{ customer: null, chatId: "chat_0002" }]);
});

test("refuses feedback on chats of others, without a key, and of another form", async () => {
  const { t, calls } = aHost();
  const browser = await ownerOfChat(t, upstream);
  await expectRefused(press(await signedIn(t, "someone-else")), "chat_not_found");
  await expectRefused(press(t.browser()), "session_required");
  await expectRefused(press(browser, thumb, "short"), "invalid_request");
  await expectRefused(press(browser, thumb, freshKey(), "a"), "invalid_id");
  const faults = [
    [{ ...thumb, kind: "sideways" }, "/kind"],
    [{ ...thumb, value: 2 }, "/value"],
    [{ ...thumb, messageId: null }, "/messageId"],
    [{ ...thumb, comment: "x".repeat(1_001) }, "/comment"],
    [{ kind: "rating", messageId: null, value: 6 }, "/value"],
    [{ kind: "rating", messageId: null, value: 2.5 }, "/value"],
    [{ ...thumb, customer: "ada" }, "/customer"],
  ] as const;
  for (const [body, field] of faults)
    await expectRefused(press(browser, body), "invalid_request", field, field);
  expect(calls).toEqual([]);
});

test("has no feedback unless the host takes it", async () => {
  const t = ownBff(environment);
  const browser = await ownerOfChat(t, upstream);
  expect((await (await browser.start()).json()).item).not.toHaveProperty("takesFeedback");
  await expectRefused(press(browser), "not_found");
});
