import { ChatWidget } from "#components/chat/chat-widget.tsx";
import styles from "./shop-chat.module.css";

/** Mounts the chat, in the shop's colours. */
export function ShopChat({ locale }: { locale: string }) {
  return (
    <div className={styles["look"]}>
      <ChatWidget
        agentName="Wren"
        shopName="Tarn & Tread"
        locale={locale}
        contact={{ label: "+44 1632 960101", href: "tel:+441632960101" }}
        suggestions={[
          "Do you deliver to Ireland?",
          "Which helmets do you have?",
          "Where is my order?",
          "I would like to speak to a person.",
        ]}
      />
    </div>
  );
}
