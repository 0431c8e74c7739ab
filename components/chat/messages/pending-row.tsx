import { assertNever } from "#lib/conversation/assert-never.ts";
import { type Draft, joinDrafts } from "#lib/conversation/draft.ts";
import { type RemedyButton, remedyFor } from "#lib/conversation/remedies.ts";
import type { Delivery, PendingMessage } from "#lib/conversation/state.ts";
import { useChat } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { Icon, type IconName } from "../controls/icons.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import { useSecondsUntil } from "../errors/use-seconds-until.ts";
import { fill } from "../i18n/strings.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { Attached } from "./attached.tsx";
import { MessageText } from "./message-text.tsx";
import styles from "./messages.module.css";
import { Row } from "./row.tsx";

export interface PendingRowProps {
  runtime: ChatRuntime;
  pending: PendingMessage;
  startsGroup: boolean;
}

/** A message of the customer's that is on its way. */
export function PendingRow({ runtime, pending: { record, delivery }, startsGroup }: PendingRowProps) {
  const { t } = useChat();
  const takeBack = () => runtime.setDraft(joinDrafts(runtime.getDraft(), runtime.takeBack(record.key)));
  return (
    <Row
      className={styles["row"]}
      data-role="visitor"
      data-starts={startsGroup}
      data-delivery={delivery.state}
    >
      <Hidden>{fill(t.messages.said, { name: t.messages.you })}</Hidden>
      {record.text !== "" && (
        <div className={styles["bubble"]} data-ends="true">
          <MessageText text={record.text} />
        </div>
      )}
      <Attached files={record.files} />
      {delivery.state === "refused" ? (
        <RemedyNote
          failure={delivery.failure}
          onPress={(button) => press(button, record.key, runtime)}
          others={[
            ...(remedyFor(delivery.failure).button === "edit"
              ? []
              : [{ label: t.delivery.edit, icon: "edit" as const, onPress: takeBack }]),
            { label: t.delivery.remove, icon: "trash", onPress: () => runtime.takeBack(record.key) },
          ]}
        />
      ) : (
        <DeliveryState delivery={delivery} />
      )}
    </Row>
  );
}

function press(button: RemedyButton, key: string, runtime: ChatRuntime): void {
  switch (button) {
    case "try_again":
    case "ask_again":
    case "upload_again":
      runtime.retry(key);
      break;
    case "new_chat":
      runtime.open(null, joinDrafts(runtime.getDraft(), withoutFiles(runtime.takeBack(key))));
      break;
    case "edit":
    case "review_form":
    case "ask_person":
      runtime.setDraft(joinDrafts(runtime.getDraft(), runtime.takeBack(key)));
      break;
    case "attach_again":
    case "choose_file":
      runtime.setDraft(joinDrafts(runtime.getDraft(), withoutFiles(runtime.takeBack(key))));
      break;
    case "reload_messages":
      runtime.reload();
      break;
    case "reload_page":
      // Sent again by the new page: as this one goes, so that it cannot be refused here once more.
      window.addEventListener("pagehide", () => runtime.retry(key), { once: true });
      window.location.reload();
      break;
    default:
      assertNever(button);
  }
}

/** Files belong to the chat that they were uploaded to. */
const withoutFiles = (draft: Draft): Draft => ({ ...draft, files: [] });

const icons: Record<Exclude<Delivery["state"], "refused">, IconName> = {
  queued: "clock",
  sending: "clock",
  checking: "clock",
  waiting: "clock",
  stored: "check",
};

function DeliveryState({ delivery }: { delivery: Exclude<Delivery, { state: "refused" }> }) {
  const { t, format } = useChat();
  const waiting = delivery.state === "waiting" ? waitingText(delivery) : null;
  // Without a network it is the network that is waited for, and not the next try.
  const seconds = useSecondsUntil(delivery.state === "waiting" && waiting !== "offline" ? delivery.at : null);
  const text = {
    queued: t.delivery.queued,
    sending: t.delivery.sending,
    checking: t.delivery.checking,
    waiting: t.delivery.checking,
    stored: t.delivery.sent,
  }[delivery.state];
  return (
    <p className={styles["time"]}>
      <Icon name={icons[delivery.state]} size={14} />
      {waiting === null ? text : t.waiting[waiting]}
      {seconds > 1 && <span> {format.wait(seconds)}</span>}
    </p>
  );
}

function waitingText({ failure }: Extract<Delivery, { state: "waiting" }>) {
  switch (failure.code) {
    case "turn_in_progress":
      return "turn";
    case "rate_limited":
      return "fast";
    case "capacity_limited":
    case "chat_limit_reached":
      return "busy";
    case "connection_lost":
      return navigator.onLine ? "connection" : "offline";
    default:
      return "service";
  }
}
