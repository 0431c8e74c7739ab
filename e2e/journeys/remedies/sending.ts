/** Codes of a message on its way that the customer, the network or an old page is at fault for. */
import { fetchOn } from "../../support/sent-body.ts";
import { startSession } from "../../support/sign-in.ts";
import {
  expect,
  expectDelivered,
  expectKept,
  expectNewChatWithDraft,
  expectNote,
  intercept,
  type Journey,
  newKey,
  openChat,
  openNewChat,
  paths,
  press,
  type Stage,
  sendAndSee,
  text,
  unnoticed,
} from "./stage.ts";

/** The request is damaged on its way to the shop: the shop refuses it, and the same text goes again as it was. */
async function damaged(
  stage: Stage,
  code: Parameters<typeof expectNote>[1],
  damage: { method?: string; headers?: Record<string, string>; postData?: string },
): Promise<void> {
  await openChat(stage);
  await intercept(stage, "POST", paths.messages, (route, request) =>
    route.continue({ ...damage, headers: { ...request.headers(), ...damage.headers } }),
  );
  await stage.chat.send(text);
  const note = await expectNote(stage, code, /could not be sent/i);
  await expectKept(stage);
  await press(stage, note, "Try again");
  await expectDelivered(stage);
}

/** The text stands in the composer again, to be changed. */
async function edited(
  stage: Stage,
  code: Parameters<typeof expectNote>[1],
  says: RegExp,
  postData: string,
): Promise<void> {
  await openChat(stage);
  await intercept(stage, "POST", paths.messages, (route) => route.continue({ postData }));
  await stage.chat.send(text);
  const note = await expectNote(stage, code, says);
  await expectKept(stage);
  await note.getByText("Edit", { exact: true }).click();
  await expect(stage.chat.composer).toHaveValue(text);
  await stage.chat.sendButton.click();
  await expectDelivered(stage);
}

export const invalidJson: Journey = (stage) => damaged(stage, "invalid_json", { postData: "{" });

export const unsupportedMediaType: Journey = (stage) =>
  damaged(stage, "unsupported_media_type", { headers: { "content-type": "text/plain" } });

export const methodNotAllowed: Journey = (stage) => damaged(stage, "method_not_allowed", { method: "PUT" });

export const unsupportedAccept: Journey = (stage) =>
  damaged(stage, "unsupported_accept", { headers: { accept: "text/html" } });

export const invalidRequest: Journey = (stage) =>
  edited(stage, "invalid_request", /not accepted as it is/i, JSON.stringify({ text: "a".repeat(4_001) }));

export const payloadTooLargeAsText: Journey = (stage) =>
  edited(stage, "payload_too_large", /too large/i, JSON.stringify({ text: "a".repeat(33 * 1024) }));

/** A browser's own wish to go on with a stream never gets to the Chat API, which would refuse it. */
export const unsupportedResume: Journey = async (stage) => {
  await openChat(stage);
  await intercept(stage, "POST", paths.messages, (route, request) =>
    route.continue({ headers: { ...request.headers(), "last-event-id": "7" } }),
  );
  await stage.chat.send(text);
  await expectDelivered(stage);
};

const connectionLost = ({ chat }: Stage) =>
  expect(chat.panel.locator("[data-delivery=waiting]")).toContainText(/connection lost/i);

/** The answer to the first attempt is lost, and under its key stands another text. */
export const idempotencyConflict: Journey = async (stage) => {
  await openChat(stage);
  await intercept(stage, "POST", paths.messages, async (route) => {
    await fetchOn(route, { postData: JSON.stringify({ text: "Another text" }) });
    await route.abort("connectionreset");
  });
  await sendAndSee(stage, () => connectionLost(stage));
  await stage.page.clock.fastForward(2_000);
  const note = await expectNote(stage, "idempotency_conflict", /could not find this message/i);
  await expectKept(stage);
  await press(stage, note, "Try again");
  await expectDelivered(stage);
};

