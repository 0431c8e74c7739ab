import { useEffect, useRef } from "react";
import { useChatContext, useConversation } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { newRefusal, politeAnnouncement, say } from "./announcement-text.ts";

/**
 * Tells screen readers that an answer is coming, then reads the finished message once, never its parts. The
 * live regions are on the page, empty, before the first announcement and in each other conversation.
 */
export function Announcements({ isOpen }: { isOpen: boolean }) {
  const chat = useChatContext();
  const state = useConversation();
  const polite = useRef<HTMLElement>(null);
  const urgent = useRef<HTMLElement>(null);
  const before = useRef(state);

  useEffect(() => {
    const earlier = before.current;
    before.current = state;
    if (earlier.createKey !== state.createKey)
      for (const region of [polite.current, urgent.current]) region?.replaceChildren();
    if (!isOpen) return;
    say(polite.current, politeAnnouncement(earlier, state, chat));
    say(urgent.current, newRefusal(earlier, state, chat));
  }, [state, isOpen, chat]);

  return (
    <Hidden>
      <span ref={polite} aria-live="polite" data-announcements="polite" />
      <span ref={urgent} aria-live="assertive" data-announcements="urgent" />
    </Hidden>
  );
}
