/** The Chat API of an episode: the model of the specification, or the real channel (`real-channel.ts`). */

import { createModel, type Model, type StoredChat } from "./model.ts";
import type { Server } from "./network.ts";
import type { Random } from "./random.ts";
import { createActor, type Scheduler } from "./scheduler.ts";
import { channelKey, chatKey } from "./servers.ts";
import type { ThrownError, Violation } from "./world.ts";

export interface ChatApi
  extends Pick<Model, "notices" | "conflicts" | "switches" | "crash" | "expireCursors"> {
  readonly chats: ReadonlyMap<string, ChatFacts>;
  readonly team: Pick<Model["team"], "claim" | "write" | "release" | "fail" | "resolve" | "erase">;
  /** The processes that listen now. */
  servers(): readonly Server[];
  /** Called after each step, before the invariants are checked. */
  look(): Promise<void>;
  /** The promise that it has broken by itself, whatever the customers see. */
  readonly broken: Violation | null;
  /** Ends all faults. */
  heal(): void;
  /** The pages have closed. */
  end(): void;
}

/** The stored parts of a chat. */
export interface ChatFacts extends Pick<StoredChat, "chat"> {
  readonly messages: readonly StoredChat["messages"][number][];
  readonly files: ReadonlyMap<string, Pick<MapValue<StoredChat["files"]>, "file">>;
  /** The running turn; null if there is none. */
  readonly turn: unknown;
  readonly details: { readonly values: ReadonlyMap<string, MapValue<StoredChat["details"]["values"]>> };
}
type MapValue<M> = M extends Map<string, infer Value> ? Value : never;

export interface ChatApiDeps {
  scheduler: Scheduler;
  random: Random;
  /** How far its clocks are ahead, in milliseconds. */
  clockOffset: number;
  errors: ThrownError[];
}

/** Pages of one length, or of another one each time. */
function pageSizes(random: Random): () => number {
  const longest = random.pick([3, 3, 20, 50]);
  return random.chance(0.5) ? () => longest : () => random.between(Math.ceil(longest / 2), longest);
}

export type MakeChatApi = (deps: ChatApiDeps) => ChatApi;

export const modelOfChatApi: MakeChatApi = ({ scheduler, random, clockOffset }) => {
  const actor = createActor("Chat API", clockOffset);
  const model = createModel({
    channelKey,
    chatKey,
    now: () => Math.floor(scheduler.now() + clockOffset),
    sleep: (milliseconds) =>
      new Promise((resolve) => void scheduler.schedule(actor, milliseconds, "a pause of the agent", resolve)),
    pace: random.pick([1, 20, 300]),
    pageSize: pageSizes(random.fork("pages")),
  });
  const servers = [{ actor, handle: model.fetch }];
  const nothing = () => undefined;
  return {
    ...model,
    servers: () => servers,
    broken: null,
    look: async () => undefined,
    heal: nothing,
    end: nothing,
  };
};
