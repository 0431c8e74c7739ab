import { Component, type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { useChatContext } from "../chat-context.ts";
import type { Strings } from "../i18n/language.ts";
import { Button } from "./button.tsx";
import { useOnline } from "./use-online.ts";
import { whenOnline } from "./when-online.ts";

/** Parts of the chat that load together on use. */
export interface LazyParts<Parts> {
  /** Renders `children` with the parts once they have loaded. */
  loaded(): ComponentType<{ children(parts: Parts): ReactNode }>;
  /** After a failure, the next `loaded` loads again: React caches a failed `lazy` component. */
  loadAgain(): void;
}

export function lazyParts<Parts>(load: () => Promise<Parts>): LazyParts<Parts> {
  let hasFailed = false;
  const create = () =>
    lazy(async () => {
      await whenOnline();
      try {
        const parts = await load();
        return { default: ({ children }: { children(parts: Parts): ReactNode }) => children(parts) };
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    });
  let loaded = create();
  return {
    loaded: () => loaded,
    loadAgain() {
      if (hasFailed) loaded = create();
      hasFailed = false;
    },
  };
}

export interface LazyPartProps<Parts> {
  of: LazyParts<Parts>;
  /** Shown until the part has loaded, and above the error message if it does not load. */
  fallback?: ReactNode;
  children(parts: Parts): ReactNode;
}

/**
 * One of the parts. Offline it says so in its place and continues when the network returns. When the parts
 * fail to load, the rest of the chat keeps working and a press tries again. When that fails too (a deployment
 * removed this version's files), the next press reloads the page.
 */
export function LazyPart<Parts>({ of, fallback, children }: LazyPartProps<Parts>) {
  const { t } = useChatContext();
  return (
    <FailureBoundary t={t} fallback={fallback} loadAgain={of.loadAgain}>
      {() => {
        const Loaded = of.loaded();
        return (
          <Suspense fallback={<Waiting>{fallback}</Waiting>}>
            <Loaded>{children}</Loaded>
          </Suspense>
        );
      }}
    </FailureBoundary>
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

interface FailureBoundaryProps {
  t: Strings;
  fallback: ReactNode;
  loadAgain(): void;
  children(): ReactNode;
}

class FailureBoundary extends Component<FailureBoundaryProps, { hasFailed: boolean; hasTried: boolean }> {
  override state = { hasFailed: false, hasTried: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { t, fallback, loadAgain, children } = this.props;
    const { hasFailed, hasTried } = this.state;
    if (!hasFailed) return children();
    const tryAgain = () => {
      loadAgain();
      this.setState({ hasFailed: false, hasTried: true });
    };
    return (
      <>
        {fallback}
        <p role="alert">
          {t.problems.partFailed}{" "}
          <Button onClick={hasTried ? () => window.location.reload() : tryAgain}>
            {hasTried ? t.problems.reloadPage : t.buttons.try_again}
          </Button>
        </p>
      </>
    );
  }
}
