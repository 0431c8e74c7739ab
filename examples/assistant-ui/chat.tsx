import * as ui from "@assistant-ui/react";
import { useMemo } from "react";
import { createRoot } from "react-dom/client";
import { closedBy, createChat, remedyFor, statusOf, type TimelineRow, timelineOf } from "shop-chat/headless";
import { Cards, ChatParts, Form, useChatState } from "shop-chat/react";
import "shop-chat/style.css";

const chat = createChat({ api: "/api/chat", locale: "en" });
chat.start();

function toMessage(row: TimelineRow): ui.ThreadMessageLike {
  const shared = { id: row.id, metadata: { custom: { row } } };
  if (row.kind === "message")
    return {
      ...shared,
      role: row.message.role === "visitor" ? "user" : "assistant",
      content: row.message.text,
    };
  if (row.kind === "reply") return { ...shared, role: "assistant", content: row.reply.text };
  return { ...shared, role: "user", content: row.kind === "pending" ? row.pending.record.text : "" };
}

function useRuntime() {
  const conversation = useChatState(chat, (state) => state.conversation);
  const messages = useMemo(
    () => timelineOf(conversation).filter(({ kind }) => /^(?:message|pending|reply|note)$/.test(kind)),
    [conversation],
  );
  return ui.useExternalStoreRuntime({
    messages,
    convertMessage: toMessage,
    isRunning: statusOf(conversation) === "streaming",
    isSendDisabled: closedBy(conversation) !== null,
    hasEarlier: conversation.history.hasOlder,
    onLoadEarlier: chat.loadOlder,
    onCancel: async () => chat.stop(),
    async onNew({ content }) {
      chat.send(content.map((part) => (part.type === "text" ? part.text : "")).join("\n"));
    },
  });
}

/** The sentence for a refused message, and the one button that helps. */
function Remedy({ row }: { row: Extract<TimelineRow, { kind: "note" }> }) {
  if (row.pending.delivery.state !== "refused") return null;
  const { text, button } = remedyFor(row.pending.delivery.failure);
  const press = button === "new_chat" ? chat.startOver : () => chat.retry(row.keys);
  return (
    <>
      <p role="alert">{text.replaceAll("_", " ")}</p>
      {button && <input type="button" value={button} onClick={press} />}
    </>
  );
}

function Message() {
  const row = ui.useAuiState(({ message }) => message.metadata.custom["row"]) as TimelineRow;
  return (
    <ui.MessagePrimitive.Root>
      {row.kind === "note" ? <Remedy row={row} /> : <ui.MessagePrimitive.Parts />}
      {row.kind === "message" && <Cards message={row.message} />}
    </ui.MessagePrimitive.Root>
  );
}

function Thread() {
  return (
    <ui.AssistantRuntimeProvider runtime={useRuntime()}>
      <ui.ThreadPrimitive.Root>
        <ui.ThreadPrimitive.Viewport>
          <ui.ThreadPrimitive.Messages>{() => <Message />}</ui.ThreadPrimitive.Messages>
          <Form />
        </ui.ThreadPrimitive.Viewport>
        <ui.ComposerPrimitive.Root>
          <ui.ComposerPrimitive.Input aria-label="Message" />
          <ui.ComposerPrimitive.Send>Send</ui.ComposerPrimitive.Send>
        </ui.ComposerPrimitive.Root>
      </ui.ThreadPrimitive.Root>
    </ui.AssistantRuntimeProvider>
  );
}

createRoot(document.querySelector("#chat") as HTMLElement).render(
  <ChatParts chat={chat} agentName="Wren" shopName="Tarn & Tread">
    <Thread />
  </ChatParts>,
);
