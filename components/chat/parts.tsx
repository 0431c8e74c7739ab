/** The widget's parts alone; `react.tsx` describes them. */
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { Message } from "../../lib/chat-api/message.ts";
import type { ChatEngine } from "../../lib/engine/chat.ts";
import theme from "./appearance/theme.module.css";
import "./appearance/content.css";
import { useScheme } from "./appearance/use-scheme.ts";
import { type ShopDetails, useConversation } from "./chat-context.ts";
import { useCheckedProps } from "./checked-props.ts";
import { ConsentGate } from "./consent/consent.tsx";
import { whenOnline } from "./controls/browser.ts";
import { keepOwnEvents, type WidgetEvent } from "./events.ts";
import { FormCard } from "./forms/form-card.tsx";
import { OfferCard } from "./handoff/offer-card.tsx";
import { defaultLanguage, languageFor, loadTexts } from "./i18n/built-in.ts";
import { customTexts } from "./i18n/custom-texts.ts";
import type { Languages, StringOverrides, Strings } from "./i18n/language.ts";
import { MessageList as MessageListView } from "./messages/message-list.tsx";
import { MessageCards } from "./messages/message-parts.tsx";
import { Announcements } from "./panel/announcements.tsx";
import styles from "./parts.module.css";

const ignore = () => undefined;

export { Composer } from "./composer/composer.tsx";

export interface ChatPartsProps extends ShopDetails {
  /** The result of `createChat` of `shop-chat/headless`. The host starts and closes it. */
  chat: ChatEngine;
  /** BCP 47. */
  locale?: string;
  strings?: StringOverrides | undefined;
  languages?: Languages | undefined;
  theme?: "host" | "light" | "dark";
  /** Called when the customer opens a product or a source. What the chat does, `createChat` tells. */
  onEvent?(event: WidgetEvent): void;
  children: ReactNode;
}

export function ChatParts({
  chat,
  locale = defaultLanguage,
  strings,
  languages,
  theme: scheme = "host",
  onEvent = ignore,
  children,
  ...shop
}: ChatPartsProps) {
  const language = useMemo(() => languageFor(locale, languages), [locale, languages]);
  const [t, setTexts] = useState<Strings | null>(null);
  useEffect(() => {
    let isWanted = true;
    whenOnline()
      .then(() => loadTexts(language))
      .then((texts) => customTexts(language, texts, strings))
      .then((loaded) => isWanted && setTexts(loaded))
      .catch(reportError);
    return () => {
      isWanted = false;
    };
  }, [language, strings]);
  const [place, setPlace] = useState<Element | null>(null);
  // Stays while a part suspends, which takes the ref away.
  const keepPlace = useCallback((element: Element | null) => {
    if (element !== null) setPlace(element);
  }, []);
  useEffect(() => keepOwnEvents(place), [place]);
  const gate = { chat, locale, shop: useCheckedProps(shop), onEvent };
  return (
    <div
      ref={keepPlace}
      className={`${theme["theme"]} ${styles["parts"]}`}
      data-chat-theme={useScheme(scheme)}
      data-chat-mode="page"
      lang={language.tag}
      dir={language.direction}
    >
      {/* React has listeners on a portal's place: the parts handle their events before these stop there. */}
      {place &&
        t &&
        createPortal(
          <ConsentGate {...gate} t={t}>
            {children}
          </ConsentGate>,
          place,
        )}
    </div>
  );
}

export function MessageList() {
  const state = useConversation();
  const place = useRef<HTMLDivElement>(null);
  const focusComposer = useCallback(() => {
    const parts = place.current?.closest("[data-chat-mode]");
    parts?.querySelector<HTMLElement>("[data-composer] textarea")?.focus();
  }, []);
  return (
    <div ref={place} className={styles["list"]}>
      <MessageListView key={state.createKey} isOpen isHidden={false} focusComposer={focusComposer} />
      <Announcements isOpen />
    </div>
  );
}

export function Cards({ message }: { message: Message }) {
  const { id, handoffOffer } = message;
  return (
    <>
      <MessageCards message={message} />
      {handoffOffer && <OfferCard messageId={id} offer={handoffOffer} />}
    </>
  );
}

export function Form() {
  const { collection } = useConversation();
  return (
    collection?.request && (
      <FormCard key={collection.request?.id} asked={collection} askedAt={null} isLatest />
    )
  );
}
