"use client";

import { Message } from "#components/shop/site/message.tsx";
import { Button } from "#components/ui/button.tsx";

/**
 * The page for a failed render, whose cause the server's log has under `digest`, and for an action that did
 * not reach the server.
 */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <Message title="Something broke.">
      <p>Check your connection and try again. If it happens again, ring us, or ask in the chat.</p>
      {error.digest ? <p>Error number: {error.digest}</p> : null}
      <p>
        <Button onClick={reset} variant="primary">
          Try again
        </Button>
      </p>
    </Message>
  );
}
