import { type KeyboardEvent, type Ref, type SubmitEvent, useId, useLayoutEffect, useRef } from "react";
import { limits } from "#lib/chat-api/limits.ts";
import { hasVisibleText, isStorableText, utf16Length } from "#lib/chat-api/text.ts";
import { emptyDraft } from "#lib/conversation/draft.ts";
import type { FailureCode } from "#lib/conversation/failure.ts";
import { conversationLimits } from "#lib/conversation/limits.ts";
import { isOutOfService, statusOf } from "#lib/conversation/selectors.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { useChat, useDraft } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { counted } from "../i18n/strings.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import styles from "./composer.module.css";

export interface ComposerProps {
  runtime: ChatRuntime;
  state: ConversationState;
  isTeam: boolean;
  /** Why nothing can be sent here; null when it can. */
  closed: FailureCode | null;
  ref: Ref<HTMLTextAreaElement>;
}

export function Composer({ runtime, state, isTeam, closed, ref }: ComposerProps) {
  const { t } = useChat();
  const draft = useDraft(runtime);
  const hintId = useId();
  const length = utf16Length(draft.text);
  const canSend =
    (hasVisibleText(draft.text) || draft.files.length > 0) &&
    length <= limits.messageTextLength &&
    closed === null;
  const canStop = statusOf(state) === "streaming" && state.reply?.stoppedAt === null;

  function send(): void {
    if (!canSend) return;
    runtime.send({ ...draft, text: isStorableText(draft.text) ? draft.text : withoutUnstorable(draft.text) });
    runtime.setDraft(emptyDraft);
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    send();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Enter also ends the choice of a word in an input method; old browsers say so by key code 229.
    if (event.key !== "Enter" || event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || hasOnScreenKeyboard()) return;
    event.preventDefault();
    send();
  }

  if (closed !== null && !isOutOfService(closed)) {
    return (
      <div className={styles["closed"]}>
        <p>{t.composer.closed}</p>
        <Button look="primary" onClick={() => runtime.open(null, { ...draft, files: [] })}>
          {t.panel.newChat}
        </Button>
      </div>
    );
  }
  return (
    <form className={styles["composer"]} onSubmit={onSubmit}>
      <div className={styles["field"]}>
        <TextField
          ref={ref}
          text={draft.text}
          label={t.composer.label}
          placeholder={isTeam ? t.composer.placeholderTeam : t.composer.placeholder}
          hintId={hintId}
          isTooLong={length > limits.messageTextLength}
          onKeyDown={onKeyDown}
          onChange={(text) => runtime.setDraft({ ...draft, text })}
        />
        {canStop ? (
          <IconButton
            label={t.composer.stop}
            icon={<Icon name="stop" />}
            className={styles["stop"]}
            onClick={runtime.stopShowing}
          />
        ) : (
          <IconButton
            type="submit"
            label={t.composer.send}
            icon={<Icon name="send" />}
            className={styles["send"]}
            aria-disabled={!canSend}
          />
        )}
      </div>
      <Counter id={hintId} length={length} hint={t.composer.hint} />
    </form>
  );
}

interface TextFieldProps {
  ref: Ref<HTMLTextAreaElement>;
  text: string;
  label: string;
  placeholder: string;
  hintId: string;
  isTooLong: boolean;
  onKeyDown(event: KeyboardEvent): void;
  onChange(text: string): void;
}

/** A field that grows with its text up to the height that its style allows. */
function TextField({
  ref,
  text,
  label,
  placeholder,
  hintId,
  isTooLong,
  onKeyDown,
  onChange,
}: TextFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what the height depends on
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null || CSS.supports("field-sizing", "content")) return;
    element.style.blockSize = "auto";
    element.style.blockSize = `${element.scrollHeight}px`;
  }, [text]);
  return (
    <textarea
      ref={(element) => {
        field.current = element;
        if (typeof ref === "function") ref(element);
        else if (ref !== null) ref.current = element;
      }}
      className={styles["text"]}
      rows={1}
      dir="auto"
      value={text}
      aria-label={label}
      aria-describedby={hintId}
      aria-invalid={isTooLong}
      placeholder={placeholder}
      autoComplete="off"
      enterKeyHint={hasOnScreenKeyboard() ? "enter" : "send"}
      onKeyDown={onKeyDown}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Counts as the API does, in UTF-16 units: an emoji is two or more. Silent until it matters. */
function Counter({ id, length, hint }: { id: string; length: number; hint: string }) {
  const { t, format } = useChat();
  const left = limits.messageTextLength - length;
  const isNear = length >= conversationLimits.counterFrom;
  return (
    <p id={id} className={styles["hint"]} data-shown={isNear} data-over={left < 0}>
      {left < 0
        ? counted(t.composer.tooLong, -left, format)
        : isNear
          ? counted(t.composer.left, left, format)
          : hint}
    </p>
  );
}

/** On-screen keyboards have no Shift+Enter: there Enter starts a new line, and the button sends. */
function hasOnScreenKeyboard(): boolean {
  return window.matchMedia("(hover: none) and (pointer: coarse)").matches;
}

/** Pasted text may hold what cannot be stored (U+0000, half an emoji): it is left out, the rest stays as typed. */
function withoutUnstorable(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}
