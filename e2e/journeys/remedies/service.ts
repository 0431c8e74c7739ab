/** Remedies for errors caused by the service or its operator. */
import type { Fault } from "../../../testing/lab/lab-client.ts";
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
  type RemedyFixtures,
  text,
} from "./remedy-test.ts";

/** A `Retry-After` longer than the BFF itself waits, so that the customer sees the error at once. */
const longWait = 8_000;
/** Seconds after which a countdown of `longWait` and the BFF's jitter has ended. */
const longWaitSeconds = 15;

async function unavailable(
  fixtures: RemedyFixtures,
  begin: () => Promise<unknown>,
  end: () => Promise<unknown>,
): Promise<void> {
  await openChat(fixtures);
  await begin();
  await fixtures.chat.send(text);
  const note = await expectNote(fixtures, "chat_unavailable", /not available right now/i);
  await expect(note.getByRole("link", { name: "+44 1632 960101" })).toBeVisible();
  await expect(note).not.toContainText(/suspend|publish|key|origin/i);
  await expectKept(fixtures);
  // Text typed meanwhile stays in the composer and is not sent.
  await fixtures.chat.composer.fill("Typed meanwhile");
  const send = fixtures.chat.sendButton;
  await expect(send).toHaveAttribute("aria-disabled", "true");
  await end();
  await press(fixtures, note, "Try again", 60);
  await expectDelivered(fixtures);
  await expect(fixtures.chat.composer).toHaveValue("Typed meanwhile");
  await expect(send).toHaveAttribute("aria-disabled", "false");
}

const refusedWith =
  (code: NonNullable<Fault["code"]>): Journey =>
  (fixtures) =>
    unavailable(
      fixtures,
      () => fixtures.lab.addFault({ operation: "sendMessage", fault: "error", code }),
      () => fixtures.lab.clearFaults(),
    );

export const originNotAllowed: Journey = refusedWith("origin_not_allowed");
/** The error of a wrong base address. */
export const notFound: Journey = refusedWith("not_found");

export const channelDisabled: Journey = (fixtures) =>
  unavailable(
    fixtures,
    () => fixtures.lab.changeChannel({ published: false }),
    () => fixtures.lab.changeChannel({ published: true }),
  );

export const workspaceSuspended: Journey = (fixtures) =>
  unavailable(
    fixtures,
    () => fixtures.lab.changeChannel({ suspended: true }),
    () => fixtures.lab.changeChannel({ suspended: false }),
  );

/** The chat key was rotated. The operator restarts the shop with the right one, as its log advises. */
export const invalidApiKey: Journey = (fixtures) =>
  unavailable(
    fixtures,
    () => fixtures.lab.rotateChatKey("ck_a_new_key_that_the_shop_does_not_have"),
    async () => {
      await fixtures.lab.rotateChatKey(fixtures.environment.chatKey);
      await fixtures.environment.killShop("SIGTERM");
      await fixtures.environment.startShop();
    },
  );

/** The chat is opened while the service is down. */
export const chatUnavailable: Journey = async (fixtures) => {
  const { chat, lab, page } = fixtures;
  await openChat(fixtures);
  await chat.composer.fill(text);
  await lab.changeChannel({ suspended: true });
  await page.reload();
  const note = await expectNote(fixtures, "chat_unavailable", /not available right now/i);
  await expect(note.getByRole("link", { name: "+44 1632 960101" })).toBeVisible();
  await expect(note).toContainText(/trying again in \d+ s/i);
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
  await fixtures.lab.addFault({ operation: "createChat", fault: "drop", at: "request", times: 4 });
  await fixtures.chat.send(text);
  await expect(fixtures.chat.panel.locator("[data-delivery=waiting]")).toContainText(/connection lost/i);
  await fastForwardUntil(fixtures, fixtures.chat.messages("agent"), 3_000);
  await expectDelivered(fixtures);
  await expect(fixtures.chat.panel.locator("[data-code]")).toHaveCount(0);
};
