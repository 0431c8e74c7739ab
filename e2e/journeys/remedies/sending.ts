/** Remedies for sending errors caused by the customer, the network or an outdated page. */
import { responseTo } from "../../support/chat-page.ts";
import { startGuestSession } from "../../support/sign-in.ts";
import {
  changeUnnoticed,
  expect,
  expectDelivered,
  expectEnd,
  expectKept,
  expectNote,
  fastForwardUntil,
  intercept,
  type Journey,
  newKey,
  openChat,
  openNewChat,
  paths,
  press,
  type RemedyFixtures,
  sendAndCheck,
  sendDraftInNewChat,
  text,
} from "./remedy-test.ts";

/** The BFF does not forward a browser's `Last-Event-ID`, which the Chat API would refuse. */
export const unsupportedResume: Journey = async (fixtures) => {
  await openChat(fixtures);
  await intercept(fixtures, "POST", paths.messages, (route, request) =>
    route.continue({ headers: { ...request.headers(), "last-event-id": "7" } }),
  );
  await fixtures.chat.send(text);
  await expectDelivered(fixtures);
};

const connectionLost = ({ chat }: RemedyFixtures) =>
  expect(chat.panel.locator("[data-delivery=waiting]")).toContainText(/connection lost/i);

/** The first attempt's response is lost, and its key was used for another text. */
export const idempotencyConflict: Journey = async (fixtures) => {
  await openChat(fixtures);
  await intercept(fixtures, "POST", paths.messages, async (route) => {
    await responseTo(route, { postData: JSON.stringify({ text: "Another text" }) });
    await route.abort("connectionreset");
  });
  await sendAndCheck(fixtures, () => connectionLost(fixtures));
  await fixtures.page.clock.fastForward(2_000);
  const note = await expectNote(fixtures, "idempotency_conflict", /could not find this message/i);
  await expectKept(fixtures);
  await press(fixtures, note, "Try again");
  await expectDelivered(fixtures);
};

/** Another device has a turn in progress. */
export const turnInProgress: Journey = async (fixtures) => {
  const { chat, client, lab, page } = fixtures;
  const chatId = await openChat(fixtures);
  await lab.reply({ text: "Slow", deltas: ["Sl", "ow"], holdsAfter: 1 }, chatId);
  const started = Promise.withResolvers<void>();
  const reading = client
    .streamMessage(chatId, { text: "Asked elsewhere" }, { idempotencyKey: newKey() })
    .read(() => started.resolve());
  const superseded = expect(reading).rejects.toMatchObject({ code: "operation_superseded" });
  await started.promise;
  await chat.send(text);
  await expect(chat.panel.locator("[data-delivery=waiting]")).toContainText(/answer in progress/i);
  await page.clock.fastForward(125_000);
  await fastForwardUntil(fixtures, chat.panel.locator("[data-code=turn_in_progress]"), 2_000);
  const note = await expectNote(fixtures, "turn_in_progress", /another answer is still being written/i);
  await expectKept(fixtures);
  // Ends the slow turn and returns the chat to the agent.
  await lab.claim(chatId, "Zoë");
  await lab.release(chatId);
  await superseded;
  await press(fixtures, note, "Try again", 3);
  await expectDelivered(fixtures);
};

/** The agent fails in the middle of its reply, in every attempt. */
export const operationInterrupted: Journey = async (fixtures) => {
  const chatId = await openChat(fixtures);
  await fixtures.lab.reply({ text: "I begin and", fails: true }, chatId);
  await fixtures.chat.send(text);
  const { panel } = fixtures.chat;
  await expect(panel.locator("[data-delivery=unsure]")).toContainText(/not sure the answer got through/i);
  await expect(fixtures.chat.messages("visitor").filter({ hasText: text })).toHaveCount(1);
  await expect(fixtures.chat.lastReply()).toContainText("I begin and");
  await fastForwardUntil(fixtures, panel.locator("[data-code]"));
  const note = await expectNote(fixtures, "operation_interrupted", /the answer broke off/i);
  await expect(fixtures.chat.messages("visitor").filter({ hasText: text })).toHaveCount(1);
  await fixtures.lab.reply({ text: "This time I finish." }, chatId);
  await press(fixtures, note, "Ask again");
  await fixtures.chat.settled();
  await expect(fixtures.chat.lastReply()).toContainText("This time I finish.");
  await expect(fixtures.chat.panel.locator("[data-code]")).toHaveCount(0);
};

