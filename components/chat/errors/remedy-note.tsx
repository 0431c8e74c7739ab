import { type ReactNode, useState } from "react";
import type { Failure } from "../../../lib/engine/failure.ts";
import { pausedUntil, type Remedy, type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import { isOutOfService } from "../../../lib/engine/state/selectors.ts";
import { useChatContext } from "../chat-context.ts";
import { Button, IconButton } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import { fill } from "../i18n/strings.ts";
import styles from "./errors.module.css";
import { useSecondsUntil } from "./waiting.tsx";

/** The buttons whose action depends on what has failed. The others mean the same everywhere. */
type ButtonOfPlace = Exclude<RemedyButton, "new_chat" | "reload_messages">;

export interface RemedyNoteProps {
  failure: Failure;
  /** Absent if no button could do anything here. */
  onPress?: ((button: ButtonOfPlace) => void) | undefined;
  /** Replaces the error code's own remedy. */
  remedy?: Remedy | undefined;
  /** Replaces the remedy's sentence. */
  text?: string | undefined;
  /** Follows the sentence, in place of a waiting button. Not announced, because it changes every second. */
  countdown?: string;
  /** Further buttons, behind the remedy's own. */
  actions?: ReactNode;
  /** A button in the corner. */
  corner?: ReactNode;
  /** `line` below a customer's message, `banner` in place of messages; by default a quiet note. */
  weight?: "line" | "banner";
}

/** The buttons that send the same request again, which the server may have asked to delay. */
const repeating: readonly RemedyButton[] = ["try_again", "ask_again"];

/** Explains a failure, announces it, and offers the button of its remedy. */
export function RemedyNote({
  failure,
  onPress,
  remedy = remedyFor(failure),
  text,
  countdown,
  actions,
  corner,
  weight,
}: RemedyNoteProps) {
  const { chat, t, format } = useChatContext();
  const [shownAt] = useState(Date.now);
  const [showsId, setShowsId] = useState(false);
  const { button } = remedy;
  const until = pausedUntil({ ...failure, at: failure.at ?? shownAt }, shownAt);
  const seconds = useSecondsUntil(button !== null && repeating.includes(button) ? until : null);
  function press(pressed: RemedyButton): void {
    if (pressed === "new_chat") chat.startOver();
    else if (pressed === "reload_messages") chat.reload();
    else onPress?.(pressed);
  }

  return (
    <div className={styles["note"]} data-code={failure.code} data-weight={weight}>
      {failure.requestId === null ? (
        <Icon name="warning" size={18} />
      ) : (
        <IconButton
          label={t.notes.details}
          icon={<Icon name="warning" size={18} />}
          aria-expanded={showsId}
          onClick={() => setShowsId(!showsId)}
        />
      )}
      <div className={styles["what"]}>
        <p>
          <span role="alert">{text ?? t.remedies[remedy.text]}</span> {countdown}{" "}
          {button !== null && onPress !== undefined && (seconds === 0 || countdown === undefined) && (
            <Button disabled={seconds > 0} onClick={() => press(button)}>
              {t.buttons[button]}
              {seconds > 0 && ` ${format.wait(seconds)}`}
            </Button>
          )}{" "}
          {actions}
        </p>
        {failure.hint !== null && <p>{failure.hint}</p>}
        {remedy.showsContact && <ContactLine />}
        {showsId && failure.requestId !== null && <RequestId id={failure.requestId} />}
      </div>
      {corner}
    </div>
  );
}

/** The request's ID, to quote to support. It can be selected if clipboard access is refused. */
function RequestId({ id }: { id: string }) {
  const { t } = useChatContext();
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard?.writeText(id).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <p className={styles["requestId"]}>
      {t.notes.requestId} <code>{id}</code>
      <button type="button" onClick={() => void copy()}>
        {isCopied ? t.notes.copied : t.notes.copy}
      </button>
    </p>
  );
}

export interface HistoryNoteProps {
  failure: Failure;
  /** When the chat is read again automatically; null if that would not help. */
  retryAt: number | null;
}

/** Shown in place of messages that could not be read. */
export function HistoryNote({ failure, retryAt }: HistoryNoteProps) {
  const { chat, t, format } = useChatContext();
  const seconds = useSecondsUntil(retryAt);
  const retried = retryAt !== null && {
    remedy: { ...remedyFor(failure), button: "try_again" as const },
    text: isOutOfService(failure.code) ? t.remedies.not_available : t.problems.notRead,
    countdown: seconds > 0 ? fill(t.notes.readAgain, { seconds: format.number(seconds) }) : "",
  };
  return <RemedyNote weight="banner" failure={failure} onPress={chat.reload} {...retried} />;
}

/** How to reach people when the chat cannot help. */
export function ContactLine() {
  const { t, shop } = useChatContext();
  if (!shop.contact) return null;
  const [before = "", after = ""] = t.notes.contact.split("{contact}");
  return (
    <p className={styles["contact"]}>
      {before}
      <a href={shop.contact.href}>
        <bdi>{shop.contact.label}</bdi>
      </a>
      {after}
    </p>
  );
}
