import { type ClipboardEvent, type KeyboardEvent, type Ref, useLayoutEffect, useRef } from "react";
import { limits } from "../../../lib/chat-api/limits.ts";
import { utf16Length } from "../../../lib/chat-api/text.ts";
import { modeOf } from "../../../lib/engine/state/selectors.ts";
import { useChatContext, useChatState, useConversation } from "../chat-context.ts";
import { hasOnScreenKeyboard } from "../controls/browser.ts";
import styles from "./composer.module.css";

export interface TextFieldProps {
  ref: Ref<HTMLTextAreaElement> | undefined;
  hintId: string;
}

/** The message's text. The field grows with it up to its CSS `max-height`. */
export function TextField({ ref, hintId }: TextFieldProps) {
  const { chat, t } = useChatContext();
  const text = useChatState(chat, ({ draft }) => draft.text);
  const isToAgent = useConversation((state) => modeOf(state) === "agent");
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what the height depends on
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null || CSS.supports("field-sizing", "content")) return;
    const fit = () => {
      element.style.blockSize = "auto";
      element.style.blockSize = `${element.scrollHeight}px`;
    };
    fit();
    if (typeof IntersectionObserver === "undefined") return;
    // A field hidden by the list of chats has no height: measures again when it reappears.
    const observer = new IntersectionObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [text]);

  function onKeyDown(event: KeyboardEvent): void {
    // Enter also confirms a word in an input method; old browsers report that as key code 229.
    if (event.key !== "Enter" || event.nativeEvent.isComposing || event.keyCode === 229) return;
    // On-screen keyboards have no Shift+Enter: there Enter starts a new line and the button sends.
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || hasOnScreenKeyboard()) return;
    event.preventDefault();
    if (!event.repeat) chat.send();
  }

  function onPaste(event: ClipboardEvent): void {
    const { files, types } = event.clipboardData;
    // Spreadsheets offer copied text as a picture too; the customer meant the text.
    if (files.length === 0 || types.includes("text/plain")) return;
    event.preventDefault();
    chat.attach([...files]);
  }

  return (
    <textarea
      ref={(element) => {
        field.current = element;
        if (typeof ref === "function") ref(element);
        else if (ref) ref.current = element;
      }}
      className={styles["text"]}
      rows={1}
      // An empty field takes the direction of its placeholder's language.
      dir={text === "" ? undefined : "auto"}
      value={text}
      aria-label={t.composer.label}
      aria-describedby={hintId}
      aria-invalid={utf16Length(text) > limits.messageTextLength}
      placeholder={isToAgent ? t.composer.placeholder : t.composer.placeholderTeam}
      autoComplete="off"
      enterKeyHint={hasOnScreenKeyboard() ? "enter" : "send"}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onChange={(event) => chat.setText(event.target.value)}
    />
  );
}
