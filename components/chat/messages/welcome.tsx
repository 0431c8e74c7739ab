import { useChatContext } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./messages.module.css";

/** The content of a conversation without messages. */
export function Welcome({ focusComposer }: { focusComposer(): void }) {
  const { chat, t, shop } = useChatContext();
  return (
    <div className={styles["welcome"]}>
      <p className={styles["welcomeTitle"]}>{t.welcome.title}</p>
      <p>{shop.disclosure?.text ?? fill(t.welcome.text, { name: shop.agentName })}</p>
      {shop.suggestions && shop.suggestions.length > 0 && (
        <ul className={styles["suggestions"]} aria-label={t.welcome.suggestions}>
          {shop.suggestions.map((text) => (
            <li key={text}>
              <button
                type="button"
                onClick={() => {
                  chat.send(text);
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
