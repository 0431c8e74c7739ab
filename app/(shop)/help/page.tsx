import { HelpCentre } from "#components/shop/help/help-centre.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { centreMetadata, readQuery } from "./help-metadata.ts";

export const metadata = centreMetadata("en");

export default async function HelpPage({ searchParams }: PageProps<"/help">) {
  const { q } = await searchParams;
  return (
    <Page>
      <HelpCentre locale="en" query={readQuery(q)} />
    </Page>
  );
}
