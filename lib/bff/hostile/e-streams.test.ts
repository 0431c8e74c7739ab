/**
 * Hostile cases E, 100 to 113, as the BFF meets them: what the Chat API streams, cuts or sends wrongly, and readers that
 * do not read. (85 to 99, the format itself, are tests of the client.)
 */
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ChatApiErrorCode, errorRules, sentenceOf } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { operations } from "#lib/chat-api/operations.ts";
import { encodeTurnEvent, keepAliveComment, type TurnEvent } from "#lib/chat-api/turn-events.ts";
import { peakMemory } from "#lib/chat-client/testing/held-memory.ts";
import { bffLimits } from "../limits.ts";
import { hostilePeer, maya, ownerOfChat, signedIn } from "../testing/hostile-set-up.ts";
import { aChat, aMessage, errorBody, json } from "../testing/hostile-upstream.ts";
import { freshKey, startTestBff, type TestBff, type TestBrowser } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
let t: TestBff;
let browser: TestBrowser;
beforeEach(async () => {
  t = startTestBff(environment);
  browser = await ownerOfChat(t, upstream);
});
afterEach(async () => {
  vi.useRealTimers();
  await t.bff.rateLimits.close();
});

const path = "/api/chats/chat_0001/messages";
const start: TurnEvent = {
  type: "start",
  chatId: "chat_0001",
  requestId: "up_1",
  messageId: "msg_1",
  replyId: "msg_2",
};
const delta = (text: string): TurnEvent => ({ type: "delta", text });
const doneWith = (text: string): TurnEvent => ({
  type: "done",
  item: {
    message: aMessage({ id: "msg_1" }),
    reply: aMessage({ id: "msg_2", role: "agent", text }),
    chat: aChat(maya),
  } as Extract<TurnEvent, { type: "done" }>["item"],
});
const wire = (...events: TurnEvent[]) => events.map(encodeTurnEvent).join("");

function streamHead(answer: ServerResponse, status = 201): void {
  answer.writeHead(status, { "content-type": "text/event-stream", "x-request-id": "up_1" });
  answer.flushHeaders();
}

/** One answer after the other, for each request to send a message. */
function onSend(...answers: ((answer: ServerResponse) => void)[]): void {
  let request = 0;
  upstream.on("POST /chats/chat_0001/messages", (_, answer) => {
    const arranged = answers[Math.min(request, answers.length - 1)];
    request += 1;
    arranged?.(answer);
  });
}

const sends = () => upstream.seen.filter(({ method }) => method === "POST");

function send(init: { signal?: AbortSignal; accept?: string; key?: string } = {}): Promise<Response> {
  return browser.send(path, {
    method: "POST",
    body: '{"text":"hi"}',
    headers: {
      "content-type": "application/json",
      "idempotency-key": init.key ?? freshKey(),
      accept: init.accept ?? "text/event-stream",
    },
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
}

interface Read {
  type: string;
  data: {
    text?: string;
    error?: { code: string; requestId: string; retryAfterSeconds?: number };
    item?: { reply: { text: string } };
    requestId?: string;
  };
}

function eventsOf(text: string): Read[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [first = "", second = ""] = block.split("\n");
      return { type: first.slice("event: ".length), data: JSON.parse(second.slice("data: ".length)) };
    });
}

/** What a page would show at the end: the text since the last `start`, or that of `done`. */
function shown(events: Read[]): string {
  let text = "";
  for (const { type, data } of events) {
    if (type === "start") text = "";
    if (type === "delta") text += data.text ?? "";
    if (type === "done") text = data.item?.reply.text ?? "";
  }
  return text;
}

async function readTurn(response: Response | Promise<Response>): Promise<Read[]> {
  return eventsOf(await (await response).text());
}

const types = (events: Read[]) => events.map(({ type }) => type).join(" ");

