"use client";

import { useEffect, useRef, useState } from "react";
import styles from "./appearance/theme.module.css";
import type { WidgetEvent } from "./events.ts";
import { ask, type OpenRequests, watchOpenRequests } from "./launcher/open-request.ts";
import { type MountedChat, mountChat } from "./widget.tsx";
import type { ChatWidgetProps } from "./widget-props.ts";

export type { ChatWidgetProps, WidgetEvent };

/**
 * The chat of a page. Mount it once. Its button loads with the page, the chat when the page is idle, or
 * earlier if the chat opens.
 */
export function ChatWidget(props: ChatWidgetProps) {
  const chat = useRef<MountedChat>(null);
  const [requests] = useState<OpenRequests>({ waiting: [] });
  useEffect(() => watchOpenRequests(requests, (wanted) => ask(requests, wanted)), [requests]);
  useEffect(() => chat.current?.({ ...props, requests }));
  useEffect(() => () => chat.current?.(null), []);
  return (
    <div
      ref={(place) => {
        if (place !== null) chat.current ??= mountChat(place);
      }}
      className={styles["frame"]}
    />
  );
}
