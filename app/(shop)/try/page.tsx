import type { Metadata } from "next";
import { FeedbackSums } from "#components/shop/home/feedback-sums.tsx";
import { TryList } from "#components/shop/home/try-list.tsx";
import { PlugStrip } from "#components/shop/plug/plug-strip.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";
import { hasPlug } from "#lib/shop/server/plug.ts";

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
          What you can say, and what you will see. Choose a sentence to try it: you can change it before you
          send it. Your own words work just as well.
        </p>
      </PageHeader>
      {hasPlug() && <PlugStrip />}
      <TryList />
      <FeedbackSums />
    </Page>
  );
}
