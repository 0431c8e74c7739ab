/**
 * Refusals of a message whose notes differ in their text and button only. They follow one another in one
 * chat, each with its own message.
 */
import type { ErrorCode } from "#lib/chat-api/errors.ts";
import type { Fault } from "../../../channel/lab/lab-client.ts";
import {
  expect,
  expectDelivered,
  expectKept,
  expectNote,
  intercept,
  type Journey,
  openChat,
  paths,
  press,
  type RemedyFixtures,
  test,
  text,
} from "./remedy-test.ts";

interface Refusal {
  /** Causes the code for the next message. */
  cause: (fixtures: RemedyFixtures) => Promise<unknown>;
  /** Ends the cause, if it is not over after one message. */
  end?: (fixtures: RemedyFixtures) => Promise<unknown>;
  /** The code of the note, if the BFF replaces the service's. */
  shownAs?: ErrorCode;
  note: RegExp;
  button: "Try again" | "Edit";
  /** Seconds until the button may be pressed. */
  wait?: number;
}

/** Damages the page's next request. A header without a value is removed. */
function damaged(damage: {
  method?: string;
  headers?: Record<string, string | undefined>;
  postData?: string;
}): Refusal["cause"] {
  return (fixtures) =>
    intercept(fixtures, "POST", paths.messages, (route, request) => {
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries({ ...request.headers(), ...damage.headers }))
        if (value !== undefined) headers[name] = value;
      return route.continue({ ...damage, headers });
    });
}

const notSent = { note: /could not be sent/i, button: "Try again" } as const;

const unavailable = {
  shownAs: "chat_unavailable",
  note: /not available right now/i,
  button: "Try again",
  wait: 60,
} as const;

const refusedWith = (code: NonNullable<Fault["code"]>): Refusal => ({
  ...unavailable,
  cause: ({ lab }) => lab.addFault({ operation: "sendMessage", fault: "error", code }),
  end: ({ lab }) => lab.clearFaults(),
});

export const refusals = {
  invalid_json: { ...notSent, cause: damaged({ postData: "{" }) },
  unsupported_media_type: { ...notSent, cause: damaged({ headers: { "content-type": "text/plain" } }) },
  method_not_allowed: { ...notSent, cause: damaged({ method: "PUT" }) },
  unsupported_accept: { ...notSent, cause: damaged({ headers: { accept: "text/html" } }) },
  // A proxy drops the header by which the BFF recognises the shop's own pages.
  request_not_allowed: {
    cause: damaged({ headers: { "x-chat-client": undefined } }),
    note: /not available/i,
    button: "Try again",
  },
  invalid_request: {
    cause: damaged({ postData: JSON.stringify({ text: "a".repeat(4_001) }) }),
    note: /not accepted as it is/i,
    button: "Edit",
  },
  payload_too_large: {
    cause: damaged({ postData: JSON.stringify({ text: "a".repeat(33 * 1024) }) }),
    note: /too large/i,
    button: "Edit",
  },
  origin_not_allowed: refusedWith("origin_not_allowed"),
  // The error of a wrong base address.
  not_found: refusedWith("not_found"),
  channel_disabled: {
    ...unavailable,
    cause: ({ lab }) => lab.changeChannel({ published: false }),
    end: ({ lab }) => lab.changeChannel({ published: true }),
  },
  workspace_suspended: {
    ...unavailable,
    cause: ({ lab }) => lab.changeChannel({ suspended: true }),
    end: ({ lab }) => lab.changeChannel({ suspended: false }),
  },
} satisfies Partial<Record<ErrorCode, Refusal>>;

export type RefusalCode = keyof typeof refusals;

export const followRefusals: Journey = async (fixtures) => {
  const { chat } = fixtures;
  await openChat(fixtures);
  for (const [code, refusal] of Object.entries(refusals) as [RefusalCode, Refusal][]) {
    await test.step(code, async () => {
      const message = `${text}: ${code}`;
      await refusal.cause(fixtures);
      await chat.send(message);
      const note = await expectNote(fixtures, refusal.shownAs ?? code, refusal.note);
      await expectKept(fixtures, message);
      await refusal.end?.(fixtures);
      if (refusal.button === "Edit") {
        await note.getByText("Edit", { exact: true }).click();
        await expect(chat.composer).toHaveValue(message);
        await chat.sendButton.click();
      } else await press(fixtures, note, "Try again", refusal.wait);
      await expectDelivered(fixtures, { message });
    });
  }
};
