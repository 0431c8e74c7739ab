import { type ChangeEvent, type Ref, type RefObject, type SubmitEvent, useId, useRef } from "react";
import { errorRules } from "../../../lib/chat-api/errors.ts";
import { fileMediaTypes } from "../../../lib/chat-api/limits.ts";
import { utf16Length } from "../../../lib/chat-api/text.ts";
import type { FailureCode } from "../../../lib/engine/failure.ts";
import { awaitsFiles } from "../../../lib/engine/state/attachments.ts";
import { closedBy, isOutOfService, isSendable, statusOf } from "../../../lib/engine/state/selectors.ts";
import { AttachmentBar } from "../attachments/attachment-bar.tsx";
import { useChatContext, useChatState, useConversation } from "../chat-context.ts";
import { ConsentQuestion } from "../consent/consent.tsx";
import { hasOnScreenKeyboard } from "../controls/browser.ts";
import { Button, IconButton } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import styles from "./composer.module.css";
import { Counter } from "./counter.tsx";
import { TextField } from "./text-field.tsx";

/** The field for text and files. A chat that has ended has a button for a new one in its place. */
export function Composer({ ref }: { ref?: Ref<HTMLTextAreaElement> | undefined }) {
  const { chat, t, consent } = useChatContext();
  const state = useConversation();
  const closed = closedBy(state);
  const draft = useChatState(chat, (all) => all.draft);
  const uploads = useChatState(chat, (all) => all.uploads);
  const hintId = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const canSend = isSendable(draft, state) && !awaitsFiles({ draft, uploads });
  const canStop = useConversation((all) => statusOf(all) === "streaming" && all.reply?.stoppedAt === null);

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    chat.send();
  }

  if (closed !== null && !isOutOfService(closed)) return <ClosedNote closed={closed} />;
  return (
    <>
      {/* Each try to send asks again. */}
      {consent && <ConsentQuestion key={consent.times} question={consent} />}
      <form className={styles["composer"]} data-composer="" onSubmit={onSubmit}>
        {/* The question names the chosen files, which are not lost yet. */}
        {!consent?.fileNames.length && uploads.length + draft.files.length + draft.lost.length > 0 && (
          <AttachmentBar key={state.createKey} onChoose={() => chooser.current?.click()} />
        )}
        <div className={styles["field"]}>
          <AttachButtons chooser={chooser} />
          <TextField ref={ref} hintId={hintId} />
          {canStop && (
            <IconButton
              label={t.composer.stop}
              icon={<Icon name="stop" />}
              data-look="primary"
              onClick={chat.stop}
            />
          )}
          <IconButton
            type="submit"
            label={t.composer.send}
            icon={<Icon name="send" />}
            data-look="primary"
            aria-disabled={!canSend}
          />
        </div>
        <Counter id={hintId} length={utf16Length(draft.text)} />
      </form>
    </>
  );
}

function ClosedNote({ closed }: { closed: FailureCode }) {
  const { chat, t } = useChatContext();
  return (
    <div className={styles["closed"]} data-composer="" data-code={closed}>
      <p role="alert">{t.remedies[errorRules[closed].text]}</p>
      <Button look="primary" onClick={chat.startOver}>
        {t.buttons.new_chat}
      </Button>
    </div>
  );
}

/**
 * A button that chooses files, and on phones and tablets one that takes a picture. Other components click the
 * file input `chooser`, too.
 */
function AttachButtons({ chooser }: { chooser: RefObject<HTMLInputElement | null> }) {
  const { chat, t } = useChatContext();
  const camera = useRef<HTMLInputElement>(null);

  function onChange(event: ChangeEvent<HTMLInputElement>): void {
    chat.attach([...(event.target.files ?? [])]);
    // Lets the customer choose the same file again after removing it.
    event.target.value = "";
  }

  return (
    <>
      <input ref={chooser} type="file" multiple hidden accept={fileMediaTypes.join()} onChange={onChange} />
      <input ref={camera} type="file" hidden accept="image/*" capture="environment" onChange={onChange} />
      <IconButton
        label={t.composer.attach}
        icon={<Icon name="attach" />}
        onClick={() => chooser.current?.click()}
      />
      {/* Elsewhere the file chooser is enough. */}
      {hasOnScreenKeyboard() && (
        <IconButton
          label={t.composer.camera}
          icon={<Icon name="camera" />}
          onClick={() => camera.current?.click()}
        />
      )}
    </>
  );
}