test("#100 one byte at a time, all at once, and ten thousand events: the same reply", async () => {
  const text = "Gr\u00fc\u00dfe \u{1f600} aus Kelderby";
  const bytes = Buffer.from(
    wire(start, delta("Gr\u00fc\u00dfe "), delta("\u{1f600} aus "), delta("Kelderby"), doneWith(text)),
  );
  onSend(
    (answer) => {
      streamHead(answer);
      for (const byte of bytes) answer.write(Buffer.from([byte]));
      answer.end();
    },
    (answer) => {
      streamHead(answer);
      answer.end(bytes);
    },
    (answer) => {
      streamHead(answer);
      answer.write(wire(start));
      for (let count = 0; count < 10_000; count += 1) answer.write(wire(delta("ab")));
      answer.end(wire(doneWith("ab".repeat(10_000))));
    },
  );
  for (const expected of [text, text, "ab".repeat(10_000)]) {
    const events = await readTurn(send());
    const streamed = events.flatMap(({ data }) => data.text ?? []).join("");
    expect(streamed).toBe(expected);
    expect(shown(events)).toBe(expected);
    expect(types(events)).toMatch(/^start (delta )+done$/);
  }
});

test("the stream carries our request ID and our headers", async () => {
  onSend((answer) => {
    streamHead(answer);
    answer.end(wire(start, doneWith("")));
  });
  const response = await send();
  expect(response.status).toBe(201);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  const [first] = await readTurn(response);
  expect(first?.data.requestId).toBe(response.headers.get("x-request-id"));
});

test("#101 an endless line, endless data lines and an event of 2 MiB end the stream with an error", async () => {
  const endless = (piece: string) => (answer: ServerResponse) => {
    streamHead(answer);
    answer.write(wire(start));
    const more = () => {
      while (!answer.destroyed && answer.write(piece));
    };
    answer.on("drain", more);
    more();
  };
  const monsters = [
    endless("x".repeat(65_536)),
    endless(`data: ${"x".repeat(65_536)}\n`),
    (answer: ServerResponse) => {
      streamHead(answer);
      answer.write(wire(start));
      answer.write(wire(delta("x".repeat(2 * 1024 * 1024))));
    },
    // Many small events whose text is larger than any reply.
    endless(wire(delta("x".repeat(32_768)))),
  ];
  for (const monster of monsters) {
    onSend(monster);
    const { result: events, bytes } = await peakMemory(() => readTurn(send()));
    expect(events.at(-1)).toMatchObject({ type: "error", data: { error: { code: "upstream_unreachable" } } });
    expect(bytes).toBeLessThan(64 * 1024 * 1024);
  }
  expect(
    t.lines.filter(({ event, fault }) => event === "contract_breach" && fault === "too_large").length,
  ).toBe(monsters.length);
});

test("#102 events in an order, a shape or a language that the specification excludes never pass", async () => {
  const wrong: Record<string, string> = {
    "done before start": wire(doneWith("x")),
    "delta before start": wire(delta("x")),
    "two starts": wire(start, start, doneWith("x")),
    "a start without its fields": 'event: start\ndata: {"chatId":"chat_0001"}\n\n',
    "a delta without text": `${wire(start)}event: delta\ndata: {}\n\n`,
    "broken JSON": `${wire(start)}event: delta\ndata: {"text":\n\n`,
    "a done of another shape": `${wire(start)}event: done\ndata: {"item":{"message":null}}\n\n`,
    "another chat's start": wire({ ...start, chatId: "chat_foreign" }),
  };
  for (const [what, bytes] of Object.entries(wrong)) {
    onSend((answer) => {
      streamHead(answer);
      answer.end(bytes);
    });
    const response = await send();
    const text = await response.text();
    expect(text, what).not.toContain("event: done");
    if (response.status === 201) expect(eventsOf(text).at(-1)?.type, what).toBe("error");
    else expect(response.status, what).toBe(502);
  }
});

