"use client";

import { use, useInsertionEffect, useMemo, useSyncExternalStore } from "react";
import theme from "#components/chat/appearance/theme.module.css";
import "#components/chat/appearance/content.css";
import { useScheme } from "#components/chat/appearance/use-scheme.ts";
import { ChatContext } from "#components/chat/chat-context.ts";
import { sections } from "#components/chat/fixtures/stories/sections.ts";
import type { Section } from "#components/chat/fixtures/stories/story.tsx";
import { createFormat } from "#components/chat/format/format.ts";
import { type ChosenLanguage, languageFor, loadTexts } from "#components/chat/i18n/built-in.ts";
import type { Strings } from "#components/chat/i18n/language.ts";
import { inertChat } from "#lib/engine/testing/inert-chat.ts";
import styles from "./gallery.module.css";

/** A fixed time and time zone, so that the gallery's screenshots do not change. */
const now = Date.parse("2026-06-02T12:00:00.000Z");
const timeZone = "Europe/London";

export interface GalleryProps {
  locale: string;
  theme: string;
  /** Name of the one section to show; empty for all. */
  section: string;
}

export function Gallery(props: GalleryProps) {
  const isBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  return isBrowser ? <Sections {...props} /> : null;
}

function Sections({ locale, theme: scheme, section: wanted }: GalleryProps) {
  usePanelsSideBySide();
  const shown = sections.filter(({ name }) => wanted === "" || name === wanted);
  return (
    <>
      <nav className={styles["names"]} aria-label="Sections">
        {sections.map(({ name }) => (
          <a key={name} href={`?section=${name}`} data-section-link={name}>
            {name}
          </a>
        ))}
      </nav>
      {shown.map((section) => (
        <SectionView
          key={section.name}
          section={section}
          language={languageFor(section.language ?? locale)}
          scheme={scheme}
        />
      ))}
    </>
  );
}

interface SectionViewProps {
  section: Section;
  language: ChosenLanguage;
  scheme: string;
}

function SectionView({ section, language, scheme }: SectionViewProps) {
  const context = useGalleryContext(use(textsOf(language)), language.tag);
  return (
    <ChatContext value={context}>
      <section
        className={`${theme["theme"]} ${styles["section"]}`}
        aria-label={section.name}
        data-section={section.name}
        lang={language.tag}
        dir={language.direction}
        data-chat-theme={useScheme(scheme === "light" || scheme === "dark" ? scheme : "host")}
      >
        {section.stories.map(({ name, element }) => (
          <figure key={name} className={styles["story"]}>
            <figcaption>{name}</figcaption>
            <div className={styles["stage"]}>{element}</div>
          </figure>
        ))}
      </section>
    </ChatContext>
  );
}

/** Each dictionary's promise is cached: a new promise per render would suspend for ever. */
const loading = new Map<string, Promise<Strings>>();

function textsOf(language: ChosenLanguage): Promise<Strings> {
  const texts = loading.get(language.tag) ?? loadTexts(language);
  loading.set(language.tag, texts);
  return texts;
}

function useGalleryContext(t: Strings, locale: string) {
  return useMemo(
    () => ({
      chat: inertChat(),
      t,
      format: createFormat({ locale: locale === "en" ? "en-GB" : locale, timeZone, now: () => now }),
      shop: {
        agentName: "Wren",
        shopName: "Tarn & Tread",
        contact: { label: "+44 1632 960101", href: "tel:+441632960101" },
        logo: null,
        pictureOrigins: null,
        suggestions: ["Do you deliver to Ireland?", "Which helmets do you have?", "Where is my order?"],
      },
      onEvent: () => undefined,
    }),
    [t, locale],
  );
}

/**
 * A panel on a narrow screen is modal and covers the page, and buttons lie above it. Here are many in a row.
 */
function usePanelsSideBySide(): void {
  // Before the buttons' refs are set.
  useInsertionEffect(() => {
    const { showModal } = HTMLDialogElement.prototype;
    const { showPopover } = HTMLElement.prototype;
    HTMLDialogElement.prototype.showModal = HTMLDialogElement.prototype.show;
    HTMLElement.prototype.showPopover = () => undefined;
    return () => {
      HTMLDialogElement.prototype.showModal = showModal;
      HTMLElement.prototype.showPopover = showPopover;
    };
  }, []);
}
