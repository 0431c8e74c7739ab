import { assertNever } from "../../../lib/engine/assert-never.ts";
import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import { type Draft, joinDrafts, withoutFiles } from "../../../lib/engine/chats/draft.ts";
import type { RemedyButton } from "../../../lib/engine/remedies.ts";

/** Moves the refused messages back into the draft. */
export function takeBack(
  runtime: ChatRuntime,
  keys: readonly string[],
  change = (draft: Draft) => draft,
): void {
  for (const key of keys.toReversed())
    runtime.draft.set(joinDrafts(runtime.draft.get(), change(runtime.delivery.takeBack(key))));
}

/** Applies the note's button to the note's messages. */
export function pressButton(button: RemedyButton, keys: readonly string[], runtime: ChatRuntime): void {
  switch (button) {
    case "try_again":
    case "ask_again":
      for (const key of keys) runtime.delivery.retry(key);
      break;
    case "new_chat":
      runtime.chats.startOver();
      break;
    case "edit":
    case "review_form":
    case "ask_person":
      takeBack(runtime, keys);
      break;
    case "attach_again":
    case "choose_file":
      takeBack(runtime, keys, withoutFiles);
      break;
    case "reload_messages":
      runtime.history.reload();
      break;
    default:
      assertNever(button);
  }
}
