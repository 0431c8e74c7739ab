import type { Metadata } from "next";
import { OrderLookup } from "#components/shop/orders/order-lookup.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";
import { Link } from "#components/ui/link.tsx";

export const metadata: Metadata = {
  title: "Track an order",
  description:
    "Where is it? Look up an order, a repair or a collection by its reference and your e-mail address.",
  alternates: { canonical: "/orders" },
};

export default function OrdersPage() {
  return (
    <Page>
      <PageHeader title="Track an order" trail={[{ href: "/", label: "Home" }]}>
        <p>
          Online orders, repairs and things to collect. If you <Link href="/account">sign in</Link>, all of
          yours are in your account. What the words mean is in{" "}
          <Link href="/help/order-tracking">the help centre</Link>.
        </p>
      </PageHeader>
      <OrderLookup />
    </Page>
  );
}
