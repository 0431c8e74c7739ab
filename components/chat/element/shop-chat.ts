/**
 * `<shop-chat>`: the chat as a custom element, for pages that do not use React. A shadow tree isolates its
 * styles from the page's. Adopted style sheets need no permission of a Content Security Policy.
 */
import { languageOf } from "../i18n/languages.ts";
import { linkedChat, type OpenRequest, toOpenRequest } from "../launcher/open-request.ts";
import { forgetOwner, hasPendingWork, rememberOpen, wasOpen } from "../launcher/unfinished.ts";
import { attributeNames, propsOf } from "./attributes.ts";
import { createFirstButton, type FirstButton } from "./first-button.ts";
import type { MountedChat } from "./mount-chat.tsx";
import { adoptSheets } from "./sheets.ts";

export class ShopChatElement extends HTMLElement {
  static readonly observedAttributes = attributeNames;

  readonly #place = document.createElement("div");
  #button: FirstButton | null = null;
  #chat: MountedChat | null = null;
  #isLoading = false;
  #first: OpenRequest | null = null;
  #unread = 0;

  constructor() {
    super();
    const tree = this.attachShadow({ mode: "open" });
    adoptSheets(tree);
    // The printed transcript is a child of the page's body.
    adoptSheets(document);
    tree.append(this.#place);
  }

  /** Number of unread messages. The event `unread` announces each change. */
  get unread(): number {
    return this.#unread;
  }

  /** Opens the chat with this text in the message field. */
  set draft(text: string) {
    this.open({ draft: text });
  }

  open(request: OpenRequest = {}): void {
    if (this.#chat !== null) {
      window.dispatchEvent(new CustomEvent("shop-chat:open", { detail: request }));
      return;
    }
    this.#first = { ...this.#first, ...request };
    rememberOpen(true);
    void this.#load(true);
  }

  close(): void {
    this.#first = null;
    rememberOpen(false);
    window.dispatchEvent(new Event("shop-chat:close"));
  }

  connectedCallback(): void {
    window.addEventListener("shop-chat:open", this.#onOpen);
    window.addEventListener("shop-chat:session", this.#onSession);
    this.#showButton();
    if (linkedChat() !== null || wasOpen()) void this.#load(true);
    else if (hasPendingWork()) void this.#load(false);
  }

  disconnectedCallback(): void {
    window.removeEventListener("shop-chat:open", this.#onOpen);
    window.removeEventListener("shop-chat:session", this.#onSession);
    this.#button?.remove();
    this.#button = null;
    this.#chat?.unmount();
    this.#chat = null;
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    // An upgrade reports the initial attributes of a connected element before `connectedCallback`.
    if (this.#button === null && this.#chat === null) return;
    if (this.#chat !== null) this.#draw(this.#chat);
    else if (name !== "customer") this.#showButton();
    else if (before !== now) forgetOwner();
  }

  readonly #onOpen = (event: Event) => {
    if (this.#chat === null) this.open(event instanceof CustomEvent ? toOpenRequest(event.detail) : {});
  };

  /** A loaded chat handles the event itself. */
  readonly #onSession = () => {
    if (this.#chat === null) forgetOwner();
  };

  readonly #onUnread = (count: number) => {
    if (count === this.#unread) return;
    this.#unread = count;
    this.dispatchEvent(new CustomEvent("unread", { detail: { count }, bubbles: true, composed: true }));
  };

  #showButton(): void {
    this.#button?.remove();
    const { locale = "en", theme = "host" } = this.#props();
    this.#button = createFirstButton({
      language: languageOf(locale),
      theme,
      onPress: () => this.open(),
    });
    this.#place.before(this.#button.element);
  }

  async #load(isAskedFor: boolean): Promise<void> {
    if (isAskedFor) this.#button?.show("loading");
    if (this.#isLoading || this.#chat !== null) return;
    this.#isLoading = true;
    try {
      const { mountChat } = await import("./mount-chat.tsx");
      if (!this.isConnected) return;
      this.#chat = mountChat(this.#place);
      this.#draw(this.#chat);
      this.#button?.remove();
      this.#button = null;
    } catch (error) {
      // No network, or a deployment removed this version's files. The next press tries again.
      if (isAskedFor || this.#first !== null) this.#button?.show("failed");
      reportError(error);
    } finally {
      this.#isLoading = false;
    }
  }

  #props() {
    return propsOf((name) => this.getAttribute(name));
  }

  #draw(chat: MountedChat): void {
    chat.draw({ api: ownServer(), ...this.#props(), onUnread: this.#onUnread, first: this.#first });
  }
}

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
