import { useCallback, useEffect, useRef, useState } from "react";
import { type SentRequest, setOffline, tapRequests } from "./request-tap.ts";

/** The server's view of the requests, and the screen's (`lib/shop/server/plug.ts`). */
interface Report {
  /** Null while the channel cannot be asked. */
  stored: number | null;
  attempts: Readonly<Record<string, readonly string[]>>;
  /** Messages of the customer on the screen. */
  shown: number;
}

const path = "/api/shop/plug";
/** Survives a reload, so that a reload can be tried, too. */
const storageName = "shop-plug";
const kept = 40;
const interval = 700;
/** How long after the last request the page asks again: the message may be stored before it is shown. */
const settling = 5_000;

/** The requests of this tab and of a second one, and what became of the current chat's messages. */
export function usePlug() {
  const [requests, setRequests] = useState<readonly SentRequest[]>([]);
  const latest = useRef(requests);
  const [report, setReport] = useState<Report>({ stored: 0, attempts: {}, shown: 0 });

  useEffect(() => {
    const others = new BroadcastChannel(storageName);
    const note = (sent: SentRequest) => {
      const before = latest.current.filter(({ id }) => id !== sent.id);
      latest.current = [...before, sent].sort((a, b) => a.sentAt - b.sentAt).slice(-kept);
      sessionStorage.setItem(storageName, JSON.stringify(latest.current));
      setRequests(latest.current);
    };
    others.onmessage = ({ data }) => note(data);
    latest.current = JSON.parse(sessionStorage.getItem(storageName) ?? "[]").map((sent: SentRequest) => ({
      ...sent,
      answer: sent.answer ?? "page left",
    }));
    setRequests(latest.current);
    const stop = tapRequests(
      (key) => latest.current.filter((sent) => sent.key === key).length,
      (sent) => {
        note(sent);
        others.postMessage(sent);
      },
    );
    return () => {
      stop();
      setOffline(false);
      others.close();
    };
  }, []);

  const chatId = requests.findLast((sent) => sent.chatId !== null)?.chatId ?? null;
  const ofChat = requests.filter((sent) => sent.chatId === chatId && sent.isMessage);
  const since = ofChat[0]?.sentAt ?? Date.now();
  const isOpen = requests.some(({ answer }) => answer === null);

  useEffect(() => {
    if (chatId === null) return undefined;
    const endsAt = Date.now() + settling;
    let timer: number;
    const read = async () => {
      const query = new URLSearchParams({ chat: chatId, since: String(since) });
      for (const { requestId } of requests.slice(-10)) if (requestId) query.append("request", requestId);
      const response = await fetch(`${path}?${query}`).catch(() => null);
      // The chat is gone, or another customer's.
      if (response?.status === 404) {
        latest.current = [];
        sessionStorage.removeItem(storageName);
        setRequests([]);
        return;
      }
      const told = response?.ok ? await response.json() : { stored: null, attempts: {} };
      setReport(({ attempts }) => ({
        stored: told.stored,
        attempts: { ...attempts, ...told.attempts },
        shown: countShown(since),
      }));
      if (isOpen || told.stored === null || Date.now() < endsAt) timer = window.setTimeout(read, interval);
    };
    timer = window.setTimeout(read, 0);
    return () => window.clearTimeout(timer);
  }, [requests, chatId, since, isOpen]);

  /** A fault that is set before there is a chat meets the next message of anybody at this demo. */
  const pull = useCallback(async (what: string) => {
    const known = latest.current.findLast((sent) => sent.chatId !== null)?.chatId;
    const query = new URLSearchParams({ what, ...(known && { chat: known }) });
    // While the shop cannot be reached, nothing breaks on purpose.
    await fetch(`${path}?${query}`, { method: "POST" }).catch(() => undefined);
  }, []);
  /** Resolves when a reply has begun, or after some seconds without one. */
  const replyBegun = useCallback(async () => {
    const startedAt = Date.now();
    const isStreaming = () =>
      latest.current.some((sent) => sent.isMessage && sent.requestId !== null && sent.answer === null);
    while (!isStreaming() && Date.now() - startedAt < settling) await pause(100);
    await pause(1_000);
  }, []);

  const pressed = new Set(ofChat.map(({ key }) => key)).size;
  return { requests, pressed, sent: ofChat.length, isOpen, report, pull, replyBegun };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Counts the customer's messages in the chat on this page: those in delivery, and those sent since then. */
function countShown(since: number): number {
  const isRecent = (row: Element) =>
    row.matches("[data-delivery]") || Date.parse(row.querySelector("time")?.dateTime ?? "") >= since;
  return [...document.querySelectorAll("[data-panel] [data-role=visitor]")].filter(isRecent).length;
}
