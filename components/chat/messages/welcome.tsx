import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import { useChat } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./messages.module.css";

/** The content of a conversation without messages. */
export function Welcome({ runtime, focusComposer }: { runtime: ChatRuntime; focusComposer(): void }) {
  const { t, shop } = useChat();
  return (
    <div className={styles["welcome"]}>
      <p className={styles["welcomeTitle"]}>{t.welcome.title}</p>
      <p>{fill(t.welcome.text, { name: shop.agentName })}</p>
      {shop.suggestions.length > 0 && (
        <ul className={styles["suggestions"]} aria-label={t.welcome.suggestions}>
          {shop.suggestions.map((text) => (
            <li key={text}>
              <button
                type="button"
                onClick={() => {
                  runtime.delivery.send({ text, files: [] });
                  focusComposer();
                }}
              >
                <bdi>{text}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
