"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import styles from "./plug-strip.module.css";
import { type SentRequest, setOffline } from "./request-tap.ts";
import { usePlug } from "./use-plug.ts";

const plugs = [
  { what: "cut", label: "Cut the stream" },
  { what: "kill", label: "Kill the chat server" },
  { what: "busy", label: "Answer 429, wait 6 s" },
  { what: "slow", label: "Answer slowly" },
] as const;

const question = "Tell me everything about returns";
const shownRequests = 6;

const ask = () => window.dispatchEvent(new CustomEvent("shop-chat:open", { detail: { send: question } }));

/** Buttons that break the chat on purpose, and each request that it makes in spite of them. */
export function PlugStrip() {
  const { requests, pressed, sent, isOpen, report, pull, replyBegun } = usePlug();
  const { stored, shown, attempts } = report;
  const [isOffline, setIsOffline] = useState(false);
  const [isPulling, setPulling] = useState(false);
  const isDown = stored === null && requests.length > 0;
  const isSettled = pressed > 0 && !isOpen && pressed === stored && pressed === shown;

  async function press(what: string): Promise<void> {
    setPulling(true);
    if (what !== "kill") await pull(what);
    ask();
    if (what === "kill") {
      await replyBegun();
      await pull(what);
    }
    setPulling(false);
  }

  function toggleNetwork(): void {
    setOffline(!isOffline);
    setIsOffline(!isOffline);
    if (!isOffline) ask();
  }

  return (
    <section aria-labelledby="plug" className={styles["place"]}>
      <div className={styles["strip"]}>
        <div className={styles["plugs"]}>
          <h2 id="plug">Pull the plug</h2>
          <p>
            The chat asks a question, and something breaks. A message keeps its key through every attempt, so
            it is stored once.
          </p>
          <div className={styles["buttons"]}>
            {plugs.map(({ what, label }) => (
              <Button
                aria-disabled={isPulling || isDown}
                key={what}
                onClick={() => isPulling || isDown || void press(what)}
                size="small"
              >
                {label}
              </Button>
            ))}
            <Button aria-pressed={isOffline} onClick={toggleNetwork} size="small">
              Go offline
            </Button>
            <Button onClick={() => window.open(location.href, "_blank", "noopener")} size="small">
              Open a second tab
            </Button>
          </div>
        </div>
        <div className={styles["facts"]}>
          <dl className={styles["counts"]} data-settled={isSettled}>
            <Count name="pressed" value={pressed} />
            <Count name="requests" value={sent} />
            <Count name="stored" value={isDown ? "–" : (stored ?? 0)} />
            <Count name="shown" value={shown} />
          </dl>
          <ol aria-label="Requests, newest first" className={styles["requests"]}>
            {requests.length === 0 && <li>No request yet. Press a button, or write in the chat.</li>}
            {requests
              .slice(-shownRequests)
              .toReversed()
              .map((one) => (
                <Request attempts={attempts[one.requestId ?? ""] ?? []} key={one.id} sent={one} />
              ))}
          </ol>
          {/* Speaks once all is delivered, not with every request. */}
          <p className={styles["verdict"]} role="status">
            {isDown && "The chat server is down. It starts again by itself."}
            {isSettled && `Pressed ${pressed}, stored ${pressed}, shown ${pressed}.`}
          </p>
        </div>
      </div>
    </section>
  );
}

function Count({ name, value }: { name: string; value: number | string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Request({ sent, attempts }: { sent: SentRequest; attempts: readonly string[] }) {
  const { key, isMessage, attempt, answer } = sent;
  return (
    <li data-open={answer === null}>
      <span>{isMessage ? "Message" : "New chat"}</span> <code>{key.slice(-6)}</code>{" "}
      <span>attempt {attempt}</span> <strong>{answer ?? "under way …"}</strong>
      {attempts.length > 0 && <small>Chat API: {counted(attempts).join(" → ")}</small>}
    </li>
  );
}

/** Repeated outcomes as one, with their number. */
function counted(outcomes: readonly string[]): string[] {
  const runs: [name: string, count: number][] = [];
  for (const outcome of outcomes) {
    const last = runs.at(-1);
    if (last?.[0] === outcome) last[1] += 1;
    else runs.push([outcome, 1]);
  }
  return runs.map(([name, count]) => `${names[name] ?? name}${count > 1 ? ` × ${count}` : ""}`);
}

const names: Readonly<Record<string, string>> = { ok: "accepted", unreachable: "down" };
