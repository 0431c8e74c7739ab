"use client";

import { Message } from "#components/shop/site/message.tsx";
import { Button } from "#components/ui/button.tsx";

/** A page that failed. What happened is in the server's log; `digest` names it there. */
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
      {error.digest ? <p>Number of the fault: {error.digest}</p> : null}
      <p>
        <Button onClick={reset} variant="primary">
          Try again
        </Button>
      </p>
    </Message>
  );
}
