/** Client of the channel's `/lab` and `/team`, for programs with the team key. */
import type { z } from "zod";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { ErrorCode } from "#lib/chat-api/errors.ts";
import type { Message } from "#lib/chat-api/message.ts";
import type { OperationName } from "#lib/chat-api/operations.ts";
import type { EditBody, FormBody } from "../team/team-requests.ts";
import type {
  FaultBody,
  ImportBody,
  ImportedMessage as ImportedMessageBody,
  LimitsBody,
  ScriptedReply as ReplyBody,
  RequestsQuery,
  WaitQuery,
} from "./lab-requests.ts";

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;
type Sent<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>;

/** A form as the team and the lab request it. */
export type Form = Sent<typeof FormBody>;

/** A script for the agent's next reply. */
export type ScriptedReply = Sent<typeof ReplyBody>;

export type Cards = Pick<ScriptedReply, "citations" | "products" | "orders" | "choices">;

/** A fault for the next `times` matching operations. */
export type Fault = Sent<typeof FaultBody>;

/** Null restores the default. */
export type LimitChanges = Sent<typeof LimitsBody>;

export type ImportedMessage = Sent<typeof ImportedMessageBody>;

/** An import with an existing ID changes nothing. */
export type ImportedChat = Sent<typeof ImportBody>;

export type DetailEdit = Sent<typeof EditBody>["values"][number];

/** A chat in the format of the import. */
export type ExportedChat = ImportedChat & { id: string };

/** A separate channel in the same process. */
export interface LabChannel extends AsyncDisposable {
  /** Its address: `/v1/channels/{channelKey}` is below it. */
  url: string;
  /** The page that shows its chats, requests, faults and notices. */
  console: string;
  channelKey: string;
  chatKey: string;
  teamKey: string;
  /** The chats of its seed. */
  chats: readonly Chat[];
  lab: Lab;
  drop(): Promise<void>;
}

export interface ListedChannel {
  channelKey: string;
  chatKey: string;
  teamKey: string;
  /** Null before its first request to this process. */
  lastRequestAt: string | null;
}

export type WaitedFor = z.input<typeof WaitQuery>["until"];

/** `since` is ISO 8601, of this machine's clock. */
export type RequestFilter = Omit<Sent<typeof RequestsQuery>, "status" | "limit" | "exchanges"> & {
  status?: number;
  limit?: number;
};

/** A request to the Chat API and its response. Keys are masked. */
export interface RecordedRequest {
  requestId: string;
  method: string;
  path: string;
  url: string;
  operation?: OperationName;
  chatId?: string;
  /** Null, as `milliseconds`, until the response begins. */
  status: number | null;
  code?: ErrorCode;
  isReplay: boolean;
  /** The lab's fault that the request met. */
  fault?: Fault["fault"];
  seenAt: string;
  milliseconds: number | null;
  request: { headers: Record<string, string>; body: string };
  response: { headers: Record<string, string>; body: string };
  /** The request as a command, which expects the key in `CHAT_KEY`. */
  curl: string;
}

/** A notice that the channel has delivered to the team. */
export interface DeliveredNotice {
  id: string;
  kind: string;
  chatId: string;
  /** The `data` of the signed request to `CHANNEL_NOTICE_URL`. */
  payload: unknown;
  createdAt: string;
  deliveredAt: string;
}

/** The team's availability at the channel's time. */
export interface Availability {
  now: string;
  /** The team's timetable in the format of `/team/hours`; null for none. */
  hours: object | null;
  requiresEmail: boolean;
  nextAvailableAt: string | null;
  timezone: string | null;
}

/** An error response of `/lab` or `/team`. */
export class LabError extends Error {
  readonly status: number;

  constructor(status: number, what: string) {
    super(what);
    this.name = "LabError";
    this.status = status;
  }
}

export class Lab {
  readonly #channel: { channelUrl: string; teamKey: string };
  readonly #fetch: (request: Request) => Promise<Response>;

