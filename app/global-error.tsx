"use client";

import "@fontsource-variable/bricolage-grotesque/wght.css";
import "./styles/tokens.css";
import "./globals.css";
import { Message } from "#components/shop/site/message.tsx";
import { Button } from "#components/ui/button.tsx";

/** Replaces the whole document when the root layout itself fails. */
export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main>
          <Message title="Something broke on our side.">
            <p>Please try again in a moment.</p>
            <p>
              <Button onClick={reset} variant="primary">
                Try again
              </Button>
            </p>
          </Message>
        </main>
      </body>
    </html>
  );
}
