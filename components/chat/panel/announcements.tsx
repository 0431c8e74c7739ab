import { useEffect, useRef, useState } from "react";
import { reportUnlessLoadError } from "../../../lib/engine/load-error.ts";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { lazyParts } from "../controls/load-on-use.ts";

/** Loaded with the panel, after what draws it. */
const texts = lazyParts(() => import("./announcement-text.ts"));

/** Milliseconds. The regions are then emptied: whoever comes next to this browser finds nothing in them. */
const announcementTime = 5_000;

/**
 * Tells screen readers that an answer is coming, then reads the finished message once, never its parts. The
 * live regions are on the page, empty, before the first announcement and in each other conversation.
 */
export function Announcements({ isOpen }: { isOpen: boolean }) {
  const chat = useChatContext();
  const state = useConversation();
  const { createKey } = state;
  const silence = { createKey, polite: "", urgent: "" };
  const [said, setSaid] = useState(silence);
  if (said.createKey !== createKey) setSaid(silence);
  const before = useRef(state);

  useEffect(() => {
    const earlier = before.current;
    before.current = state;
    texts.loadAgain();
    texts.load().then(({ newRefusal, politeAnnouncement }) => {
      if (!isOpen || before.current.createKey !== state.createKey) return;
      const polite = politeAnnouncement(earlier, state, chat);
      if (polite !== null) setSaid((was) => ({ ...was, polite: differing(polite, was.polite) }));
      const urgent = newRefusal(earlier, state, chat);
      if (urgent !== null) setSaid((was) => ({ ...was, urgent: differing(urgent, was.urgent) }));
    }, reportUnlessLoadError);
  }, [state, isOpen, chat]);

  useEffect(() => {
    if (said.polite + said.urgent === "") return;
    const timer = setTimeout(() => setSaid({ ...said, polite: "", urgent: "" }), announcementTime);
    return () => clearTimeout(timer);
  }, [said]);

  return (
    <Hidden>
      <span aria-live="polite" data-announcements="polite">
        {said.polite}
      </span>
      <span aria-live="assertive" data-announcements="urgent">
        {said.urgent}
      </span>
    </Hidden>
  );
}

/** An equal text does not change the page and would not be announced, so a no-break space makes it differ. */
const differing = (said: string, before: string) => (before === said ? `${said}\u00a0` : said);
