import type { Metadata } from "next";
import { AccountPanel } from "#components/shop/account/account-panel.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";
import { customers } from "#lib/shop/orders.ts";

export const metadata: Metadata = {
  title: "Your account",
  robots: { index: false },
};

export default function AccountPage() {
  return (
    <Page>
      <PageHeader title="Your account" trail={[{ href: "/", label: "Home" }]}>
        <p>
          Nobody here is real, so no password is asked: choose a customer. Wren then knows your orders, and
          your chats are kept for you alone.
        </p>
      </PageHeader>
      <AccountPanel customers={customers} />
    </Page>
  );
}
