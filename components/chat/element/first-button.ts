import { pageScheme, watchPageScheme } from "../appearance/page-scheme.ts";
import theme from "../appearance/theme.module.css";
import type { ChatWidgetProps } from "../chat-widget.tsx";
import { builtInLanguages, type ChosenLanguage, defaultLanguage } from "../i18n/built-in.ts";
import type { LauncherStrings } from "../i18n/language.ts";
import styles from "../launcher/launcher.module.css";
import { chatIcon, setOffset } from "../launcher/place.ts";

export interface FirstButton {
  element: HTMLElement;
  /** The part that is shown in the top layer once the element is in the page. */
  place: HTMLElement;
  /** Draws it as its attributes are now. A focus on it stays. */
  draw(look: FirstButtonLook): void;
  show(state: "idle" | "loading" | "failed"): void;
  remove(): void;
}

export interface FirstButtonLook
  extends Pick<ChatWidgetProps, "theme" | "side" | "offset" | "mode" | "launcher"> {
  language: ChosenLanguage;
  words: Partial<LauncherStrings> | undefined;
  /** False while the page's words load: the texts are the chat's own, for screen readers only. */
  hasWords: boolean;
}

export interface FirstButtonHandlers {
  onPress(): void;
  onReload(): void;
  /** Called when a press is likely: a pointer, a finger or the focus is on the button. */
  onNear(): void;
}

/** The same button as `launcher.tsx`, until React is loaded. */
export function createFirstButton(
  { onPress, onReload, onNear }: FirstButtonHandlers,
  look: FirstButtonLook,
): FirstButton {
  const element = made("div", theme["theme"]);
  element.dataset["chatMode"] = "floating";
  const place = made("div", styles["place"]);
  place.popover = "manual";
  const failure = made("p", styles["failure"]);
  failure.role = "status";
  const [button, reload] = [made("button", styles["launcher"]), made("button")];
  for (const each of [button, reload]) each.type = "button";
  button.onclick = onPress;
  reload.onclick = onReload;
  button.ariaHasPopup = "dialog";
  button.ariaExpanded = "false";
  button.onpointerenter = onNear;
  button.onfocus = onNear;
  const label = made("span", styles["label"]);
  button.append(icon(), label);
  place.append(failure, button);
  element.append(place);

  let shown: Parameters<FirstButton["show"]>[0] = "idle";
  const drawScheme = () => {
    element.dataset["chatTheme"] = look.theme ?? pageScheme();
  };
  const unwatch = watchPageScheme(drawScheme);

  const show: FirstButton["show"] = (state) => {
    shown = state;
    const t = { ...builtInLanguages[defaultLanguage].launcher, ...look.language.launcher, ...look.words };
    reload.textContent = t.reload;
    // Without a network, a reload would lose the page.
    const remedy = navigator.onLine ? [" ", reload] : [];
    failure.replaceChildren(...(state === "failed" ? [t.failed, ...remedy] : []));
    const text = state === "loading" ? t.opening : t.open;
    label.textContent = look.hasWords ? text : "";
    button.ariaLabel = look.hasWords ? null : text;
    button.ariaBusy = String(state === "loading");
    // A page that wants no button gets it only if the chat does not load.
    place.hidden = (look.mode ?? look.launcher) !== undefined && state !== "failed";
  };
  const draw: FirstButton["draw"] = (now) => {
    look = now;
    element.lang = look.language.tag;
    element.dir = look.language.direction;
    element.dataset["chatSide"] = look.side ?? "";
    setOffset(element, look.offset);
    drawScheme();
    show(shown);
  };
  draw(look);
  return {
    element,
    place,
    draw,
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
  const attributes = { width: "1.5em", viewBox: "0 0 24 24", "aria-hidden": "true" };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  svg.append(path);
  return svg;
}