/** Another device has asked something that takes its time. */
export const turnInProgress: Journey = async (stage) => {
  const { chat, client, lab, page } = stage;
  const chatId = await openChat(stage);
  await lab.reply({ text: "Slow", deltas: ["Sl", "ow"], delayMs: 60_000 }, chatId);
  const stream = client.streamMessage(chatId, { text: "Asked elsewhere" }, { idempotencyKey: newKey() });
  const events = stream[Symbol.asyncIterator]();
  await events.next();
  await chat.send(text);
  await expect(chat.panel.locator("[data-delivery=waiting]")).toContainText(/previous answer/i);
  await page.clock.fastForward(125_000);
  const note = await expectNote(stage, "turn_in_progress", /another answer is still being written/i);
  await expectKept(stage);
  // Ends the slow turn, and gives the chat back.
  await lab.claim(chatId, "Zoë");
  await lab.release(chatId);
  await events.return?.();
  await press(stage, note, "Try again", 3);
  await expectDelivered(stage);
};

/** The agent breaks off in every attempt. */
export const operationInterrupted: Journey = async (stage) => {
  const chatId = await openChat(stage);
  await stage.lab.reply({ text: "I begin and", fails: true }, chatId);
  await stage.chat.send(text);
  const note = await expectNote(stage, "operation_interrupted", /interrupted/i);
  await stage.lab.reply({ text: "This time I finish." }, chatId);
  await press(stage, note, "Ask again");
  await stage.chat.settled();
  await expect(stage.chat.lastReply()).toContainText("This time I finish.");
  await expect(stage.chat.panel.locator("[data-code]")).toHaveCount(0);
};

/** A teammate takes the chat in the middle of the agent's answer: the message is there, and a person answers. */
export const operationSuperseded: Journey = async (stage) => {
  const { chat, lab } = stage;
  const chatId = await openChat(stage);
  await lab.reply({ text: "Well then", deltas: ["Well ", "then"], delayMs: 20_000 }, chatId);
  await chat.send(text);
  await expect(chat.panel.locator("[aria-busy=true]")).toBeVisible();
  await lab.claim(chatId, "Zoë");
  await expect(chat.panel.getByRole("heading", { level: 2 })).toContainText("Zoë");
  await expectDelivered(stage, 0);
  await expect(chat.panel.locator("[data-code]")).toHaveCount(0);
};

export const operationCapacityReached: Journey = async (stage) => {
  await openChat(stage);
  await stage.lab.changeLimits({ operationsPerChat: 0 });
  await stage.chat.send(text);
  const note = await expectNote(stage, "operation_capacity_reached", /full/i);
  await expect(stage.chat.composer).toHaveCount(0);
  await stage.lab.changeLimits({ operationsPerChat: null });
  await press(stage, note, "New chat");
  await expectNewChatWithDraft(stage);
  await expectDelivered(stage);
};

export const chatClosed: Journey = async (stage) => {
  const chatId = await openChat(stage);
  await stage.chat.composer.fill(text);
  await unnoticed(
    stage,
    () => stage.lab.resolve(chatId),
    () => stage.chat.sendButton.click(),
  );
  const note = await expectNote(stage, "chat_closed", /closed/i);
  await press(stage, note, "New chat");
  await expectNewChatWithDraft(stage);
  await expectDelivered(stage);
};

export const chatNotFound: Journey = async (stage) => {
  const chatId = await openChat(stage);
  await stage.lab.deleteChat(chatId);
  await stage.chat.send(text);
  const note = await expectNote(stage, "chat_not_found", /no longer available/i);
  await press(stage, note, "New chat");
  await expectNewChatWithDraft(stage);
  await expectDelivered(stage);
};

/** The chat is created and its answer lost; before the next attempt something happens to it. */
async function lostCreation(stage: Stage, meanwhile: (chatId: string) => Promise<unknown>): Promise<void> {
  await openNewChat(stage);
  await intercept(stage, "POST", paths.chats, async (route) => {
    const created = await fetchOn(route);
    const { item } = await created.json();
    await meanwhile(item.id);
    await route.abort("connectionreset");
  });
  await sendAndSee(stage, () => connectionLost(stage));
  await stage.page.clock.fastForward(2_000);
  await expectDelivered(stage);
  await expect(stage.chat.panel.getByRole("status")).toContainText([/a new conversation was started/i]);
}

