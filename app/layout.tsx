import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { ShopChat } from "#components/shop/shop-chat.tsx";
import { SiteFooter } from "#components/shop/site/site-footer.tsx";
import { SiteHeader } from "#components/shop/site/site-header.tsx";
import { SkipLinks } from "#components/shop/site/skip-links.tsx";
import { readTheme, themeCookie } from "#components/shop/site/theme.ts";
import { stores } from "#lib/shop/stores.ts";
import { pictureOrigins, shopOrigin } from "./(shop)/shop-origin.ts";
// Not by `next/font`, which knows one Unicode range a call: this file has those of three subsets.
import "@fontsource-variable/bricolage-grotesque/wght.css";
import "./styles/tokens.css";
import "./globals.css";
import styles from "./styles/layout.module.css";

export async function generateMetadata(): Promise<Metadata> {
  // The shop's origin is known at run time, not at build time.
  await connection();
  return { ...description, metadataBase: new URL(shopOrigin()) };
}

const description: Metadata = {
  title: { default: "Tarn & Tread: bicycles, outdoor gear and a workshop", template: "%s · Tarn & Tread" },
  description:
    "Bicycles, outdoor gear and a repair workshop in Kelderby, Brackwater and Ostle Quay. A demonstration shop with a chat.",
  openGraph: { siteName: "Tarn & Tread", type: "website", locale: "en_GB" },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#faf7f1" },
    { media: "(prefers-color-scheme: dark)", color: "#12181b" },
  ],
};

/** The footer shows these alone, so browsers load no opening hours. */
const telephones = stores.map(({ id, name, phone }) => ({ id, name, phone }));

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The cookie makes every page render per request, as the nonce on Next's scripts needs. That costs 9 ms of
  // CPU and 5 ms until the first byte (docs/decisions/046-pages-are-rendered-per-request.md).
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  return (
    <html data-theme={theme} lang="en">
      <body>
        <SkipLinks />
        <SiteHeader theme={theme} />
        <main className={styles["main"]} id="main" tabIndex={-1}>
          {children}
        </main>
        <SiteFooter stores={telephones} />
        <ShopChat pictureOrigins={pictureOrigins()} />
      </body>
    </html>
  );
}
