import { type ClipboardEvent, type KeyboardEvent, type Ref, useLayoutEffect, useRef } from "react";
import styles from "./composer.module.css";
import { hasOnScreenKeyboard } from "./on-screen-keyboard.ts";

export interface TextFieldProps {
  ref?: Ref<HTMLTextAreaElement> | undefined;
  text: string;
  label: string;
  placeholder: string;
  hintId: string;
  isTooLong: boolean;
  onSend(): void;
  onFiles(files: readonly File[]): void;
  onChange(text: string): void;
}

/** A text field that grows with its text up to its CSS `max-height`. */
export function TextField({ ref, text, label, placeholder, hintId, isTooLong, ...on }: TextFieldProps) {
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
    if (!event.repeat) on.onSend();
  }

  function onPaste(event: ClipboardEvent): void {
    const { files, types } = event.clipboardData;
    // Spreadsheets offer copied text as a picture too; the customer meant the text.
    if (files.length === 0 || types.includes("text/plain")) return;
    event.preventDefault();
    on.onFiles([...files]);
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
      aria-label={label}
      aria-describedby={hintId}
      aria-invalid={isTooLong}
      placeholder={placeholder}
      autoComplete="off"
      enterKeyHint={hasOnScreenKeyboard() ? "enter" : "send"}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onChange={(event) => on.onChange(event.target.value)}
    />
  );
}
