/** `shop-chat/react`: the widget, and its parts for an interface of the host's own. */
export { ChatWidget, type ChatWidgetProps, type WidgetEvent } from "./chat-widget.tsx";

export {
  Cards,
  ChatParts,
  type ChatPartsProps,
  Composer,
  Form,
  MessageList,
  useChat,
} from "./parts.tsx";
