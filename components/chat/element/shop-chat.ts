/**
 * `<shop-chat>`: the chat as a custom element, for pages that do not use React. A shadow tree isolates its
 * styles from the page's. Adopted style sheets need no permission of a Content Security Policy.
 */

import {
  forgetOwner,
  hasPendingWork,
  hasUsedChat,
  rememberOpen,
  wasOpen,
} from "../../../lib/engine/before-start.ts";
import { defaultLanguage, languageFor, loadTexts } from "../i18n/built-in.ts";
import type { Languages, StringOverrides } from "../i18n/language.ts";
import {
  ask,
  linkedChat,
  type OpenRequest,
  type OpenRequests,
  watchOpenRequests,
} from "../launcher/open-request.ts";
import { showOnTop } from "../launcher/place.ts";
import { whenIdle } from "../launcher/when-idle.ts";
import type { MountedChat } from "../widget.tsx";
import { attributeNames, propsOf } from "./attributes.ts";
import { createFirstButton, type FirstButton } from "./first-button.ts";
import "./host.css";
import { adoptSheets } from "./sheets.ts";
import type { Words } from "./words-file.ts";

export class ShopChatElement extends HTMLElement {
  static readonly observedAttributes = attributeNames;

  readonly #place = document.createElement("div");
  #button: FirstButton | null = null;
  #chat: MountedChat | null = null;
  #isLoading = false;
  readonly #requests: OpenRequests = { waiting: [] };
  #unwatch: (() => void) | null = null;
  #cancelIdle: (() => void) | null = null;
  #unread = 0;
  #words: Words = {};
  /** The file of `strings-src` with its words: until they have arrived, those of the file before it. */
  #file: { src: string | null; words: Words; isRead: boolean; arrival: Promise<void> } = {
    src: null,
    words: {},
    isRead: true,
    arrival: Promise.resolve(),
  };

  constructor() {
    super();
    const tree = this.attachShadow({ mode: "open" });
    adoptSheets(tree);
    // Only a document's sheets register a property (`@property --_rem`), not those of a shadow tree.
    adoptSheets(document);
    tree.append(this.#place);
  }

  /** Number of unread messages. The event `unread` announces each change. */
  get unread(): number {
    return this.#unread;
  }

  /** Texts in place of the chat's own. Like `languages`, it goes before the file of `strings-src`. */
  get strings(): StringOverrides | undefined {
    return this.#words.strings ?? this.#file.words.strings;
  }

  set strings(strings: StringOverrides) {
    this.#words = { ...this.#words, strings };
    this.#redraw();
  }

  /** Languages besides the chat's own, or in their place, by BCP 47 tag. */
  get languages(): Languages | undefined {
    return this.#words.languages ?? this.#file.words.languages;
  }

  set languages(languages: Languages) {
    this.#words = { ...this.#words, languages };
    this.#redraw();
  }

  /** Opens the chat with this text in the message field. */
  set draft(text: string) {
    this.open({ draft: text });
  }

  /** Opens the chat and sends this text. */
  send(text: string): void {
    this.open({ send: text });
  }

  newChat(): void {
    this.open({ newChat: true });
  }

  openChat(chatId: string): void {
    this.open({ chatId });
  }

  open(request: OpenRequest = {}): void {
    ask(this.#requests, request);
    void this.#load(true);
  }

  close(): void {
    if (this.#chat === null) this.#requests.waiting = [];
    rememberOpen(this.#api, false);
    window.dispatchEvent(new Event("shop-chat:close"));
  }

  connectedCallback(): void {
    // A loaded chat handles the event itself.
    const onSession = () => this.#chat ?? forgetOwner(this.#api);
    this.#unwatch = watchOpenRequests(this.#requests, (wanted) => this.open(wanted), onSession);
    this.#readFile();
    this.#redraw();
    const { mode, greeting, openOnLoad = false } = this.#props();
    const api = this.#api;
    if (this.#requests.waiting.length > 0 || linkedChat() !== null || (wasOpen(api) ?? openOnLoad))
      void this.#load(true);
    else if (hasPendingWork(api) || mode !== undefined) void this.#load(false);
    else if (greeting !== undefined || hasUsedChat(api))
      this.#cancelIdle = whenIdle(() => void this.#load(false));
  }

  connectedMoveCallback(): void {
    // A page that moves the element with `moveBefore` keeps its chat.
  }

  disconnectedCallback(): void {
    this.#unwatch?.();
    this.#unwatch = null;
    this.#cancelIdle?.();
    this.#button?.remove();
    this.#button = null;
    this.#chat?.(null);
    this.#chat = null;
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    // An upgrade reports the initial attributes of a connected element before `connectedCallback`.
    if (!this.isConnected || this.#unwatch === null) return;
    if (name === "customer" && this.#chat === null) {
      if (before !== now) window.dispatchEvent(new Event("shop-chat:session"));
      return;
    }
    if (name === "strings-src") this.#readFile();
    this.#redraw();
  }

  /** Draws what is on the page again, or the button for the first time. It does not wait for the file. */
  #redraw(): void {
    if (!this.isConnected) return;
    if (this.#chat === null) this.#showButton();
    else this.#draw(this.#chat);
  }

  /** Reads the words of `strings-src`. The chat does not wait for them. */
  #readFile(): void {
    const src = this.getAttribute("strings-src");
    if (src === this.#file.src) return;
    const isRead = src === null;
    const file = { src, words: isRead ? {} : this.#file.words, isRead, arrival: Promise.resolve() };
    this.#file = file;
    if (src === null) return;
    file.arrival = import("./words-file.ts")
      .then(({ readWordsFile }) => readWordsFile(src))
      .catch((error: unknown) => {
        reportError(error);
        return {};
      })
      .then((words) => {
        Object.assign(file, { words, isRead: true });
        if (file === this.#file) this.#redraw();
      });
  }

  readonly #onUnread = (count: number) => {
    if (count === this.#unread) return;
    this.#unread = count;
    this.dispatchEvent(new CustomEvent("unread", { detail: { count }, bubbles: true, composed: true }));
  };

  #showButton(): void {
    const look = {
      ...this.#props(),
      language: this.#language(),
      words: this.strings?.launcher,
      hasWords: this.#file.isRead,
    };
    if (this.#button !== null) {
      this.#button.draw(look);
      return;
    }
    this.#button = createFirstButton(
      { onPress: () => this.open(), onReload: this.#onReload, onNear: this.#onNear },
      look,
    );
    this.#place.before(this.#button.element);
    showOnTop(this.#button.place);
  }

  /** Loads what the first press needs. A failure shows when the press loads it again. */
  readonly #onNear = () => {
    Promise.all([loadChat(), loadTexts(this.#language())]).catch(() => undefined);
  };

  /** The chat is open again after it. */
  readonly #onReload = () => {
    rememberOpen(this.#api, true);
    window.location.reload();
  };

  #language() {
    return languageFor(this.#props().locale ?? defaultLanguage, this.languages);
  }

  async #load(isAskedFor: boolean): Promise<void> {
    if (isAskedFor) this.#button?.show("loading");
    if (this.#isLoading || this.#chat !== null) return;
    this.#isLoading = true;
    try {
      const [{ mountChat }] = await Promise.all([loadChat(), this.#file.arrival]);
      if (!this.isConnected) return;
      this.#chat = mountChat(this.#place);
      this.#draw(this.#chat);
      this.#button?.remove();
      this.#button = null;
    } catch (error) {
      // No network, or a deployment removed this version's files. The next press tries again.
      if (isAskedFor || this.#requests.waiting.length > 0) this.#button?.show("failed");
      reportError(error);
    } finally {
      this.#isLoading = false;
    }
  }

  get #api(): string {
    return this.getAttribute("api") ?? ownServer();
  }

  #props() {
    return propsOf((name) => this.getAttribute(name));
  }

  #draw(chat: MountedChat): void {
    chat({
      ...this.#props(),
      api: this.#api,
      strings: this.strings,
      languages: this.languages,
      onUnread: this.#onUnread,
      requests: this.#requests,
    });
  }
}

const loadChat = () => import("../widget.tsx");

/**
 * The base path of the server that this script comes from: the bundle puts this module in `embed/` below it.
 */
function ownServer(): string {
  return new URL("..", import.meta.url).pathname.replace(/\/$/, "");
}

declare global {
  interface HTMLElementTagNameMap {
    "shop-chat": ShopChatElement;
  }
}

if (customElements.get("shop-chat") === undefined) customElements.define("shop-chat", ShopChatElement);
