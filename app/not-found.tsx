import type { Metadata } from "next";
import { Message } from "#components/shop/site/message.tsx";
import { ButtonLink } from "#components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Message title="This path leads nowhere.">
      <p>The page may have moved, or the address has a slip in it.</p>
      <p>
        <ButtonLink href="/products" variant="primary">
          To the shop
        </ButtonLink>{" "}
        <ButtonLink href="/help">To the help centre</ButtonLink>
      </p>
    </Message>
  );
}
