/** A host's page on the parts of `shop-chat/react`, around its own part. */
import { createRoot } from "react-dom/client";
import { adoptSheets } from "../../components/chat/element/sheets.ts";
import { ChatParts, Composer, MessageList, useChatState } from "../../components/chat/react.tsx";
import { createChat } from "../../lib/engine/headless.ts";

const chat = createChat({ api: "/api/chat", locale: "en" });

function Count() {
  const messages = useChatState(chat, ({ conversation }) => conversation.messages);
  return <output>Messages: {messages.length}</output>;
}

adoptSheets(document);
chat.start();
createRoot(document.body).render(
  <ChatParts chat={chat} agentName="Wren" shopName="Tarn & Tread" suggestions={["Do you deliver?"]}>
    <Count />
    <MessageList />
    <Composer />
  </ChatParts>,
);