test("#102 what follows done is not read, and unknown events are skipped", async () => {
  onSend((answer) => {
    streamHead(answer);
    answer.end(
      `${wire(start)}event: news\ndata: {"x":1}\n\n${wire(delta("a"), doneWith("a"), delta("b"), doneWith("b"))}`,
    );
  });
  const events = await readTurn(send());
  expect(types(events)).toBe("start delta done");
  expect(shown(events)).toBe("a");
});

test("#103 where the deltas and done differ, done wins", async () => {
  onSend((answer) => {
    streamHead(answer);
    answer.end(wire(start, delta("streamed"), doneWith("Which of the two?")));
  });
  expect(shown(await readTurn(send()))).toBe("Which of the two?");
});

test("#104 a stream that is cut after any byte is taken up with the same key, and the reply is shown once", async () => {
  const text = "Yes \u2014 we do.";
  const whole = Buffer.from(wire(start, delta("Yes \u2014"), delta(" we"), delta(" do."), doneWith(text)));
  for (let cut = 0; cut < whole.length; cut += 1) {
    upstream.seen.length = 0;
    onSend(
      (answer) => {
        streamHead(answer);
        answer.write(whole.subarray(0, cut));
        // By turns a clean end and a broken connection: neither is an end of the turn.
        setImmediate(() => (cut % 2 ? answer.end() : answer.destroy()));
      },
      (answer) => {
        streamHead(answer, 200);
        answer.end(wire(start, delta(text), doneWith(text)));
      },
    );
    const events = await readTurn(send());
    expect(types(events), `cut after ${cut}`).toMatch(/^start (delta )*done$/);
    expect(events.flatMap(({ data }) => data.text ?? []).join("")).toBe(text);
    expect(shown(events)).toBe(text);
    const keys = sends().map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
  }
}, 30_000);

test("#104 an agent that answers anew after a cut begins anew on the page", async () => {
  onSend(
    (answer) => {
      streamHead(answer);
      answer.write(wire(start, delta("The first ans")));
      setImmediate(() => answer.destroy());
    },
    (answer) => {
      streamHead(answer, 200);
      answer.end(wire(start, delta("Another answer"), doneWith("Another answer")));
    },
  );
  const events = await readTurn(send());
  expect(types(events)).toBe("start delta start delta done");
  expect(shown(events)).toBe("Another answer");
  // Every start that reaches the browser carries the ID of its own request.
  expect(new Set(events.filter(({ type }) => type === "start").map(({ data }) => data.requestId)).size).toBe(
    1,
  );
});

test("#105 a cut that does not heal ends in an error that keeps the key", async () => {
  onSend((answer) => {
    streamHead(answer);
    answer.write(wire(start, delta("part")));
    setImmediate(() => answer.destroy());
  });
  const events = await readTurn(send());
  expect(events.at(-1)?.data.error).toMatchObject({ code: "upstream_unreachable" });
  expect(errorRules.upstream_unreachable.nextKey).toBe("keep");
  expect(sends().length).toBeGreaterThan(2);
});

test("#105 a proxy's page in place of the stream, or in its middle, is no reply", async () => {
  const page = "<html><body>504 Gateway Timeout</body></html>";
  onSend((answer) => {
    answer.writeHead(200, { "content-type": "text/html" });
    answer.end(page);
  });
  const instead = await send();
  expect(instead.status).toBe(502);
  onSend(
    (answer) => {
      streamHead(answer);
      answer.end(wire(start, delta("part ")) + page);
    },
    (answer) => {
      streamHead(answer, 200);
      answer.end(wire(start, delta("part two"), doneWith("part two")));
    },
  );
  const text = await (await send()).text();
  expect(text).not.toContain("Gateway");
  expect(shown(eventsOf(text))).toBe("part two");
});