/** A teammate takes the chat over during the agent's reply: the message stays, and a person answers. */
export const operationSuperseded: Journey = async (fixtures) => {
  const { chat, lab, page } = fixtures;
  const chatId = await openChat(fixtures);
  await lab.reply({ text: "Well then", holdsAfter: 0 }, chatId);
  await chat.send(text);
  await expect(chat.unfinishedReply).toBeVisible();
  await lab.claim(chatId, "Zoë");
  await expect(chat.panel.getByRole("heading", { level: 2 })).toContainText("Zoë");
  await expectDelivered(fixtures, { answers: 0 });
  await expectNote(fixtures, "operation_superseded", /team took over/i);
  await lab.postMessage(chatId, "Hello, Zoë here.");
  await page.clock.fastForward(3_000);
  await expect(chat.messages("teammate")).toHaveCount(1);
  await expect(chat.panel.locator("[data-code]")).toHaveCount(0);
};

export const operationCapacityReached: Journey = async (fixtures) => {
  await openChat(fixtures);
  await fixtures.lab.changeLimits({ operationsPerChat: 0 });
  await fixtures.chat.send(text);
  const end = await expectEnd(fixtures, "operation_capacity_reached", /full/i);
  await fixtures.lab.changeLimits({ operationsPerChat: null });
  await press(fixtures, end, "New chat");
  await sendDraftInNewChat(fixtures);
  await expectDelivered(fixtures);
};

export const chatClosed: Journey = async (fixtures) => {
  const chatId = await openChat(fixtures);
  await fixtures.chat.composer.fill(text);
  await changeUnnoticed(
    fixtures,
    () => fixtures.lab.resolve(chatId),
    () => fixtures.chat.sendButton.click(),
  );
  const end = await expectEnd(fixtures, "chat_closed", /this chat is closed/i);
  await press(fixtures, end, "New chat");
  await sendDraftInNewChat(fixtures);
  await expectDelivered(fixtures);
};

export const chatNotFound: Journey = async (fixtures) => {
  const chatId = await openChat(fixtures);
  await fixtures.chat.composer.fill(text);
  await changeUnnoticed(
    fixtures,
    () => fixtures.lab.deleteChat(chatId),
    () => fixtures.chat.sendButton.click(),
  );
  const end = await expectEnd(fixtures, "chat_not_found", /no longer available/i);
  await press(fixtures, end, "New chat");
  await sendDraftInNewChat(fixtures);
  await expectDelivered(fixtures);
};

/** The chat is created but the response is lost, and the chat changes before the next attempt. */
async function lostCreation(
  fixtures: RemedyFixtures,
  meanwhile: (chatId: string) => Promise<unknown>,
): Promise<void> {
  await openNewChat(fixtures);
  await intercept(fixtures, "POST", paths.chats, async (route) => {
    const created = await responseTo(route);
    const { item } = await created.json();
    await meanwhile(item.id);
    await route.abort("connectionreset");
  });
  await sendAndCheck(fixtures, () => connectionLost(fixtures));
  await fixtures.page.clock.fastForward(2_000);
  await expectDelivered(fixtures);
  await expect(fixtures.chat.panel.getByRole("status")).toContainText([
    /earlier chat is gone, so this is a new one/i,
  ]);
}

export const idempotencyKeyExpired: Journey = (fixtures) =>
  lostCreation(fixtures, () => fixtures.lab.advance(31 * 24 * 60 * 60));

