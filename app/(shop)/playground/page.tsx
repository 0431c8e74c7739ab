import type { Metadata } from "next";
import { connection } from "next/server";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";
import { pictureOrigins } from "../shop-origin.ts";
import { Playground } from "./playground.tsx";

export const metadata: Metadata = {
  title: "Chat playground",
  description: "Choose where the chat sits in the page and how it looks, and copy the code for it.",
  alternates: { canonical: "/playground" },
};

export default async function PlaygroundPage() {
  await connection();
  return (
    <Page>
      <PageHeader title="Chat playground" trail={[{ href: "/", label: "Home" }]}>
        <p>Choose where the chat sits and how it looks, then copy the code.</p>
      </PageHeader>
      <Playground pictureOrigins={pictureOrigins()} />
    </Page>
  );
}
