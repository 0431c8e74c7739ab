import type { Metadata } from "next";
import { TryList } from "#components/shop/home/try-list.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";

export const metadata: Metadata = {
  title: "Try the chat",
  description:
    "What you can say to Wren and what you will see: every feature of the Chat API, by talking like a customer.",
  alternates: { canonical: "/try" },
};

export default function TryPage() {
  return (
    <Page>
      <PageHeader title="Try the chat" trail={[{ href: "/", label: "Home" }]}>
        <p>
          What you can say, and what you will see. A press puts the sentence into the chat; it is sent when
          you send it. They are examples, not commands: say it in your own words.
        </p>
      </PageHeader>
      <TryList />
    </Page>
  );
}
