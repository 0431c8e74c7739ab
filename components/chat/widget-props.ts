import type { GreetingOptions, ShopDetails } from "./chat-context.ts";
import type { WidgetEvent } from "./events.ts";
import type { Languages, StringOverrides } from "./i18n/language.ts";
import type { OpenRequests } from "./launcher/open-request.ts";
import type { Offset } from "./launcher/place.ts";

export interface ChatWidgetProps extends ShopDetails {
  /** The path of the chat's server: its `basePath`. */
  api?: string | undefined;
  /** BCP 47. The chat uses the closest of its languages, and formats times and money by this tag. */
  locale?: string | undefined;
  /** Texts in place of the chat's own, in the language of the page. */
  strings?: StringOverrides | undefined;
  /** Languages besides the chat's own, or in their place, by BCP 47 tag. */
  languages?: Languages | undefined;
  /**
   * A greeting for customers who have not used the chat yet. A floating chat shows it until they dismiss it.
   */
  greeting?: GreetingOptions | undefined;
  /** `host` follows the page's `color-scheme`, or its background where it sets none. */
  theme?: "host" | "light" | "dark" | undefined;
  /**
   * The customer as the page knows them: any string that differs between customers, null for a guest. When it
   * changes, the chat asks the server at once who the customer is. The string itself stays in the page.
   */
  customer?: string | null;
  /**
   * `floating` is a panel in the page's corner that a button opens. `inline` and `page` fill the element
   * around them and are always open; `page` has no border.
   */
  mode?: "floating" | "inline" | "page" | undefined;
  /** The corner of the floating chat, by the direction of the chat's language. */
  side?: "start" | "end" | undefined;
  /** Distance of the floating chat from the window's edges, in CSS pixels. */
  offset?: Offset | undefined;
  /** `none`: only the page opens the floating chat (docs/chat-widget.md, "From other parts of the page"). */
  launcher?: "button" | "none" | undefined;
  /**
   * Opens the floating chat with the page, until the customer closes it in this tab. An inline chat asks the
   * server for the customer without waiting for a press.
   */
  openOnLoad?: boolean | undefined;
  /** Called with the number of unread messages on mount and after each change. */
  onUnread?(count: number): void;
  /** Called for what happens in this tab. */
  onEvent?(event: WidgetEvent): void;
}

export interface WidgetProps extends ChatWidgetProps {
  requests: OpenRequests;
}
