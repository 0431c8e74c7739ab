import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";

interface AskButtonProps {
  /** Text for the composer, which the customer sends. Absent: opens the chat as it was. */
  draft?: string | undefined;
  variant?: "primary" | "secondary" | undefined;
  size?: "medium" | "small" | undefined;
  children: ReactNode;
}

/** Opens the chat with a message in its composer. */
export function AskButton({ draft, children, ...look }: AskButtonProps) {
  return (
    <Button {...look} data-shop-chat-open={draft ?? ""}>
      {children}
    </Button>
  );
}
