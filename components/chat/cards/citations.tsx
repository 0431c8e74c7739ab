import type { Citation } from "../../../lib/chat-api/message.ts";
import { safeUrl } from "../../../lib/engine/text-parts.ts";
import { useChatContext } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { SafeLink } from "../controls/safe-link.tsx";
import { counted, fill } from "../i18n/strings.ts";
import styles from "./cards.module.css";

interface CitationsProps {
  citations: readonly Citation[];
  /** Called with the position of the opened source, from 1. */
  onOpen?: (position: number) => void;
}

/** The sources of an answer. Collapsed: most customers trust the answer, and one press shows them. */
export function Citations({ citations, onOpen }: CitationsProps) {
  const { t, format } = useChatContext();
  return (
    <details className={styles["citations"]}>
      <summary>
        <Icon name="source" size={16} />
        {counted(t.citations.count, citations.length, format)}
        <Icon name="down" size={16} />
      </summary>
      <ol>
        {citations.map((citation, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the sources of one answer never change places, and may repeat
          <CitationItem key={index} citation={citation} onOpen={() => onOpen?.(index + 1)} />
        ))}
      </ol>
    </details>
  );
}

function CitationItem({ citation, onOpen }: { citation: Citation; onOpen(): void }) {
  const { t, format } = useChatContext();
  const url = safeUrl(citation.url);
  const age = format.age(citation.updatedAt);
  const title = citation.title.trim() || url?.hostname || t.citations.untitled;
  // The customer knows which shop they are in.
  const host = url?.hostname === window.location.hostname ? null : (url?.hostname ?? null);
  return (
    <li>
      {url === null ? (
        <bdi>{title}</bdi>
      ) : (
        <SafeLink url={url} onOpen={onOpen}>
          <bdi>{title}</bdi>
        </SafeLink>
      )}
      {(host !== null || age !== null) && (
        <p className={`${styles["small"]} ${styles["where"]}`}>
          {host !== null && (
            <span className={styles["host"]}>
              <bdi>{host}</bdi>
            </span>
          )}
          {age !== null && (
            <span data-old={isOld(citation.updatedAt)}>{fill(t.citations.changed, { age })}</span>
          )}
        </p>
      )}
    </li>
  );
}

const twoYears = 2 * 365 * 24 * 60 * 60 * 1_000;

/** Customers should check an old source before they trust it. */
function isOld(updatedAt: string | null): boolean {
  return updatedAt !== null && Date.now() - Date.parse(updatedAt) > twoYears;
}
