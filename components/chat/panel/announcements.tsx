import { useEffect, useRef } from "react";
import { useChatContext } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { newRefusal, politeAnnouncement, say } from "./announcement-text.ts";

/**
 * Tells screen readers that an answer is coming, then reads the finished message once, never its parts. The
 * live regions are on the page, empty, before the first announcement and in each other conversation.
 */
export function Announcements({ isOpen }: { isOpen: boolean }) {
  const context = useChatContext();
  const { chat } = context;
  const polite = useRef<HTMLElement>(null);
  const urgent = useRef<HTMLElement>(null);
  const before = useRef(chat.getState().conversation);

  useEffect(() => {
    const follow = () => {
      const earlier = before.current;
      const { conversation } = chat.getState();
      if (earlier === conversation) return;
      before.current = conversation;
      if (earlier.createKey !== conversation.createKey)
        for (const region of [polite.current, urgent.current]) region?.replaceChildren();
      if (!isOpen) return;
      say(polite.current, politeAnnouncement(earlier, conversation, context));
      say(urgent.current, newRefusal(earlier, conversation, context));
    };
    follow();
    return chat.subscribe(follow);
  }, [chat, isOpen, context]);

  return (
    <Hidden>
      <span ref={polite} aria-live="polite" data-announcements="polite" />
      <span ref={urgent} aria-live="assertive" data-announcements="urgent" />
    </Hidden>
  );
}
