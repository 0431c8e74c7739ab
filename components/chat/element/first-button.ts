import { pageScheme, type Scheme, watchPageScheme } from "../appearance/page-scheme.ts";
import theme from "../appearance/theme.module.css";
import type { LauncherStrings } from "../i18n/language.ts";
import type { ChosenLanguage } from "../i18n/languages.ts";
import { chatIcon } from "../launcher/chat-icon.ts";
import styles from "../launcher/launcher.module.css";
import { type Offset, setOffset } from "../launcher/offset.ts";

export interface FirstButton {
  element: HTMLElement;
  show(state: "idle" | "loading" | "failed"): void;
  remove(): void;
}

export interface FirstButtonOptions {
  language: ChosenLanguage;
  strings: Partial<LauncherStrings> | undefined;
  theme: "host" | Scheme;
  side: "start" | "end";
  offset: Offset | undefined;
  /** Without it the button is shown only if the chat does not load. */
  isShown: boolean;
  onPress(): void;
}

/** Draws the same button as `launcher.tsx`, until React is loaded. */
export function createFirstButton({
  language,
  strings,
  theme: wanted,
  side,
  offset,
  isShown,
  onPress,
}: FirstButtonOptions): FirstButton {
  const t = { ...language.launcher, ...strings };
  const element = made("div", theme["theme"]);
  element.lang = language.tag;
  element.dir = language.direction;
  element.dataset["chatMode"] = "floating";
  element.dataset["chatSide"] = side;
  setOffset(element, offset);
  const draw = () => {
    element.dataset["chatTheme"] = wanted === "host" ? pageScheme() : wanted;
  };
  draw();
  const unwatch = wanted === "host" ? watchPageScheme(draw) : () => undefined;

  const place = made("div", styles["place"]);
  const failure = made("p", styles["failure"]);
  failure.role = "status";
  const [button, again] = [made("button", styles["launcher"]), made("button")];
  again.textContent = t.tryAgain;
  for (const each of [button, again]) {
    each.type = "button";
    each.addEventListener("click", onPress);
  }
  button.ariaHasPopup = "dialog";
  button.ariaExpanded = "false";
  const label = made("span", styles["label"]);
  button.append(icon(), label);
  place.append(failure, button);
  element.append(place);

  const show: FirstButton["show"] = (state) => {
    failure.replaceChildren(...(state === "failed" ? [t.failed, " ", again] : []));
    label.textContent = state === "loading" ? t.opening : t.open;
    button.ariaBusy = String(state === "loading");
    place.hidden = !isShown && state !== "failed";
  };
  show("idle");
  return {
    element,
    show,
    remove() {
      unwatch();
      element.remove();
    },
  };
}

function made<Name extends "div" | "p" | "button" | "span">(name: Name, className = "") {
  const element = document.createElement(name);
  element.className = className;
  return element;
}

function icon(): Element {
  const names = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(names, "svg");
  const path = document.createElementNS(names, "path");
  path.setAttribute("d", chatIcon);
  const attributes = { width: "24", height: "24", viewBox: "0 0 24 24", "aria-hidden": "true" };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  svg.append(path);
  return svg;
}
