/** Another part of the page opens the chat: `window.dispatchEvent(new CustomEvent("shop-chat:open", { detail }))`. */
export interface OpenRequest {
  /** Put into the composer, not sent. */
  draft?: string;
  chatId?: string;
}

export function toOpenRequest(detail: unknown): OpenRequest {
  if (typeof detail !== "object" || detail === null) return {};
  const { draft, chatId } = detail as Record<string, unknown>;
  return {
    ...(typeof draft === "string" ? { draft } : {}),
    ...(typeof chatId === "string" ? { chatId } : {}),
  };
}
