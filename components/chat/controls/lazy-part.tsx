import { Component, type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { useChat } from "../chat-context.ts";
import { Button } from "./button.tsx";
import { whenOnline } from "./when-online.ts";

/**
 * A component that loads on use. Without a network it waits for one: a module that failed to load stays failed until the
 * page is loaded anew.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(async () => {
    await whenOnline();
    return load();
  });
}

export interface LazyPartProps {
  /** Shown until the part is there. */
  fallback?: ReactNode;
  children: ReactNode;
}

/**
 * A part of the chat that loads on use. When it does not load (no network, or a deployment took this version's files
 * away) the rest goes on, and a press loads the page anew.
 */
export function LazyPart({ fallback = null, children }: LazyPartProps) {
  const { t } = useChat();
  return (
    <FailureBoundary label={t.problems.partFailed} button={t.buttons.reload_page}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </FailureBoundary>
  );
}

class FailureBoundary extends Component<
  { label: string; button: string; children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { label, button, children } = this.props;
    if (!this.state.hasFailed) return children;
    // A module that failed to load stays failed until the page is loaded anew.
    return (
      <p role="alert">
        {label} <Button onClick={() => window.location.reload()}>{button}</Button>
      </p>
    );
  }
}