export const idempotencyResourceGone: Journey = (fixtures) =>
  lostCreation(fixtures, (chatId) => fixtures.lab.deleteChat(chatId));

/**
 * Uses up the session's limit of new chats a minute. Only the page's clock is fast-forwarded, not the BFF's,
 * so the next attempt is made in a new session.
 */
export const rateLimited: Journey = async (fixtures) => {
  const { chat, context, page } = fixtures;
  const ownSession = page.waitForResponse(paths.session);
  await openNewChat(fixtures);
  await ownSession;
  await page.evaluate(async () => {
    const create = () =>
      fetch("/api/chat/chats", {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "X-Chat-Client": "1",
          "Idempotency-Key": crypto.randomUUID(),
        },
        body: "{}",
      });
    await Promise.all(Array.from({ length: 10 }, create));
  });
  await chat.send(text);
  const waiting = chat.panel.locator("[data-delivery=waiting]");
  await expect(waiting).toContainText(/starting your chat in \d+ seconds/i);
  // The customer's clock is set back.
  await page.clock.setSystemTime(await page.evaluate(() => Date.now() - 3 * 60 * 60 * 1_000));
  await page.clock.runFor(1_000);
  await expect(waiting).toContainText(/starting your chat in \d+ seconds/i);
  await page.clock.fastForward(61_000);
  const note = await expectNote(fixtures, "rate_limited", /sending too fast/i);
  await expectKept(fixtures);
  await context.clearCookies();
  await page.evaluate(startGuestSession);
  await press(fixtures, note, "Try again", 61);
  await expectDelivered(fixtures);
};

/** The whole channel has too many concurrent turns. */
export const capacityLimited: Journey = async (fixtures) => {
  const { chat, lab, page } = fixtures;
  await openNewChat(fixtures);
  await lab.addFault({
    operation: "createChat",
    fault: "error",
    code: "capacity_limited",
    milliseconds: 30_000,
    times: 4,
  });
  let refusal = page.waitForResponse(paths.chats);
  await chat.send(text);
  for (let tries = 0; tries < 3; tries += 1) {
    await refusal;
    await expect(chat.panel.locator("[data-delivery=waiting]")).toContainText(/very busy/i);
    refusal = page.waitForResponse(paths.chats);
    await page.clock.fastForward(55_000);
  }
  await refusal;
  const note = await expectNote(fixtures, "capacity_limited", /very busy/i);
  await expectKept(fixtures);
  await press(fixtures, note, "Try again", 55);
  await expectDelivered(fixtures);
};

/** The shop's plan has no chats left. */
export const chatLimitReached: Journey = async (fixtures) => {
  await openNewChat(fixtures);
  await fixtures.lab.changeLimits({ chatsPerChannel: 0 });
  await fixtures.chat.send(text);
  const note = await expectNote(fixtures, "chat_limit_reached", /can’t take more messages/i);
  await expect(note.getByRole("link", { name: "+44 1632 960101" })).toBeVisible();
  await expectKept(fixtures);
  await fixtures.lab.changeLimits({ chatsPerChannel: null });
  await press(fixtures, note, "Try again", 60 * 60);
  await expectDelivered(fixtures);
};

/** The browser keeps no cookies, so every request arrives without a session. */
export const sessionRequired: Journey = async (fixtures) => {
  const { chat, context, page } = fixtures;
  await openNewChat(fixtures);
  await page.route(paths.chats, async (route) => {
    await context.clearCookies();
    const { cookie: _, ...headers } = route.request().headers();
    await route.fulfill({ response: await responseTo(route, { headers }) });
  });
  await chat.send(text);
  const note = await expectNote(fixtures, "session_required", /cookies/i);
  await expectKept(fixtures);
  await page.unroute(paths.chats);
  await press(fixtures, note, "Try again");
  await expectDelivered(fixtures);
};
