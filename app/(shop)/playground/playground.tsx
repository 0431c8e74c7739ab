"use client";

import { type CSSProperties, type ReactNode, useState } from "react";
import { ChatWidget, type ChatWidgetProps, type WidgetEvent } from "#components/chat/chat-widget.tsx";
import { PlugStrip } from "#components/shop/plug/plug-strip.tsx";
import look from "#components/shop/shop-chat.module.css";
import { AskButton } from "#components/shop/site/ask-button.tsx";
import { Button } from "#components/ui/button.tsx";
import shopSuggestions from "#lib/shop/suggestions.json" with { type: "json" };
import { accents, corners, densities, fonts, type Look, stylesOf } from "./looks.ts";
import styles from "./playground.module.css";
import { elementSnippet, reactSnippet, serverSnippet, styleSnippet } from "./snippets.ts";

/** The latest ones. */
const shownEvents = 8;

const modes = ["inline", "floating", "page"] as const;
const lists = {
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

interface PlaygroundProps {
  pictureOrigins: readonly string[];
  wantedMode: string;
  hasPlug: boolean;
}

/** A chat whose placement and looks the visitor chooses, and the code for it. */
export function Playground({ pictureOrigins, wantedMode, hasPlug }: PlaygroundProps) {
  const [choices, setChoices] = useState<ChatWidgetProps>({
    agentName: "Wren",
    shopName: "Tarn & Tread",
    logo: "/icon.svg",
    locale: "en-GB",
    suggestions: shopSuggestions.chat.en,
    suggestionIcons: ["source", "store", "box", "person"],
    mode: modes.find((one) => one === wantedMode) ?? "inline",
  });
  const [chosenLook, setLook] = useState<Look>({});
  const [heard, setHeard] = useState<readonly WidgetEvent[]>([]);
  const choose = <Name extends keyof ChatWidgetProps>(name: Name, value: ChatWidgetProps[Name] | undefined) =>
    setChoices((before) => ({ ...before, [name]: value }));
  const { mode, openOnLoad = false, suggestions = [], strings, greeting } = choices;
  const isFloating = mode === "floating";
  const custom = stylesOf(chosenLook);

  const list = (name: keyof typeof lists) => (
    <Choice
      label={lists[name].label}
      onChoose={(value) => choose(name, value)}
      options={lists[name].of}
      value={choices[name] ?? lists[name].of[0]}
    />
  );
  const box = (name: keyof typeof boxes) => (
    <label className={styles["check"]}>
      <input
        type="checkbox"
        checked={choices[name] !== undefined}
        onChange={({ target }) => choose(name, target.checked ? boxes[name].on : undefined)}
      />
      {boxes[name].label}
    </label>
  );
  const lookOf = (name: keyof Look, label: string, table: Readonly<Record<string, string | undefined>>) => (
    <Choice
      label={label}
      onChoose={(option) => setLook((before) => ({ ...before, [name]: table[option] }))}
      options={names(table)}
      value={names(table).find((option) => table[option] === chosenLook[name])}
    />
  );
  return (
    <div className={styles["playground"]}>
      <form className={styles["choices"]} onSubmit={(event) => event.preventDefault()}>
        <Group title="Look">
          <Swatches
            accent={chosenLook.accent}
            onChoose={(accent) => setLook((before) => ({ ...before, accent }))}
          />
          {list("theme")}
          {lookOf("corners", "Corners", corners)}
          {lookOf("density", "Density", densities)}
          {lookOf("font", "Font", fonts)}
        </Group>
        <Group title="Placement">
          <Choice label="Mode" onChoose={(value) => choose("mode", value)} options={modes} value={mode} />
          {isFloating && list("side")}
          {isFloating && list("launcher")}
          {box("openOnLoad")}
        </Group>
        <Group title="Texts">
          {list("locale")}
          <label className={styles["field"]}>
            Welcome
            <input
              value={strings?.welcome?.title ?? ""}
              onChange={({ target: { value: title } }) =>
                choose("strings", title === "" ? undefined : { welcome: { title } })
              }
            />
          </label>
          <label className={`${styles["field"]} ${styles["wide"]}`}>
            Suggestions, one on each line
            <textarea
              rows={3}
              value={suggestions.join("\n")}
              onChange={({ target: { value } }) =>
                choose("suggestions", value === "" ? undefined : value.split("\n"))
              }
            />
          </label>
          <label className={`${styles["field"]} ${styles["wide"]}`}>
            Greeting
            <input
              value={greeting?.text ?? ""}
              onChange={({ target: { value: text } }) =>
                choose("greeting", text === "" ? undefined : { text, after: 2 })
              }
            />
          </label>
        </Group>
        <Group title="Consent">
          {box("consent")}
          {box("disclosure")}
        </Group>
        <AskButton draft="Do you deliver to Ireland?">Ask about delivery</AskButton>
      </form>
      <div className={styles["preview"]}>
        {isFloating && <p className={styles["hint"]}>The chat is in the corner of this page.</p>}
        <div
          className={`${look["look"]} ${isFloating ? "" : styles["frame"]}`}
          style={custom as CSSProperties}
        >
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
      </div>
      <div className={styles["about"]}>
        {hasPlug && <PlugStrip />}
        <Code
          parts={{
            React: reactSnippet(choices),
            "Any page": elementSnippet(choices),
            Server: serverSnippet,
            "Style sheet": styleSnippet(custom),
          }}
        />
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
      </div>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles["group"]}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

interface ChoiceProps<Option extends string> {
  label: string;
  options: readonly Option[];
  value: Option | undefined;
  onChoose(option: Option): void;
}

function Choice<Option extends string>({ label, options, value, onChoose }: ChoiceProps<Option>) {
  return (
    <label className={styles["field"]}>
      {label}
      <select
        value={value}
        onChange={({ target }) => {
          const option = options[target.selectedIndex];
          if (option !== undefined) onChoose(option);
        }}
      >
        {options.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}

interface SwatchesProps {
  accent: string | undefined;
  onChoose(accent: string | undefined): void;
}

function Swatches({ accent, onChoose }: SwatchesProps) {
  return (
    <fieldset className={styles["swatches"]}>
      <legend>Accent</legend>
      {names(accents).map((name) => (
        <button
          aria-label={name}
          aria-pressed={accent === accents[name]}
          key={name}
          onClick={() => onChoose(accents[name])}
          // By a script, because the page's policy forbids style attributes in HTML.
          ref={(swatch) => swatch?.style.setProperty("background", accents[name] ?? "var(--color-accent)")}
          type="button"
        />
      ))}
      <input
        aria-label="Another accent"
        onChange={({ target }) => onChoose(target.value)}
        type="color"
        value={accent ?? "#1c5a4a"}
      />
    </fieldset>
  );
}

/** Code in tabs: native radio buttons, which the arrow keys change. */
function Code({ parts }: { parts: Readonly<Record<string, string>> }) {
  const [shown, setShown] = useState("React");
  const code = parts[shown] ?? "";
  return (
    <section className={styles["code"]} aria-labelledby="code">
      <h2 id="code">Code</h2>
      <div className={styles["tabs"]} aria-labelledby="code" role="radiogroup">
        {names(parts).map((name) => (
          <label key={name}>
            <input checked={shown === name} name="code" onChange={() => setShown(name)} type="radio" />
            {name}
          </label>
        ))}
        <Button onClick={() => void navigator.clipboard.writeText(code)} size="small">
          Copy
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by the keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </section>
  );
}
