import { type ComponentType, createElement, lazy, type ReactNode, Suspense, use } from "react";
import { reportUnlessLoadError } from "../../../lib/engine/load-error.ts";
import { useChat, useChatContext } from "../chat-context.ts";
import { CrashBoundary } from "../crash-boundary.tsx";
import { Button } from "./button.tsx";
import type { LazyParts } from "./load-on-use.ts";
import { useOnline } from "./use-online.ts";
import { whenOnline } from "./when-online.ts";

export interface Fallback {
  /** Shown until the part has loaded, and above the error message if it does not load. */
  fallback?: ReactNode;
}

/**
 * A component that loads on use. Offline it says so in its place and continues when the network returns. When
 * it fails to load, the rest of the chat keeps working, and a press tries again, or reloads the page whose
 * version a deployment has replaced.
 */
export function lazyComponent<Parts, Props extends object>(
  of: LazyParts<Parts>,
  componentOf: (parts: Parts) => ComponentType<Props>,
) {
  return (props: Props & Fallback) => (
    <FailureBoundary fallback={props.fallback} loadAgain={of.loadAgain}>
      <Suspense fallback={<Waiting>{props.fallback}</Waiting>}>
        <Loaded of={of}>{(parts) => createElement(componentOf(parts), props)}</Loaded>
      </Suspense>
    </FailureBoundary>
  );
}

function Loaded<Parts>({ of, children }: { of: LazyParts<Parts>; children(parts: Parts): ReactNode }) {
  return children(use(of.load()));
}

/** A component that nobody asked for: until it loads, or if it does not, the customer sees the fallback. */
export function optionalComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  const Loaded = lazy(() =>
    whenOnline()
      .then(load)
      .catch((error: unknown) => {
        reportUnlessLoadError(error);
        return { default: ({ fallback }: Props & Fallback) => fallback };
      }),
  );
  return (props: Props & Fallback) => (
    <Suspense fallback={props.fallback}>{createElement<Props & Fallback>(Loaded, props)}</Suspense>
  );
}

function Waiting({ children }: { children: ReactNode }) {
  const { t } = useChatContext();
  const isOnline = useOnline();
  return (
    <>
      {children}
      {!isOnline && <p role="status">{t.problems.partWaits}</p>}
    </>
  );
}

interface FailureBoundaryProps extends Fallback {
  loadAgain(): void;
  children: ReactNode;
}

function FailureBoundary({ fallback, loadAgain, children }: FailureBoundaryProps) {
  const { chat } = useChatContext();
  const failure = (recover: () => void) => {
    const tryAgain = () => {
      loadAgain();
      recover();
    };
    return (
      <>
        {fallback}
        <FailedPart onTryAgain={tryAgain} />
      </>
    );
  };
  return (
    <CrashBoundary onCrash={chat.failureOf} fallback={failure}>
      {children}
    </CrashBoundary>
  );
}

function FailedPart({ onTryAgain }: { onTryAgain(): void }) {
  const { chat, t } = useChatContext();
  const isOutdated = useChat(chat, (all) => all.isOutdated);
  return (
    <p role="alert">
      {isOutdated ? (
        <OutdatedPage />
      ) : (
        <>
          {t.problems.partFailed}{" "}
          <Button look="link" onClick={onTryAgain}>
            {t.buttons.try_again}
          </Button>
        </>
      )}
    </p>
  );
}

/** The draft and what waits to be sent survive the reload. */
export function OutdatedPage() {
  const { t } = useChatContext();
  return (
    <span>
      {t.problems.outdated}{" "}
      <Button look="link" onClick={() => window.location.reload()}>
        {t.problems.reloadPage}
      </Button>
    </span>
  );
}