test("#106 a stream that is silent for three missed comments is taken up again, as one reply", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const silent = Promise.withResolvers<void>();
  onSend(
    (answer) => {
      streamHead(answer);
      answer.write(wire(start, delta("part ")));
      answer.on("close", () => silent.resolve());
    },
    (answer) => {
      streamHead(answer, 200);
      answer.end(wire(start, delta("part two"), doneWith("part two")));
    },
  );
  const key = freshKey();
  const response = await send({ key });
  const events = readTurn(response);
  await vi.advanceTimersByTimeAsync(bffLimits.streamIdleTime - 1);
  expect(sends()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  // The dead connection is given back, too.
  await silent.promise;
  expect(types(await events)).toBe("start delta delta done");
  expect(shown(await events)).toBe("part two");
  const keys = sends().map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test("#106 a turn of six minutes that sends comments alone is alive, on both hops", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const answering = Promise.withResolvers<ServerResponse>();
  onSend((answer) => {
    streamHead(answer);
    answer.write(wire(start));
    answering.resolve(answer);
  });
  const response = await send();
  const answer = await answering.promise;
  const whole = response.text();
  for (let time = 0; time < 6 * 60_000; time += limits.keepAliveInterval) {
    await new Promise<void>((resolve) => void answer.write(keepAliveComment, () => resolve()));
    // Through the socket, to the reader of the stream.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(limits.keepAliveInterval);
  }
  answer.end(wire(delta("at last"), doneWith("at last")));
  const text = await whole;
  expect(types(eventsOf(text))).toBe("start delta done");
  expect(text.split(keepAliveComment)).toHaveLength(1 + (6 * 60_000) / limits.keepAliveInterval);
  expect(sends()).toHaveLength(1);
});

const sendCodes = operations.sendMessage.errors.filter((code) => errorRules[code].relay === "pass");

test.each([...sendCodes, "internal_error", "rate_limited"] satisfies ChatApiErrorCode[])(
  "#107 an error event with %s arrives as an error event of ours",
  async (code) => {
    onSend((answer) => {
      streamHead(answer);
      answer.end(
        wire(start, delta("part"), { type: "error", ...errorBody(code, { retryAfterSeconds: 30 }) }),
      );
    });
    const response = await send();
    expect(response.status).toBe(201);
    const events = await readTurn(response);
    const { error } = events.at(-1)?.data ?? {};
    expect(error).toMatchObject({
      code,
      message: sentenceOf(code),
      requestId: response.headers.get("x-request-id"),
    });
  },
);

test("#107 an operator's fault inside a stream stays the operator's", async () => {
  onSend((answer) => {
    streamHead(answer);
    answer.end(wire(start, { type: "error", ...errorBody("workspace_suspended") }));
  });
  const text = await (await send()).text();
  expect(text).not.toContain("suspended");
  expect(eventsOf(text).at(-1)?.data.error).toMatchObject({ code: "chat_unavailable" });
});

test("#107 a refusal before the first event is an answer with its own status", async () => {
  onSend((answer) => json(answer, 409, errorBody("turn_in_progress")));
  const response = await send();
  expect(response.status).toBe(409);
  expect((await response.json()).error.code).toBe("turn_in_progress");
  onSend((answer) => {
    streamHead(answer);
    answer.end(wire({ type: "error", ...errorBody("chat_closed") }));
  });
  expect((await send()).status).toBeGreaterThanOrEqual(400);
});

test("#108 a replay of a finished turn is a stream of 200", async () => {
  onSend((answer) => {
    streamHead(answer, 200);
    answer.end(wire(start, delta("whole"), doneWith("whole")));
  });
  const response = await send();
  expect(response.status).toBe(200);
  expect(types(await readTurn(response))).toBe("start delta done");
});

test("#110 Last-Event-ID is not passed on", async () => {
  onSend((answer) => {
    streamHead(answer);
    answer.end(wire(start, doneWith("")));
  });
  await browser.send(path, {
    method: "POST",
    body: '{"text":"hi"}',
    headers: {
      "content-type": "application/json",
      "idempotency-key": freshKey(),
      accept: "text/event-stream",
      "last-event-id": "7",
    },
  });
  expect(sends()[0]?.headers["last-event-id"]).toBeUndefined();
});

test("#111 Accept decides between JSON, a stream and a refusal", async () => {
  onSend((answer) => {
    const streamed = sends().at(-1)?.headers.accept === "text/event-stream";
    if (!streamed)
      return json(answer, 201, { item: { message: aMessage(), reply: null, chat: aChat(maya) } });
    streamHead(answer);
    answer.end(wire(start, doneWith("")));
  });
  const kinds: [string, string][] = [
    ["", "application/json"],
    ["*/*", "application/json"],
    ["application/*", "application/json"],
    ["application/json, text/plain", "application/json"],
    ["TEXT/Event-Stream", "text/event-stream"],
    ["text/event-stream;q=0.5, application/json;q=0.1", "text/event-stream"],
    ["application/json, text/event-stream;q=0.5", "application/json"],
    ["text/event-stream, application/json", "text/event-stream"],
    ["text/event-stream;q=0, */*", "application/json"],
  ];
  for (const [accept, type] of kinds) {
    const response = await send({ accept });
    expect(response.headers.get("content-type"), accept).toContain(type);
    await response.text();
  }
  upstream.seen.length = 0;
  for (const accept of ["text/html", "text/event-stream;q=0", "image/*", "text/*"]) {
    const response = await send({ accept });
    expect(response.status, accept).toBe(406);
    expect((await response.json()).error.code).toBe("unsupported_accept");
  }
  expect(sends()).toEqual([]);
});

test("#112 a reader that takes nothing is let go after its time, and the Chat API's connection with it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const closed = Promise.withResolvers<void>();
  onSend((answer) => {
    streamHead(answer);
    answer.write(wire(start, delta("part")));
    answer.on("close", () => closed.resolve());
  });
  const response = await send();
  expect(t.bff.streams.size).toBe(1);
  await vi.advanceTimersByTimeAsync(bffLimits.readerStallTime);
  await closed.promise;
  expect(t.bff.streams.size).toBe(0);
  await expect(response.text()).rejects.toThrow();
  expect(t.lines.find(({ route }) => route === "sendMessage")).toMatchObject({ outcome: "stalled" });
});

