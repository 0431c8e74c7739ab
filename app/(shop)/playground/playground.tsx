"use client";

import { type ReactNode, useState } from "react";
import { ChatWidget, type ChatWidgetProps, type WidgetEvent } from "#components/chat/chat-widget.tsx";
import look from "#components/shop/shop-chat.module.css";
import { AskButton } from "#components/shop/site/ask-button.tsx";
import { Button } from "#components/ui/button.tsx";
import styles from "./playground.module.css";
import { elementSnippet, reactSnippet, serverSnippet } from "./snippets.ts";

/** The latest ones. */
const shownEvents = 8;

const lists = {
  mode: { label: "Mode", of: ["floating", "inline", "page"] },
  side: { label: "Side", of: ["end", "start"] },
  launcher: { label: "Button", of: ["button", "none"] },
  theme: { label: "Colours", of: ["host", "light", "dark"] },
  locale: { label: "Language", of: ["en-GB", "de", "fr", "ar", "ja"] },
} as const;
/** The value that a check of the box sets. */
const boxes = {
  openOnLoad: { label: "Open with the page", on: true },
  consent: {
    label: "Ask for consent",
    on: { text: "We store what you write and answer it automatically.", href: "/help/privacy" },
  },
  disclosure: {
    label: "Say that an AI answers",
    on: { label: "AI assistant", text: "Wren is an AI. It can be wrong: check what matters." },
  },
} as const;
const names = <Name extends string>(table: Record<Name, unknown>) => Object.keys(table) as Name[];

/** A chat whose placement and looks the visitor chooses, and the code for it. */
export function Playground({ pictureOrigins }: { pictureOrigins: readonly string[] }) {
  const [choices, setChoices] = useState<ChatWidgetProps>({
    agentName: "Wren",
    shopName: "Tarn & Tread",
    locale: "en-GB",
  });
  const [heard, setHeard] = useState<readonly WidgetEvent[]>([]);
  const choose = <Name extends keyof ChatWidgetProps>(name: Name, value: ChatWidgetProps[Name] | undefined) =>
    setChoices((before) => ({ ...before, [name]: value }));
  const { mode = "floating", openOnLoad = false, suggestions = [], strings, greeting } = choices;
  const isFloating = mode === "floating";
  return (
    <div className={styles["playground"]}>
      <form className={styles["choices"]} onSubmit={(event) => event.preventDefault()}>
        {names(lists)
          .filter((name) => isFloating || (name !== "side" && name !== "launcher"))
          .map((name) => (
            <label className={styles["field"]} key={name}>
              {lists[name].label}
              <select
                value={choices[name] ?? lists[name].of[0]}
                onChange={({ target }) => choose(name, lists[name].of[target.selectedIndex])}
              >
                {lists[name].of.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
          ))}
        <label className={styles["field"]}>
          Suggestions, one on each line
          <textarea
            rows={3}
            value={suggestions.join("\n")}
            onChange={({ target: { value } }) =>
              choose("suggestions", value === "" ? undefined : value.split("\n"))
            }
          />
        </label>
        <label className={styles["field"]}>
          Welcome
          <input
            value={strings?.welcome?.title ?? ""}
            onChange={({ target: { value: title } }) =>
              choose("strings", title === "" ? undefined : { welcome: { title } })
            }
          />
        </label>
        <label className={styles["field"]}>
          Greeting
          <input
            value={greeting?.text ?? ""}
            onChange={({ target: { value: text } }) =>
              choose("greeting", text === "" ? undefined : { text, after: 2 })
            }
          />
        </label>
        {names(boxes).map((name) => (
          <label className={styles["check"]} key={name}>
            <input
              type="checkbox"
              checked={choices[name] !== undefined}
              onChange={({ target }) => choose(name, target.checked ? boxes[name].on : undefined)}
            />
            {boxes[name].label}
          </label>
        ))}
        <AskButton draft="Do you deliver to Ireland?">Ask about delivery</AskButton>
      </form>
      <div className={`${look["look"]} ${isFloating ? "" : styles["frame"]}`}>
        {/* The skip link's target. */}
        <span id="chat" tabIndex={-1} />
        <ChatWidget
          // What a chat does when its page loads shows only in a new one.
          key={`${mode} ${openOnLoad}`}
          {...choices}
          suggestions={suggestions.filter((text) => text.trim() !== "")}
          pictureOrigins={pictureOrigins}
          onEvent={(event) => setHeard((before) => [event, ...before].slice(0, shownEvents))}
        />
      </div>
      <section className={styles["heard"]} aria-label="What the page learns">
        <h2>What the page learns</h2>
        <ol>
          {heard.map(({ type, ...rest }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an event has no identity, and a row no state
            <li key={index}>
              <code>
                {type} {Object.keys(rest).length > 0 && JSON.stringify(rest)}
              </code>
            </li>
          ))}
        </ol>
      </section>
      <div className={styles["snippets"]}>
        <Snippet title="React">{reactSnippet(choices)}</Snippet>
        <Snippet title="Any page">{elementSnippet(choices)}</Snippet>
        <Snippet title="Server">{serverSnippet}</Snippet>
      </div>
    </div>
  );
}

function Snippet({ title, children }: { title: string; children: string }): ReactNode {
  return (
    <section className={styles["snippet"]}>
      <h2>{title}</h2>
      <Button onClick={() => void navigator.clipboard.writeText(children)}>Copy</Button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by the keyboard */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
    </section>
  );
}
