/** A page in a tab of a browser: the real engine on a simulated platform. */
import { defaultBasePath } from "#lib/chat-api/base-path.ts";
import type { Browser, BrowserEvent } from "#lib/engine/browser/browser.ts";
import type { ChatEngine } from "#lib/engine/chat.ts";
import { createChat } from "#lib/engine/create-chat.ts";
import { guestOwner } from "#lib/engine/identity/session.ts";
import type { ChatState } from "#lib/engine/state/state.ts";
import type { SimulatedBrowser } from "./browser.ts";
import { SimulatedChannel } from "./locks.ts";
import type { Line } from "./network.ts";
import { type Actor, createActor, type PageScheduler } from "./scheduler.ts";
import { createTabStorage, type PageStorage } from "./storage.ts";
import type { PageFacts, SentRequest, ThrownError } from "./world.ts";

export interface PageDeps {
  scheduler: PageScheduler;
  /** The origin of its page. */
  origin: string;
  /** Sends a page's request over the network. */
  send(
    page: SimulatedPage,
    address: string,
    init: RequestInit,
    told: Pick<Line, "onHead" | "onWhole">,
  ): Promise<Response>;
  requests: SentRequest[];
  errors: ThrownError[];
  /** The person with this tag, as the server has named them to any page. */
  personOf: Map<string, string>;
}

export interface PageOptions {
  name: string;
  browser: SimulatedBrowser;
  /** The tab's own storage. */
  tab: Map<string, string>;
  isVisible: boolean;
  replaces: PageFacts | null;
  locale: string;
  consent: string | null;
}

const frame = 16;

/** The host's functions fail each time, which stops nothing. */
const hostError = new Error("of the host");
function failingHost(): never {
  throw hostError;
}

export class SimulatedPage implements PageFacts {
  readonly actor: Actor;
  readonly chat: ChatEngine;
  readonly options: PageOptions;
  isVisible: boolean;
  /** True for a page that stays open and never runs again. */
  hangs = false;
  life: PageFacts["life"] = "open";
  told: string | null = null;
  namedAt: number | null = null;
  closedAt: number | null = null;
  closedState: ChatState | null = null;
  lateWrites = 0;
  readonly #deps: PageDeps;
  readonly #listeners = new Map<BrowserEvent, Set<() => void>>();
  /** Frames that wait until the page is visible. */
  readonly #frames = new Set<() => void>();
  #local: PageStorage;
  #before: Map<string, string | null> = new Map();
  readonly #storing = new Set<(name: string) => void>();
  #wasVisible = false;

  constructor(deps: PageDeps, options: PageOptions) {
    this.#deps = deps;
    this.options = options;
    this.isVisible = options.isVisible;
    this.actor = createActor(options.name, options.browser.clockOffset);
    this.#local = options.browser.storage.open(this.actor, () => this.#onWrite());
    this.#local.onEvent((name) => {
      if (this.life === "open") for (const listener of [...this.#storing]) listener(name);
    });
    deps.scheduler.become(this.actor);
    this.chat = createChat({
      api: defaultBasePath,
      locale: options.locale,
      consent: options.consent,
      onError: (error) => {
        if (error !== hostError) this.threw("onError", error);
      },
      onEvent: failingHost,
      browser: this.#platform(),
    });
    this.chat.subscribe(failingHost);
  }

  get replaces() {
    return this.options.replaces;
  }

  get browser() {
    return this.options.browser.facts;
  }

  state() {
    return this.chat.getState();
  }

  person(): string | null {
    const { owner } = this.chat.getState();
    if (owner === null) return null;
    return owner === guestOwner
      ? `guest of ${this.options.browser.name}`
      : (this.#deps.personOf.get(owner) ?? owner);
  }

  /** True while anything in it is to end by itself. */
  waits(): boolean {
    const { conversation, uploads, forms } = this.state();
    return (
      conversation.pending.some(({ delivery }) => delivery.state !== "refused") ||
      uploads.some(({ state }) => state.state === "uploading") ||
      [...forms.forms.values()].some(({ progress }) => progress.state === "sending") ||
      forms.offer.attempt?.state === "sending"
    );
  }

  threw(where: string, error: unknown): void {
    this.#deps.errors.push({ at: this.#deps.scheduler.now(), where: `${this.actor.name}: ${where}`, error });
  }

  #onWrite(): void {
    if (this.life === "closed") this.lateWrites += 1;
  }