test("deltas that wait for a slow reader leave as one event", async () => {
  const sent = Promise.withResolvers<void>();
  onSend((answer) => {
    streamHead(answer);
    answer.write(wire(start));
    for (const letter of "abcdefghij") answer.write(wire(delta(letter)));
    answer.end(wire(doneWith("abcdefghij")), () => sent.resolve());
  });
  const response = await send();
  await sent.promise;
  await expect.poll(() => t.bff.streams.size).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  await expect.poll(async () => t.lines.length > 0).toBe(true);
  const events = await readTurn(response);
  expect(events.filter(({ type }) => type === "delta").map(({ data }) => data.text)).toEqual(["abcdefghij"]);
});

test("a comment keeps a silent stream open", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let finish: (() => void) | undefined;
  onSend((answer) => {
    streamHead(answer);
    answer.write(wire(start));
    finish = () => answer.end(wire(doneWith("")));
  });
  const response = await send();
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  expect(decoder.decode((await reader?.read())?.value)).toContain("event: start");
  const next = reader?.read();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(decoder.decode((await next)?.value)).toBe(": keep-alive\n\n");
  finish?.();
  expect(decoder.decode((await reader?.read())?.value)).toContain("event: done");
});

test("#113 two hundred streams at once in one session are three, and all together two hundred", async () => {
  onSend((answer) => {
    streamHead(answer);
    answer.write(wire(start));
  });
  const { streamsPerProcess, streamsPerSession } = bffLimits;
  const sendTimes = (count: number) => Promise.all(Array.from({ length: count }, () => send()));
  const answers = await sendTimes(streamsPerProcess);
  const opened = () => answers.filter(({ status }) => status === 201);
  expect(opened()).toHaveLength(streamsPerSession);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 429]));

  // Others find the places that are left.
  for (let session = 0; session < streamsPerProcess / streamsPerSession; session += 1) {
    browser = await signedIn(t);
    answers.push(...(await sendTimes(streamsPerSession)));
  }
  expect(opened()).toHaveLength(streamsPerProcess);
  expect(t.bff.streams.size).toBe(streamsPerProcess);
  expect(answers.at(-1)?.status).toBe(429);
  await Promise.all(opened().map(({ body }) => body?.cancel()));
  expect(t.bff.streams.size).toBe(0);
});

