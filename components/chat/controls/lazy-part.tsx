import { Component, type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { useChat } from "../chat-context.ts";
import type { Strings } from "../i18n/strings.ts";
import { useOnline } from "../panel/use-online.ts";
import { Button } from "./button.tsx";
import { whenOnline } from "./when-online.ts";

export interface LazyPartProps {
  /** Shown until the part is there. */
  fallback?: ReactNode;
}

/**
 * A part of the chat that loads on use. Without a network it says so in its place, and goes on when there is one. When it
 * does not load all the same the rest goes on, and a press tries again; where that does not help either (a deployment
 * took this version's files away), another one loads the page anew.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  /** React keeps a failure: another try needs another component. */
  let hasFailed = false;
  const make = () =>
    lazy(async () => {
      await whenOnline();
      try {
        const { default: Loaded } = await load();
        return { default: ({ props }: { props: Props }) => <Loaded {...props} /> };
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    });
  let Part = make();
  const loadAgain = () => {
    if (hasFailed) Part = make();
    hasFailed = false;
  };
  return (props: Props & LazyPartProps) => (
    <LazyPart fallback={props.fallback} loadAgain={loadAgain}>
      {() => <Part props={props} />}
    </LazyPart>
  );
}

function LazyPart({ fallback, loadAgain, children }: LazyPartProps & Omit<FailureBoundaryProps, "t">) {
  const { t } = useChat();
  return (
    <FailureBoundary t={t} loadAgain={loadAgain}>
      {() => <Suspense fallback={<Waiting>{fallback}</Waiting>}>{children()}</Suspense>}
    </FailureBoundary>
  );
}

function Waiting({ children }: { children: ReactNode }) {
  const { t } = useChat();
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
  loadAgain(): void;
  children(): ReactNode;
}

class FailureBoundary extends Component<FailureBoundaryProps, { hasFailed: boolean; hasTried: boolean }> {
  override state = { hasFailed: false, hasTried: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { t, loadAgain, children } = this.props;
    const { hasFailed, hasTried } = this.state;
    if (!hasFailed) return children();
    const tryAgain = () => {
      loadAgain();
      this.setState({ hasFailed: false, hasTried: true });
    };
    return (
      <p role="alert">
        {t.problems.partFailed}{" "}
        <Button onClick={hasTried ? () => window.location.reload() : tryAgain}>
          {hasTried ? t.buttons.reload_page : t.buttons.try_again}
        </Button>
      </p>
    );
  }
}
