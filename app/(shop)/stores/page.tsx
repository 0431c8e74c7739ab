import type { Metadata } from "next";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";
import { StructuredData } from "#components/shop/site/structured-data.tsx";
import { storeData } from "#components/shop/stores/store-data.ts";
import { StoreSection } from "#components/shop/stores/store-section.tsx";
import { Link } from "#components/ui/link.tsx";
import { stores } from "#lib/shop/stores.ts";
import { shopOrigin } from "../shop-origin.ts";

export const metadata: Metadata = {
  title: "Our shops and their hours",
  description:
    "Kelderby, Brackwater and Ostle Quay: addresses, opening hours, workshops and how to get there.",
  alternates: { canonical: "/stores" },
};

export default function StoresPage() {
  const now = new Date();
  return (
    <Page>
      {stores.map((store) => (
        <StructuredData data={storeData(store, shopOrigin())} key={store.id} />
      ))}
      <PageHeader title="Three shops" trail={[{ href: "/", label: "Home" }]}>
        <p>
          All of them take returns and hand over what you ordered. Holidays are in{" "}
          <Link href="/help/store-hours#holidays">the help centre</Link>; the team in the chat has{" "}
          <Link href="/help/contact">hours of its own</Link>.
        </p>
      </PageHeader>
      {stores.map((store) => (
        <StoreSection key={store.id} now={now} store={store} />
      ))}
    </Page>
  );
}
