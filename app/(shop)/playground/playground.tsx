"use client";

import { type ReactNode, useMemo, useState } from "react";
import { ChatWidget, type WidgetEvent } from "#components/chat/chat-widget.tsx";
import look from "#components/shop/shop-chat.module.css";
import styles from "./playground.module.css";
import {
  type Choices,
  defaults,
  elementSnippet,
  objectsOf,
  reactSnippet,
  serverSnippet,
} from "./snippets.ts";

/** The latest ones. */
const shownEvents = 8;

/** A chat whose placement and looks the visitor chooses, and the code for it. */
export function Playground({ pictureOrigins }: { pictureOrigins: readonly string[] }) {
  const [choices, setChoices] = useState(defaults);
  const [heard, setHeard] = useState<readonly WidgetEvent[]>([]);
  const choose = (changed: Partial<Choices>) => setChoices((before) => ({ ...before, ...changed }));
  const { mode, side, launcher, openOnLoad, theme, locale, suggestions, welcome, greeting } = choices;
  const objects = useMemo(() => objectsOf(choices), [choices]);
  const isFloating = mode === "floating";
  return (
    <div className={styles["playground"]}>
      <form className={styles["choices"]} onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="Mode"
          value={mode}
          of={["floating", "inline", "page"]}
          onChange={(mode) => choose({ mode })}
        />
        {isFloating && (
          <>
            <Choice label="Side" value={side} of={["end", "start"]} onChange={(side) => choose({ side })} />
            <Choice
              label="Button"
              value={launcher}
              of={["button", "none"]}
              onChange={(launcher) => choose({ launcher })}
            />
          </>
        )}
        <Choice
          label="Colours"
          value={theme}
          of={["host", "light", "dark"]}
          onChange={(theme) => choose({ theme })}
        />
        <Choice
          label="Language"
          value={locale}
          of={["en-GB", "de", "fr", "ar", "ja"]}
          onChange={(locale) => choose({ locale })}
        />
        <label className={styles["field"]}>
          Suggestions, one on each line
          <textarea
            rows={3}
            value={suggestions.join("\n")}
            onChange={({ target }) =>
              choose({ suggestions: target.value === "" ? [] : target.value.split("\n") })
            }
          />
        </label>
        <label className={styles["field"]}>
          Welcome
          <input value={welcome} onChange={({ target }) => choose({ welcome: target.value })} />
        </label>
        <label className={styles["field"]}>
          Greeting
          <input value={greeting} onChange={({ target }) => choose({ greeting: target.value })} />
        </label>
        <label className={styles["check"]}>
          <input
            type="checkbox"
            checked={openOnLoad}
            onChange={({ target }) => choose({ openOnLoad: target.checked })}
          />
          Open with the page
        </label>
        {(["consent", "disclosure"] as const).map((name) => (
          <label className={styles["check"]} key={name}>
            <input
              type="checkbox"
              checked={choices[name]}
              onChange={({ target }) => choose({ [name]: target.checked })}
            />
            {{ consent: "Ask for consent", disclosure: "Say that an AI answers" }[name]}
          </label>
        ))}
        <button type="button" className={styles["opener"]} data-shop-chat-open="Do you deliver to Ireland?">
          Ask about delivery
        </button>
      </form>
      <div className={`${look["look"]} ${isFloating ? "" : styles["frame"]}`}>
        {/* The skip link's target. */}
        <span id="chat" tabIndex={-1} />
        <ChatWidget
          // What a chat does when its page loads shows only in a new one.
          key={`${mode} ${openOnLoad}`}
          agentName="Wren"
          shopName="Tarn & Tread"
          pictureOrigins={pictureOrigins}
          mode={mode}
          side={side}
          launcher={launcher}
          openOnLoad={openOnLoad}
          theme={theme}
          locale={locale}
          {...objects}
          onEvent={(event) => setHeard((before) => [event, ...before].slice(0, shownEvents))}
          suggestions={suggestions.filter((text) => text.trim() !== "")}
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

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  of: readonly Value[];
  onChange(value: Value): void;
}

function Choice<Value extends string>({ label, value, of, onChange }: ChoiceProps<Value>) {
  return (
    <label className={styles["field"]}>
      {label}
      <select
        value={value}
        onChange={({ target }) => {
          const chosen = of.find((one) => one === target.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {of.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}

function Snippet({ title, children }: { title: string; children: string }): ReactNode {
  return (
    <section className={styles["snippet"]}>
      <h2>{title}</h2>
      <button type="button" onClick={() => navigator.clipboard.writeText(children)}>
        Copy
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by the keyboard */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
    </section>
  );
}
