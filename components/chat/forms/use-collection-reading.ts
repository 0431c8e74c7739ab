import { useEffect, useState } from "react";
import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import { readCollection } from "../../../lib/engine/forms/read-collection.ts";

export type CollectionReading = "reading" | "done" | "failed";

/** Reads the chat's collection, and again after each change of the chat. */
export function useCollectionReading(
  runtime: ChatRuntime,
  isWanted: boolean,
  changedAt: string | undefined,
): { reading: CollectionReading; readAgain(): void } {
  const [reading, setReading] = useState<CollectionReading>("reading");
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt and each change of the chat requires another read
  useEffect(() => {
    if (!isWanted) return;
    let isLatestTry = true;
    const end = (how: CollectionReading) => {
      if (isLatestTry) setReading(how);
    };
    readCollection(runtime).then(
      () => end("done"),
      () => end("failed"),
    );
    return () => {
      isLatestTry = false;
    };
  }, [runtime, isWanted, changedAt, tries]);
  const readAgain = () => {
    setReading("reading");
    setTries((count) => count + 1);
  };
  return { reading, readAgain };
}
