/** Remedies for errors caused by the service or its operator. */
import {
  expect,
  expectDelivered,
  expectKept,
  expectNote,
  fastForwardUntil,
  type Journey,
  openChat,
  openNewChat,
  press,
  text,
} from "./remedy-test.ts";

/** A `Retry-After` longer than the BFF itself waits, so that the customer sees the error at once. */
const longWait = 8_000;
/** Seconds after which a countdown of `longWait` and the BFF's jitter has ended. */
const longWaitSeconds = 15;

/**
 * The chat key was rotated. The operator restarts the shop with the right one, as its log advises. Text typed
 * meanwhile stays in the composer and is not sent.
 */
export const invalidApiKey: Journey = async (fixtures) => {
  const { chat, environment, lab } = fixtures;
  await openChat(fixtures);
  await lab.rotateChatKey("ck_a_new_key_that_the_shop_does_not_have");
  await chat.send(text);
  const note = await expectNote(fixtures, "chat_unavailable", /not available right now/i);
  await expect(note.getByRole("link", { name: "+44 1632 960101" })).toBeVisible();
  await expect(note).not.toContainText(/suspend|publish|key|origin/i);
  await expectKept(fixtures);
  await chat.composer.fill("Typed meanwhile");
  await expect(chat.sendButton).toHaveAttribute("aria-disabled", "true");
  await lab.rotateChatKey(environment.chatKey);
  await environment.killShop("SIGTERM");
  await environment.startShop();
  await press(fixtures, note, "Try again", 60);
  await expectDelivered(fixtures);
  await expect(chat.composer).toHaveValue("Typed meanwhile");
  await expect(chat.sendButton).toHaveAttribute("aria-disabled", "false");
};

/** The chat is opened while the service is down. */
export const chatUnavailable: Journey = async (fixtures) => {
  const { chat, lab, page } = fixtures;
  await openChat(fixtures);
  await chat.composer.fill(text);
  await lab.changeChannel({ suspended: true });
  await page.reload();
  const note = await expectNote(fixtures, "chat_unavailable", /not available right now/i);
  await expect(note.getByRole("link", { name: "+44 1632 960101" })).toBeVisible();
  await expect(note).toContainText(/trying again in \d+\ss/i);
  await lab.changeChannel({ suspended: false });
  await page.clock.fastForward(61_000);
  await expect(chat.lastReply()).toContainText("How can I help?");
  await expect(chat.composer).toHaveValue(text);
  await chat.sendButton.click();
  await expectDelivered(fixtures);
};

export const internalError: Journey = async (fixtures) => {
  await openChat(fixtures);
  await fixtures.lab.addFault({
    operation: "sendMessage",
    fault: "error",
    code: "internal_error",
    milliseconds: longWait,
    times: 3,
  });
  await fixtures.chat.send(text);
  await expect(fixtures.chat.panel.locator("[data-delivery=waiting]")).toBeVisible();
  await fastForwardUntil(fixtures, fixtures.chat.panel.locator("[data-code]"), longWaitSeconds * 1_000);
  const note = await expectNote(fixtures, "internal_error", /could not find this message/i);
  await expectKept(fixtures);
  await press(fixtures, note, "Try again");
  await expectDelivered(fixtures);
};

/** The outage is longer than the two minutes of automatic retries. */
export const serviceUnavailable: Journey = async (fixtures) => {
  const { chat, lab, page } = fixtures;
  await openChat(fixtures);
  await lab.addFault({
    operation: "sendMessage",
    fault: "error",
    code: "service_unavailable",
    milliseconds: longWait,
    times: 3,
  });
  await chat.send(text);
  await expect(chat.panel.locator("[data-delivery=waiting]")).toContainText(/reconnecting/i);
  await page.clock.fastForward(125_000);
  await fastForwardUntil(fixtures, chat.panel.locator("[data-code]"), 2_000);
  const note = await expectNote(fixtures, "service_unavailable", /cannot be reached/i);
  await expectKept(fixtures);
  await lab.clearFaults();
  await press(fixtures, note, "Try again", longWaitSeconds);
  await expectDelivered(fixtures);
};

/** Every attempt of the BFF loses its connection, so the page retries by itself. */
export const upstreamUnreachable: Journey = async (fixtures) => {
  await openNewChat(fixtures);
  await fixtures.lab.addFault({ operation: "createChat", fault: "drop", at: "request", times: 20 });
  await fixtures.chat.send(text);
  await expect(fixtures.chat.panel.locator("[data-delivery=waiting]")).toContainText(/connection lost/i);
  await fixtures.lab.clearFaults();
  await fastForwardUntil(fixtures, fixtures.chat.messages("agent"), 3_000);
  await expectDelivered(fixtures);
  await expect(fixtures.chat.panel.locator("[data-code]")).toHaveCount(0);
};
