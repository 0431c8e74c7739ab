import type { Metadata } from "next";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";
import { hasPlug } from "#lib/shop/server/plug.ts";
import { pictureOrigins } from "../shop-origin.ts";
import { Playground } from "./playground.tsx";

export const metadata: Metadata = {
  title: "Chat playground",
  description: "Choose where the chat sits in the page and how it looks, and copy the code for it.",
  alternates: { canonical: "/playground" },
};

interface PlaygroundPageProps {
  searchParams: Promise<{ mode?: string | string[] }>;
}

/** `?mode=floating` begins with another mode. */
export default async function PlaygroundPage({ searchParams }: PlaygroundPageProps) {
  const { mode } = await searchParams;
  return (
    <Page>
      <PageHeader title="Chat playground" trail={[{ href: "/", label: "Home" }]}>
        <p>Choose where the chat sits and how it looks, then copy the code.</p>
      </PageHeader>
      <Playground hasPlug={hasPlug()} wantedMode={String(mode)} pictureOrigins={pictureOrigins()} />
    </Page>
  );
}
