import { useChatContext } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";
import { Choices } from "./choices.tsx";
import styles from "./messages.module.css";

/** The content of a conversation without messages. */
export function Welcome({ focusComposer }: { focusComposer(): void }) {
  const { chat, t, shop } = useChatContext();
  return (
    <div className={styles["welcome"]}>
      <p className={styles["welcomeTitle"]}>{t.welcome.title}</p>
      <p dir="auto">{shop.disclosure?.text ?? fill(t.welcome.text, { name: shop.agentName })}</p>
      <Choices
        look="suggestions"
        label={t.welcome.suggestions}
        choices={shop.suggestions ?? []}
        onPick={(text) => {
          chat.send(text);
          focusComposer();
        }}
      />
    </div>
  );
}
