/** The channel's test switches, `/lab` and `/team`, for contract tests. */
import { type Cards, Lab as LabClient, type ScriptedReply } from "../../../channel/lab/lab-client.ts";
import type { Api } from "./api.ts";
import type { Form } from "./forms.ts";

/** A script whose cards may be malformed, because tests check how the channel handles them. */
type LooseReply = Omit<ScriptedReply, "citations" | "products" | "orders"> & {
  [Name in keyof Cards]?: readonly unknown[];
};

/** A rate limit that these tests never reach. */
const roomyRequestsPerMinute = 1_000_000;

export class Lab extends LabClient {
  script(chatId: string, reply: LooseReply): Promise<void> {
    return this.reply(reply as ScriptedReply, chatId);
  }

  askForForm(chatId: string, collection: Form): Promise<void> {
    return this.script(chatId, { text: "Please fill this in.", collection });
  }

  offerHandoff(chatId: string, details?: Form): Promise<void> {
    const handoffOffer = details === undefined ? true : { details };
    return this.script(chatId, { text: "Shall I pass you on?", handoffOffer });
  }

  override reset(): Promise<void> {
    return this.resetSwitches({ requestsPerMinute: roomyRequestsPerMinute });
  }
}

/** Starts a turn that stays unfinished until `end` is called. */
export async function runningTurn(api: Api, lab: Lab, chatId: string): Promise<{ end(): Promise<void> }> {
  await lab.script(chatId, { text: "Slow.", deltas: ["Sl", "ow."], holdsAfter: 1 });
  const running = await api.stream(chatId, { text: "Slowly, please" });
  await running.until("start");
  return {
    async end() {
      await lab.continueReply(chatId);
      await running.all();
    },
  };
}
