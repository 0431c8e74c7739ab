import { useEffect, useRef, useState } from "react";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { newRefusal, politeAnnouncement } from "./announcement-text.ts";

/**
 * Tells screen readers that an answer is coming, then reads the finished message once, never its parts. The
 * live regions are on the page, empty, before the first announcement.
 */
export function Announcements({ isOpen }: { isOpen: boolean }) {
  const chat = useChatContext();
  const state = useConversation();
  const [polite, setPolite] = useState("");
  const [urgent, setUrgent] = useState("");
  const before = useRef(state);

  useEffect(() => {
    const earlier = before.current;
    before.current = state;
    if (!isOpen) return;
    const said = politeAnnouncement(earlier, state, chat);
    if (said !== null) setPolite(announce(said));
    const refused = newRefusal(earlier, state, chat);
    if (refused !== null) setUrgent(announce(refused));
  }, [state, isOpen, chat]);

  return (
    <Hidden>
      <span aria-live="polite" data-announcements="polite">
        {polite}
      </span>
      <span aria-live="assertive" data-announcements="urgent">
        {urgent}
      </span>
    </Hidden>
  );
}

/** An equal text does not change the page and would not be announced, so a no-break space makes it differ. */
const announce = (said: string) => (before: string) => (before === said ? `${said}\u00a0` : said);