test("#113 a place is free again when its stream is over; who finds none is told to come back", async () => {
  const waiting: ServerResponse[] = [];
  onSend((answer) => {
    streamHead(answer);
    answer.write(wire(start));
    waiting.push(answer);
  });
  const open = await Promise.all([send(), send(), send()]);
  const fourth = await send();
  expect(fourth.status).toBe(429);
  expect((await fourth.json()).error).toMatchObject({ code: "rate_limited", retryAfterSeconds: 2 });
  expect(waiting).toHaveLength(bffLimits.streamsPerSession);

  await open[0]?.body?.cancel();
  const again = await send();
  expect(again.status).toBe(201);
  for (const answer of waiting) answer.end(wire(doneWith("")));
  await Promise.all([open[1], open[2], again].map((response) => response?.text()));
  expect(t.bff.streams.size).toBe(0);
});

test("P3 a browser that leaves before the acknowledgement does not keep the message from being sent", async () => {
  const leaving = new AbortController();
  const arrived = Promise.withResolvers<ServerResponse>();
  const closed = Promise.withResolvers<void>();
  onSend((answer) => {
    answer.on("close", () => closed.resolve());
    arrived.resolve(answer);
  });
  const response = send({ signal: leaving.signal });
  const answer = await arrived.promise;
  leaving.abort();
  await new Promise((resolve) => setImmediate(resolve));
  expect(answer.destroyed).toBe(false);
  streamHead(answer);
  answer.write(wire(start));
  const { body } = await response;
  await body?.cancel();
  await closed.promise;
  expect(t.bff.streams.size).toBe(0);
});

test("P3 an acknowledgement that does not come is not waited for longer than the time for it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const leaving = new AbortController();
  const arrived = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  onSend((answer) => {
    answer.on("close", () => closed.resolve());
    arrived.resolve();
  });
  const response = send({ signal: leaving.signal });
  await arrived.promise;
  leaving.abort();
  await vi.advanceTimersByTimeAsync(bffLimits.detachTime);
  await closed.promise;
  expect((await response).status).toBe(502);
});

test("after sign-out the customer's open streams end, in every tab", async () => {
  onSend((answer) => {
    streamHead(answer);
    answer.write(wire(start, delta("secret so far")));
  });
  const streams = await Promise.all([send(), send()]);
  await browser.send("/api/session", { method: "DELETE" });
  for (const stream of streams) {
    expect((await readTurn(stream)).at(-1)).toMatchObject({
      type: "error",
      data: { error: { code: "session_required" } },
    });
  }
});

test("P14 a process that stops takes no more requests, lets streams finish, and ends the rest in time", async () => {
  const finishing = startTestBff(environment);
  const other = await signedIn(finishing);
  const answers: ServerResponse[] = [];
  onSend((answer) => {
    streamHead(answer);
    answer.write(wire(start));
    answers.push(answer);
  });
  const post = () => other.post(path, { text: "hi" }, { accept: "text/event-stream" });
  const [first, second] = [await post(), await post()];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stopped = finishing.stop();
  const refused = await post();
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("2");
  expect((await refused.json()).error.code).toBe("service_unavailable");
  answers[0]?.end(wire(doneWith("finished")));
  expect(shown(await readTurn(first))).toBe("finished");
  await vi.advanceTimersByTimeAsync(bffLimits.drainTime);
  expect((await readTurn(second)).at(-1)?.data.error).toMatchObject({
    code: "service_unavailable",
    retryAfterSeconds: 2,
  });
  await stopped;
});