export const idempotencyKeyExpired: Journey = (stage) =>
  lostCreation(stage, () => stage.lab.advance(31 * 24 * 60 * 60));

export const idempotencyResourceGone: Journey = (stage) =>
  lostCreation(stage, (chatId) => stage.lab.deleteChat(chatId));

/** Three chats in a minute are enough: the shop's own limit. A new session stands for the minute that is over. */
export const rateLimited: Journey = async (stage) => {
  const { chat, context, page } = stage;
  await openNewChat(stage);
  await page.evaluate(startSession, null);
  await page.evaluate(async () => {
    const create = () =>
      fetch("/api/chats", {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "X-Chat-Client": "1",
          "Idempotency-Key": crypto.randomUUID(),
        },
        body: "{}",
      });
    await Promise.all([create(), create(), create()]);
  });
  await chat.send(text);
  await expect(chat.panel.locator("[data-delivery=waiting]")).toContainText(/next try in \d+ seconds/i);
  await page.clock.fastForward(61_000);
  const note = await expectNote(stage, "rate_limited", /a lot at once/i);
  await expectKept(stage);
  await context.clearCookies();
  await page.evaluate(startSession, null);
  await press(stage, note, "Try again", 61);
  await expectDelivered(stage);
};

/** Too many turns at once, in the whole channel. */
export const capacityLimited: Journey = async (stage) => {
  const { chat, lab, page } = stage;
  await openNewChat(stage);
  await lab.addFault({
    operation: "createChat",
    fault: "error",
    code: "capacity_limited",
    milliseconds: 30_000,
    times: 4,
  });
  let refused = page.waitForResponse(paths.chats);
  await chat.send(text);
  for (let tries = 0; tries < 3; tries += 1) {
    await refused;
    await expect(chat.panel.locator("[data-delivery=waiting]")).toContainText(/very busy/i);
    refused = page.waitForResponse(paths.chats);
    await page.clock.fastForward(55_000);
  }
  await refused;
  const note = await expectNote(stage, "capacity_limited", /very busy/i);
  await expectKept(stage);
  await press(stage, note, "Try again", 55);
  await expectDelivered(stage);
};

/** The shop's plan is used up. */
export const chatLimitReached: Journey = async (stage) => {
  await openNewChat(stage);
  await stage.lab.changeLimits({ chatsPerChannel: 0 });
  await stage.chat.send(text);
  const note = await expectNote(stage, "chat_limit_reached", /no new chats/i);
  await expect(note.getByRole("link", { name: "+44 1632 960101" })).toBeVisible();
  await expectKept(stage);
  await stage.lab.changeLimits({ chatsPerChannel: null });
  await press(stage, note, "Try again", 60 * 60);
  await expectDelivered(stage);
};

/** Without cookies there is no session, however often one is started. */
export const sessionRequired: Journey = async (stage) => {
  const { chat, context, page } = stage;
  await openNewChat(stage);
  await page.route(paths.chats, async (route) => {
    await context.clearCookies();
    // In Firefox they are on the request already, and stay on it.
    const { cookie: _, ...headers } = route.request().headers();
    await route.fulfill({ response: await fetchOn(route, { headers }) });
  });
  await chat.send(text);
  const note = await expectNote(stage, "session_required", /cookies/i);
  await expectKept(stage);
  await page.unroute(paths.chats);
  await press(stage, note, "Try again");
  await expectDelivered(stage);
};

/** A page from before a change of the shop's own rules. */
export const requestNotAllowed: Journey = async (stage) => {
  await openChat(stage);
  await intercept(stage, "POST", paths.messages, (route, request) => {
    const { "x-chat-client": _, ...headers } = request.headers();
    return route.continue({ headers });
  });
  await stage.chat.send(text);
  const note = await expectNote(stage, "request_not_allowed", /out of date/i);
  await expectKept(stage);
  await press(stage, note, "Reload the page");
  await expectDelivered(stage);
};