  #platform(): Browser {
    const { browser } = this.options;
    const { scheduler } = this.#deps;
    const fetch = (address: string, init: RequestInit) => this.#fetch(address, init);
    return {
      fetch,
      fetchWithProgress: (onProgress) => (address, init) => {
        onProgress(1, 2);
        return fetch(address, init);
      },
      shrinkPicture: async (file) => file,
      local: this.#local,
      tab: createTabStorage(browser.storage, () => this.#onWrite(), this.options.tab),
      locks:
        browser.state.locks === "absent"
          ? undefined
          : browser.locks.of(this.actor, () => (browser.state.locks === "denied" ? "denied" : "usual")),
      openChannel: (name) =>
        browser.state.hasChannels
          ? new SimulatedChannel(name, this.actor, browser.channels, scheduler, browser.delay)
          : null,
      isOnline: () => browser.state.isOnline,
      isVisible: () => this.isVisible,
      on: (event, listener) => {
        const all = this.#listeners.get(event) ?? new Set();
        this.#listeners.set(event, all.add(listener));
        return () => void all.delete(listener);
      },
      onStored: (listener) => {
        this.#storing.add(listener);
        return () => void this.#storing.delete(listener);
      },
      beforeFrame: (act) => {
        if (this.isVisible) {
          const entry = scheduler.schedule(this.actor, frame, "draws a frame", act);
          return () => {
            entry.isCancelled = true;
          };
        }
        this.#frames.add(act);
        return () => void this.#frames.delete(act);
      },
      isOwnOrigin: (address) => address.startsWith("/"),
      isLoopback: false,
    };
  }

  async #fetch(address: string, init: RequestInit): Promise<Response> {
    const { browser } = this.options;
    const headers = new Headers(init.headers);
    const method = init.method ?? "GET";
    const request: SentRequest = {
      at: this.#deps.scheduler.now(),
      page: this,
      life: this.life,
      method,
      path: address.replace(defaultBasePath, ""),
      key: headers.get("idempotency-key"),
      body: typeof init.body === "string" ? init.body : null,
      person: this.person(),
      status: null,
      answeredAt: null,
      retryAt: null,
    };
    this.#deps.requests.push(request);
    if (!browser.state.isOnline) throw new TypeError("Failed to fetch");
    headers.set("sec-fetch-site", "same-origin");
    headers.set("sec-fetch-mode", "cors");
    headers.set("x-peer", browser.peer);
    if (method !== "GET") headers.set("origin", this.#deps.origin);
    if (browser.cookies.size > 0) headers.set("cookie", browser.cookieHeader());
    const url = this.#deps.origin + address;
    const response = await this.#deps.send(
      this,
      url,
      { ...init, headers },
      {
        onHead: (head) => {
          request.status = head.status;
          browser.keepCookies(head);
        },
        onWhole: ({ status, headers }) => {
          request.answeredAt = this.#deps.scheduler.now();
          const wait = Number(headers.get("retry-after") ?? Number.NaN);
          if (status >= 400 && status !== 409 && wait > 0)
            request.retryAt = this.#deps.scheduler.now() + wait * 1_000;
        },
      },
    );
    if (request.path === "/session" && response.ok) this.#learnTag(response.clone());
    return response;
  }

  #learnTag(copy: Response): void {
    copy.json().then(
      (body: { item?: { caller?: string; customer?: { id: string } | null } } | null) => {
        const { caller, customer } = body?.item ?? {};
        if (typeof caller !== "string" || customer === undefined) return;
        this.namedAt ??= this.#deps.scheduler.now();
        this.told = customer?.id ?? `guest of ${this.options.browser.name}`;
        if (customer) this.#deps.personOf.set(caller, customer.id);
      },
      () => undefined,
    );
  }

  dispatch(event: BrowserEvent): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener();
  }

  /** Shows or hides the page. */
  setVisible(isVisible: boolean): void {
    if (this.isVisible === isVisible) return;
    this.isVisible = isVisible;
    this.dispatch("visibility");
    if (!isVisible) return;
    this.dispatch("return");
    for (const act of [...this.#frames]) act();
    this.#frames.clear();
  }

  /** Puts the page into the back/forward cache: its requests end, and it runs nothing. */
  hide(): void {
    const { storage } = this.options.browser;
    this.#wasVisible = this.isVisible;
    this.dispatch("pagehide");
    this.setVisible(false);
    this.#before = new Map(storage.names().map((name) => [name, storage.read(name)]));
    this.life = "cached";
    this.actor.isFrozen = true;
    for (const end of [...this.actor.connections]) end(false);
  }

  /** Takes the page out of the back/forward cache. */
  show(): void {
    const { storage } = this.options.browser;
    if (this.life !== "cached") return;
    this.life = "open";
    this.#local.catchUp();
    this.setVisible(this.#wasVisible);
    const names = new Set([...this.#before.keys(), ...storage.names()]);
    this.dispatch("pageshow");
    for (const name of names)
      if ((this.#before.get(name) ?? null) !== storage.read(name))
        for (const listener of [...this.#storing]) listener(name);
  }

  close(): void {
    this.closedAt = this.#deps.scheduler.now();
    this.chat.close();
    this.closedState = this.state();
    this.life = "closed";
  }

  /** The browser ends the page: nothing runs any more. */
  discard(): void {
    this.life = "gone";
    this.#deps.scheduler.kill(this.actor);
  }
}
