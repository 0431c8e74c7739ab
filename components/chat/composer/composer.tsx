import { type Ref, type SubmitEvent, useId, useRef, useState } from "react";
import { limits } from "../../../lib/chat-api/limits.ts";
import { hasVisibleText, toStorableText, utf16Length } from "../../../lib/chat-api/text.ts";
import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import { emptyDraft } from "../../../lib/engine/chats/draft.ts";
import type { FailureCode } from "../../../lib/engine/failure.ts";
import { isOutOfService, statusOf } from "../../../lib/engine/state/selectors.ts";
import type { ConversationState } from "../../../lib/engine/state/state.ts";
import { useChat, useDraft } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { LazyPart, lazyParts } from "../controls/lazy-parts.tsx";
import type { Strings } from "../i18n/language.ts";
import { AttachButtons } from "./attach-buttons.tsx";
import styles from "./composer.module.css";
import { Counter } from "./counter.tsx";
import { TextField } from "./text-field.tsx";

const attachmentParts = lazyParts(() => import("../attachments/attachment-bar.tsx"));

export interface ComposerProps {
  runtime: ChatRuntime;
  state: ConversationState;
  isTeam: boolean;
  /** Why the customer cannot send here; null if they can. */
  closed: FailureCode | null;
  /** Files that were dropped on the panel. Each new array is taken over once. */
  dropped: readonly File[];
  ref: Ref<HTMLTextAreaElement>;
}

export function Composer({ runtime, state, isTeam, closed, dropped, ref }: ComposerProps) {
  const { t } = useChat();
  const draft = useDraft(runtime);
  const hintId = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const { incoming, isTaken, take, onTaken } = useIncomingFiles(dropped);
  const [isHeld, setHeld] = useState(false);
  const length = utf16Length(draft.text);
  const hasContent = hasVisibleText(draft.text) || draft.files.length > 0;
  const isTooMuch = length > limits.messageTextLength || draft.files.length > limits.filesPerMessage;
  const awaitsFiles = isHeld || !isTaken || draft.lost.length > 0;
  const canSend = hasContent && !awaitsFiles && !isTooMuch && closed === null;
  const canStop = statusOf(state) === "streaming" && state.reply?.stoppedAt === null;

  function send(): void {
    if (!canSend) return;
    runtime.delivery.send({ ...draft, text: toStorableText(draft.text) });
    runtime.draft.set(emptyDraft);
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    send();
  }

  if (closed !== null && !isOutOfService(closed)) return <ClosedNote closed={closed} runtime={runtime} />;
  return (
    <form className={styles["composer"]} data-composer="" onSubmit={onSubmit}>
      {incoming.length + draft.files.length + draft.lost.length > 0 && (
        <LazyPart of={attachmentParts} key={state.createKey}>
          {({ AttachmentBar }) => (
            <AttachmentBar
              runtime={runtime}
              incoming={incoming}
              isTaken={isTaken}
              onTaken={onTaken}
              onHold={setHeld}
              onChoose={() => chooser.current?.click()}
            />
          )}
        </LazyPart>
      )}
      <div className={styles["field"]}>
        <AttachButtons chooser={chooser} onFiles={take} />
        <TextField
          ref={ref}
          text={draft.text}
          label={t.composer.label}
          placeholder={isTeam ? t.composer.placeholderTeam : t.composer.placeholder}
          hintId={hintId}
          isTooLong={length > limits.messageTextLength}
          onSend={send}
          onFiles={take}
          onChange={(text) => runtime.draft.set({ ...runtime.draft.get(), text })}
        />
        {canStop && !hasContent ? (
          <IconButton
            label={t.composer.stop}
            icon={<Icon name="stop" />}
            className={styles["send"]}
            onClick={runtime.delivery.stopShowing}
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
      <Counter id={hintId} length={length} />
    </form>
  );
}

function ClosedNote({ closed, runtime }: { closed: FailureCode; runtime: ChatRuntime }) {
  const { t } = useChat();
  return (
    <div className={styles["closed"]} data-composer="" data-code={closed}>
      <p role="alert">{t.remedies[endOf(closed)]}</p>
      <Button look="primary" onClick={runtime.chats.startOver}>
        {t.buttons.new_chat}
      </Button>
    </div>
  );
}

function endOf(closed: FailureCode): keyof Strings["remedies"] {
  if (closed === "chat_closed") return "chat_closed";
  return closed === "operation_capacity_reached" ? "chat_full" : "chat_gone";
}

/**
 * Files from the buttons, the clipboard and the panel's drop zone. Tracks whether the attachment bar has
 * taken them over, because the bar may mount later, and more than once.
 */
function useIncomingFiles(dropped: readonly File[]) {
  const [{ incoming, isTaken }, set] = useState<{ incoming: readonly File[]; isTaken: boolean }>({
    incoming: [],
    isTaken: true,
  });
  const [lastDropped, setLastDropped] = useState(dropped);
  const take = (files: readonly File[]) => {
    if (files.length === 0) return;
    // The bar may still be loading: new files join those that wait for it.
    set((now) => ({ incoming: now.isTaken ? files : [...now.incoming, ...files], isTaken: false }));
  };
  if (dropped !== lastDropped) {
    setLastDropped(dropped);
    take(dropped);
  }
  return { incoming, isTaken, take, onTaken: () => set({ incoming, isTaken: true }) };
}
