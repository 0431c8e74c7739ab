"use client";

import { use, useMemo, useState, useSyncExternalStore } from "react";
import { ChatContext } from "#components/chat/chat-context.ts";
import { RemedyNote } from "#components/chat/errors/remedy-note.tsx";
import { conversations } from "#components/chat/fixtures/conversations.ts";
import { inertRuntime } from "#components/chat/fixtures/inert-runtime.ts";
import { createFormat } from "#components/chat/format/format.ts";
import { directionOf, languageOf, loadStrings } from "#components/chat/i18n/languages.ts";
import type { Strings } from "#components/chat/i18n/strings.ts";
import { Panel } from "#components/chat/panel/panel.tsx";
import theme from "#components/chat/theme.module.css";
import { bffErrorCodes, chatApiErrorCodes } from "#lib/chat-api/errors.ts";
import { failure } from "#lib/conversation/failure.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import styles from "./gallery.module.css";

export interface GalleryProps {
  locale: string;
  theme: string;
  /** Name of the one state to draw; empty for all. */
  only: string;
}

export function Gallery({ locale, ...props }: GalleryProps) {
  const isBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  const [strings] = useState(() => loadStrings(languageOf(locale)));
  return isBrowser ? <States locale={locale} strings={use(strings)} {...props} /> : null;
}

function States({ locale, strings, theme: scheme, only }: GalleryProps & { strings: Strings }) {
  const language = languageOf(locale);
  const context = useMemo(
    () => ({
      t: strings,
      // A fixed moment and zone, so that screenshots do not age.
      format: createFormat({
        locale,
        timeZone: "Europe/London",
        now: () => Date.parse("2026-06-02T12:00:00.000Z"),
      }),
      shop: {
        agentName: "Wren",
        shopName: "Tarn & Tread",
        contact: { label: "+44 1632 960101", href: "tel:+441632960101" },
        pictureOrigins: null,
        suggestions: ["Do you deliver to Ireland?", "Which helmets do you have?", "Where is my order?"],
      },
    }),
    [strings, locale],
  );
  return (
    <ChatContext value={context}>
      <div
        className={`${theme["theme"]} ${styles["gallery"]}`}
        lang={language}
        dir={directionOf(language)}
        data-theme={scheme === "host" ? undefined : scheme}
      >
        {only === "" && <Remedies />}
        {Object.entries(conversations)
          .filter(([name]) => only === "" || name === only)
          .map(([name, state]) => (
            <figure key={name} className={styles["state"]} data-state={name}>
              <figcaption>{name}</figcaption>
              <State state={state} />
            </figure>
          ))}
      </div>
    </ChatContext>
  );
}

/** What the customer reads and can press, for each code. */
function Remedies() {
  const codes = [...chatApiErrorCodes, ...bffErrorCodes, "connection_lost" as const];
  return (
    <figure className={styles["state"]} data-state="remedies">
      <figcaption>remedies</figcaption>
      {codes.map((code) => (
        <RemedyNote
          key={code}
          failure={failure(code, { requestId: `req_${code}` })}
          onPress={() => undefined}
        />
      ))}
    </figure>
  );
}

function State({ state }: { state: ConversationState }) {
  const runtime = useMemo(() => inertRuntime(state), [state]);
  return <Panel runtime={runtime} state={state} isOpen onClose={() => undefined} />;
}
