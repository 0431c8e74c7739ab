import type { Metadata } from "next";
import { Gallery } from "#components/chat/fixtures/gallery.tsx";

export const metadata: Metadata = { title: "Gallery", robots: { index: false } };

/**
 * The chat's components in their states. Development only: `next.config.mjs` excludes it from builds.
 */
export default async function GalleryPage({
  searchParams,
}: {
  searchParams: Promise<{ locale?: string; theme?: string; section?: string }>;
}) {
  const { locale = "en", theme = "host", section = "" } = await searchParams;
  return <Gallery locale={locale} theme={theme} section={section} />;
}
