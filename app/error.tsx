"use client";

import { Message } from "#components/shop/site/message.tsx";
import { Button } from "#components/ui/button.tsx";

/** The page for a failed render. The server's log has the cause under `digest`. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <Message title="Something broke on our side.">
      <p>Please try again. If it stays like this, ring us, or ask in the chat.</p>
      {error.digest ? <p>Error number: {error.digest}</p> : null}
      <p>
        <Button onClick={reset} variant="primary">
          Try again
        </Button>
      </p>
    </Message>
  );
}
