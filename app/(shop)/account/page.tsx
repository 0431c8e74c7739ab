import type { Metadata } from "next";
import { cookies } from "next/headers";
import { Account, SignIn } from "#components/shop/account/account.tsx";
import { SessionNotice } from "#components/shop/account/session-notice.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";
import { customers, ordersOf } from "#lib/shop/orders.ts";
import { customerOfSession, sessionCookie } from "#lib/shop/server/sign-in.ts";
import { signIn, signOut } from "./actions.ts";

export const metadata: Metadata = {
  title: "Your account",
  robots: { index: false },
  // With `no-referrer`, browsers send forms with `Origin: null` before scripts arrive, and Next refuses that.
  referrer: "same-origin",
};

export default async function AccountPage() {
  const customer = customerOfSession((await cookies()).get(sessionCookie.name)?.value);
  return (
    <Page>
      <PageHeader title="Your account" trail={[{ href: "/", label: "Home" }]}>
        <p>
          Nobody here is real, so no password is asked: choose a customer. Wren then knows your orders, and
          your chats are kept for you alone.
        </p>
      </PageHeader>
      <SessionNotice customerId={customer?.id} />
      {customer === null ? (
        <SignIn action={signIn} customers={customers} />
      ) : (
        <Account customer={customer} key={customer.id} orders={ordersOf(customer.id)} signOut={signOut} />
      )}
    </Page>
  );
}