  /** `fetch` replaces the network, for a channel in the same process. */
  constructor(
    channel: { channelUrl: string; teamKey: string },
    fetch: (request: Request) => Promise<Response> = globalThis.fetch,
  ) {
    this.#channel = channel;
    this.#fetch = fetch;
  }

  /** @throws LabError; TypeError when no channel answers */
  async #ask<T>(method: string, path: string, body?: object, headers: HeadersInit = {}): Promise<T> {
    const { channelUrl, teamKey } = this.#channel;
    const request = new Request(`${channelUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${teamKey}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await this.#fetch(request);
    const text = await response.text();
    if (!response.ok) throw new LabError(response.status, `${method} ${path}: ${response.status} ${text}`);
    // The response comes from our own channel, on a route that this class chooses.
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  async #item<T>(method: string, path: string, body?: object): Promise<T> {
    const { item } = await this.#ask<{ item: T }>(method, path, body);
    return item;
  }

  /** The channel's time. */
  async now(): Promise<Date> {
    const { now } = await this.#item<{ now: string }>("GET", "/lab");
    return new Date(now);
  }

  async advance(seconds: number): Promise<Date> {
    const { now } = await this.#ask<{ now: string }>("POST", "/lab/clock", { advanceSeconds: seconds });
    return new Date(now);
  }

  changeChannel(state: { published?: boolean; suspended?: boolean }): Promise<void> {
    return this.#ask("POST", "/lab/channel", state);
  }

  changeLimits(limits: LimitChanges): Promise<void> {
    return this.#ask("POST", "/lab/limits", limits);
  }

  /** Returns the channel to its start: the seed's chats, no faults, the clock at the present. */
  async reset(): Promise<void> {
    await this.#ask("POST", "/lab/reset", {});
  }

  /**
   * Resolves with the chat once the state is reached; rejects after `timeout` seconds. `message`: one after
   * the message `after`, by default after this call. `turn_done` with `after`: a turn that follows it.
   */
  wait(chatId: string, until: WaitedFor, options: { after?: string; timeout?: number } = {}): Promise<Chat> {
    return this.#item("GET", `/lab/wait?${parametersOf({ chatId, until, ...options })}`);
  }

  /** The latest Chat API requests of the channel, newest first. */
  async requests(filter: RequestFilter = {}): Promise<readonly RecordedRequest[]> {
    const path = `/lab/requests?${parametersOf({ ...filter })}`;
    return (await this.#ask<{ items: readonly RecordedRequest[] }>("GET", path)).items;
  }

  /** Notices to the team, newest first: `wait(chatId, "notice")` waits for it. */
  async notices(chatId?: string): Promise<readonly DeliveredNotice[]> {
    const path = `/lab/notices?${parametersOf({ chatId })}`;
    return (await this.#ask<{ items: readonly DeliveredNotice[] }>("GET", path)).items;
  }

  /** Creates a channel with its own keys, clock, faults, limits, scripts and chats. */
  async createChannel(seed?: { chats: readonly ImportedChat[] }): Promise<LabChannel> {
    const created = await this.#item<Omit<LabChannel, "url" | "console" | "lab">>("POST", "/lab/channels", {
      seed,
    });
    const url = this.#channel.channelUrl;
    const drop = () => this.dropChannel(created.channelKey);
    const lab = new Lab({ channelUrl: url, teamKey: created.teamKey }, this.#fetch);
    const console = `${url}/console?channel=${created.channelKey}`;
    return { ...created, url, console, lab, drop, [Symbol.asyncDispose]: drop };
  }

  /** The channels that the lab has created. */
  async channels(): Promise<readonly ListedChannel[]> {
    return (await this.#ask<{ items: readonly ListedChannel[] }>("GET", "/lab/channels")).items;
  }

  dropChannel(channelKey: string): Promise<void> {
    return this.#ask("DELETE", `/lab/channels/${channelKey}`);
  }

  /** All chats of the channel, as a seed. */
  exportChats(): Promise<{ chats: readonly ExportedChat[] }> {
    return this.#ask("GET", "/lab/chats");
  }

  async importChats(seed: { chats: readonly ImportedChat[] }): Promise<readonly Chat[]> {
    return (await this.#ask<{ items: readonly Chat[] }>("PUT", "/lab/chats", seed)).items;
  }

  /** Removes faults and scripted replies, and resets the channel's state and its limits. */
  async resetSwitches(limits: LimitChanges = {}): Promise<void> {
    await this.clearFaults();
    await this.clearReplies();
    await this.changeChannel({ published: true, suspended: false });
    await this.#ask("DELETE", "/lab/limits");
    await this.changeLimits(limits);
  }

  addFault(fault: Fault): Promise<void> {
    return this.#ask("POST", "/lab/faults", fault);
  }

  clearFaults(): Promise<void> {
    return this.#ask("DELETE", "/lab/faults");
  }

  /** Scripts the next reply of one chat, or the next one of any chat. */
  reply(reply: ScriptedReply, chatId?: string): Promise<void> {
    return this.#ask("POST", "/lab/reply", { reply, chatId });
  }

  /** Lets the agent continue this chat's paused reply: to its end, or until it has `holdsAfter` deltas. */
  continueReply(chatId: string, holdsAfter?: number): Promise<void> {
    return this.#ask("POST", "/lab/reply/continue", { chatId, holdsAfter });
  }

  /** Deletes scripted replies that no turn has used. */
  clearReplies(): Promise<void> {
    return this.#ask("DELETE", "/lab/reply");
  }

  async importChat(chat: ImportedChat): Promise<Chat> {
    const [imported] = await this.importChats({ chats: [chat] });
    // One chat in, one chat out.
    return imported as Chat;
  }

  deleteChat(chatId: string): Promise<void> {
    return this.#ask("DELETE", `/team/chats/${chatId}`);
  }

  setFileReady(fileId: string, ready: boolean): Promise<void> {
    return this.#ask("POST", `/lab/files/${fileId}`, { ready });
  }

  expireCursors(): Promise<void> {
    return this.#ask("POST", "/lab/cursors/expire", {});
  }

  /** Replaces the channel's chat key. */
  rotateChatKey(chatKey: string): Promise<void> {
    return this.#ask("POST", "/lab/chat-key", { chatKey });
  }

  claim(chatId: string, name: string): Promise<Chat> {
    return this.#item("POST", `/team/chats/${chatId}/claim`, { name, takesOver: true });
  }

  /** Posts a teammate's message, once for each key. */
  async postMessage(chatId: string, text: string, idempotencyKey?: string): Promise<Message> {
    const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    const path = `/team/chats/${chatId}/messages`;
    const { item } = await this.#ask<{ item: Message }>("POST", path, { text }, headers);
    return item;
  }

  /** Opens a form in the name of the chat's teammate. */
  askForDetails(chatId: string, form: Form): Promise<Message> {
    return this.#item("POST", `/team/chats/${chatId}/form`, { form });
  }

  editDetails(chatId: string, values: readonly DetailEdit[]): Promise<void> {
    return this.#ask("POST", `/team/chats/${chatId}/details`, { values });
  }

  /** Returns the chat to the agent. */
  release(chatId: string): Promise<Chat> {
    return this.#item("POST", `/team/chats/${chatId}/release`, {});
  }

  resolve(chatId: string): Promise<Chat> {
    return this.#item("POST", `/team/chats/${chatId}/resolve`, {});
  }

  failHandoff(chatId: string): Promise<Chat> {
    return this.#item("POST", `/team/chats/${chatId}/fail`, {});
  }

  /**
   * The team's timetable in the format of `/team/hours`; null for none, so that the team is always available.
   */
  setHours(hours: object | null): Promise<Availability> {
    return hours === null ? this.#item("DELETE", "/team/hours") : this.#item("PUT", "/team/hours", hours);
  }

  readAvailability(): Promise<Availability> {
    return this.#item("GET", "/team/hours");
  }
}

function parametersOf(values: Record<string, string | number | undefined>): URLSearchParams {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}
