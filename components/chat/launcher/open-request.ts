/** How another part of the page opens the chat: `new CustomEvent("shop-chat:open", { detail })`. */
export interface OpenRequest {
  /** Text for the composer; it is not sent. */
  draft?: string;
  chatId?: string;
}

/** The request in the page's own address, `?chat=<chat ID>`. */
export function linkedChat(): OpenRequest | null {
  const chatId = new URL(window.location.href).searchParams.get("chat");
  return chatId === null ? null : { chatId };
}

export function toOpenRequest(detail: unknown): OpenRequest {
  if (typeof detail !== "object" || detail === null) return {};
  const { draft, chatId } = detail as Record<string, unknown>;
  return {
    ...(typeof draft === "string" ? { draft } : {}),
    ...(typeof chatId === "string" ? { chatId } : {}),
  };
}
