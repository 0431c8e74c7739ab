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

/** Timetables of the team have the form of `PUT /team/hours`. */
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
type Week = Partial<Record<(typeof days)[number], [string, string][]>>;

interface Hours {
  timeZone: string;
  weekly: Week;
}

export const alwaysOpen: Hours = {
  timeZone: "Asia/Kolkata",
  weekly: Object.fromEntries(days.map((day) => [day, [["00:00", "24:00"]]])),
};

/** India has no summer time and an offset of half an hour. */
const kolkataOffset = 5.5 * 60 * 60 * 1000;
const day = 24 * 60 * 60 * 1000;

/** Closed today and tomorrow; open the day after from 09:15 local time. */
export function closedUntil(now: Date): { hours: Hours; opensAt: Date } {
  const localMidnight = Math.floor((now.getTime() + kolkataOffset) / day) * day;
  const openingDay = new Date(localMidnight + 2 * day);
  const weekday = days[openingDay.getUTCDay()] ?? "mon";
  return {
    hours: { timeZone: "Asia/Kolkata", weekly: { [weekday]: [["09:15", "17:00"]] } },
    opensAt: new Date(openingDay.getTime() + (9 * 60 + 15) * 60 * 1000 - kolkataOffset),
  };
}
