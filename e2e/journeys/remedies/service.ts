/** Codes that the service or its operator is at fault for. */
import type { Fault } from "../../../scripts/demo-seed/lab.ts";
import {
  expect,
  expectDelivered,
  expectKept,
  expectNote,
  type Journey,
  openChat,
  openNewChat,
  press,
  type Stage,
  text,
} from "./stage.ts";

/** Longer than the shop's server waits by itself, so that the customer hears of it at once. */
const longWait = 8_000;
/** With the jitter that the shop's server adds. */
const longWaitSeconds = 15;

async function unavailable(
  stage: Stage,
  begin: () => Promise<unknown>,
  end: () => Promise<unknown>,
): Promise<void> {
  await openChat(stage);
  await begin();
  await stage.chat.send(text);
  const note = await expectNote(stage, "chat_unavailable", /not available right now/i);
  await expect(note.getByRole("link", { name: "+44 1632 960101" })).toBeVisible();
  await expect(note).not.toContainText(/suspend|publish|key|origin/i);
  await expectKept(stage);
  // What is typed meanwhile stays, and does not go anywhere.
  await stage.chat.composer.fill("Typed meanwhile");
  const send = stage.chat.sendButton;
  await expect(send).toHaveAttribute("aria-disabled", "true");
  await end();
  await press(stage, note, "Try again", 60);
  await expectDelivered(stage);
  await expect(stage.chat.composer).toHaveValue("Typed meanwhile");
  await expect(send).toHaveAttribute("aria-disabled", "false");
}

const refusedWith =
  (code: NonNullable<Fault["code"]>): Journey =>
  (stage) =>
    unavailable(
      stage,
      () => stage.lab.addFault({ operation: "sendMessage", fault: "error", code }),
      () => stage.lab.clearFaults(),
    );

export const originNotAllowed: Journey = refusedWith("origin_not_allowed");
/** As a wrong base address would give. */
export const notFound: Journey = refusedWith("not_found");

export const channelDisabled: Journey = (stage) =>
  unavailable(
    stage,
    () => stage.lab.changeChannel({ published: false }),
    () => stage.lab.changeChannel({ published: true }),
  );

export const workspaceSuspended: Journey = (stage) =>
  unavailable(
    stage,
    () => stage.lab.changeChannel({ suspended: true }),
    () => stage.lab.changeChannel({ suspended: false }),
  );

/** The key was replaced. The operator gives the shop the right one and starts it again, as its log says. */
export const invalidApiKey: Journey = (stage) =>
  unavailable(
    stage,
    () => stage.lab.rotateChatKey("ck_a_new_key_that_the_shop_does_not_have"),
    async () => {
      await stage.lab.rotateChatKey(stage.world.chatKey);
      await stage.world.killShop("SIGTERM");
      await stage.world.startShop();
    },
  );

/** The chat is opened while nothing works. */
export const chatUnavailable: Journey = async (stage) => {
  const { chat, lab, page } = stage;
  await openChat(stage);
  await chat.composer.fill(text);
  await lab.changeChannel({ suspended: true });
  await page.reload();
  const note = await expectNote(stage, "chat_unavailable", /not available right now/i);
  await expect(note.getByRole("link", { name: "+44 1632 960101" })).toBeVisible();
  await lab.changeChannel({ suspended: false });
  await press(stage, note, "Try again", 60);
  await expect(chat.lastReply()).toContainText("How can I help?");
  await expect(chat.composer).toHaveValue(text);
  await chat.sendButton.click();
  await expectDelivered(stage);
};

export const internalError: Journey = async (stage) => {
  await openChat(stage);
  await stage.lab.addFault({
    operation: "sendMessage",
    fault: "error",
    code: "internal_error",
    milliseconds: longWait,
  });
  await stage.chat.send(text);
  const note = await expectNote(stage, "internal_error", /wrong on our side/i);
  await expectKept(stage);
  await press(stage, note, "Try again", longWaitSeconds);
  await expectDelivered(stage);
};

/** Away for more than the two minutes for which the chat tries by itself. */
export const serviceUnavailable: Journey = async (stage) => {
  const { chat, lab, page } = stage;
  await openChat(stage);
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
  const note = await expectNote(stage, "service_unavailable", /cannot be reached/i);
  await expectKept(stage);
  await lab.clearFaults();
  await press(stage, note, "Try again", longWaitSeconds);
  await expectDelivered(stage);
};

/** Connections break before an answer, as often as the shop's server tries. */
export const upstreamUnreachable: Journey = async (stage) => {
  await openNewChat(stage);
  await stage.lab.addFault({ operation: "createChat", fault: "drop", at: "request", times: 4 });
  await stage.chat.send(text);
  const note = await expectNote(stage, "upstream_unreachable", /wrong on our side/i);
  await expectKept(stage);
  await press(stage, note, "Try again", 3);
  await expectDelivered(stage);
};
