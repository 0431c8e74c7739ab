/** The channel's test switches, `/lab` and `/team`, under the short names of the contract tests. */
import {
  type Cards,
  type DetailEdit,
  type Fault,
  Lab as LabClient,
  type LimitChanges,
  type ScriptedReply,
} from "../../../testing/lab/lab-client.ts";
import type { Api } from "./api.ts";
import type { Form } from "./forms.ts";
import type { Hours } from "./hours.ts";

/** Cards are loose: the tests check what the channel makes of them. */
type LooseCards = Omit<Cards, "citations" | "products" | "orders"> &
  Partial<Record<"citations" | "products" | "orders", readonly object[]>>;
type LooseReply = Omit<ScriptedReply, keyof Cards | "handoffOffer"> &
  LooseCards & { handoffOffer?: { details?: Form } };

/** More than these tests reach. */
const roomyRequestsPerMinute = 1_000_000;

export class Lab {
  readonly #client: LabClient;

  constructor(target: { base: URL }, teamKey: string) {
    this.#client = new LabClient({ baseUrl: target.base.origin, teamKey });
  }

  /** Moves the channel's clock and returns its time. */
  advance = (seconds: number) => this.#client.advance(seconds);
  now = () => this.#client.now();
  channel = (state: { published?: boolean; suspended?: boolean }) => this.#client.changeChannel(state);
  limits = (limits: LimitChanges) => this.#client.changeLimits(limits);
  fault = (fault: Fault) => this.#client.addFault(fault);
  deleteChat = (chatId: string) => this.#client.deleteChat(chatId);
  reply = (chatId: string, reply: LooseReply) => this.#client.reply(reply as ScriptedReply, chatId);
  /** Continues a held reply to its end. */
  continueReply = (chatId: string) => this.#client.continueReply(chatId);
  askForForm = (chatId: string, collection: Form) =>
    this.reply(chatId, { text: "Please fill this in.", collection });
  offerHandoff = (chatId: string, details?: Form) =>
    this.reply(chatId, {
      text: "Shall I pass you on?",
      handoffOffer: details === undefined ? {} : { details },
    });
  importChat: LabClient["importChat"] = (chat) => this.#client.importChat(chat);
  fileReady = (fileId: string, ready: boolean) => this.#client.setFileReady(fileId, ready);
  expireCursors = () => this.#client.expireCursors();
  /** Replaces the channel's chat key. */
  rotateChatKey = (chatKey: string) => this.#client.rotateChatKey(chatKey);
  editDetails = (chatId: string, values: readonly DetailEdit[]) => this.#client.editDetails(chatId, values);
  claim = (chatId: string, name: string) => this.#client.claim(chatId, name);
  teamMessage = (chatId: string, text: string) => this.#client.postMessage(chatId, text);
  release = (chatId: string) => this.#client.release(chatId);
  resolve = (chatId: string) => this.#client.resolve(chatId);
  failHandoff = (chatId: string) => this.#client.failHandoff(chatId);
  /** The team's timetable; null for none. */
  hours = (hours: Hours | null) => this.#client.setHours(hours);

  /** Resets every switch except the clock, which cannot go back. */
  async reset(): Promise<void> {
    await this.#client.clearFaults();
    await this.#client.clearReplies();
    await this.channel({ published: true, suspended: false });
    await this.limits({
      chatsPerChannel: null,
      operationsPerChat: null,
      concurrentTurns: null,
      requestsPerMinute: roomyRequestsPerMinute,
    });
  }
}

/** Starts a turn that stays unfinished until `end` is called. */
export async function runningTurn(api: Api, lab: Lab, chatId: string): Promise<{ end(): Promise<void> }> {
  await lab.reply(chatId, { text: "Slow.", deltas: ["Sl", "ow."], holdsAfter: 1 });
  const running = await api.stream(chatId, { text: "Slowly, please" });
  await running.until("start");
  return {
    async end() {
      await lab.continueReply(chatId);
      await running.all();
    },
  };
}
