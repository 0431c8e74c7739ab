import { Component, type ComponentType, createElement, type ReactNode, Suspense, use } from "react";
import { useChatContext } from "../chat-context.ts";
import type { Strings } from "../i18n/language.ts";
import { Button } from "./button.tsx";
import type { LazyParts } from "./load-on-use.ts";
import { useOnline } from "./use-online.ts";

export interface LazyPartProps<Parts> {
  of: LazyParts<Parts>;
  /** Shown until the part has loaded, and above the error message if it does not load. */
  fallback?: ReactNode;
  /** The customer did not ask for this part, so nothing is said of it until it has loaded. */
  isOptional?: boolean;
  children(parts: Parts): ReactNode;
}

/**
 * One of the parts. Offline it says so in its place and continues when the network returns. When the parts
 * fail to load, the rest of the chat keeps working and a press tries again. When that fails too (a deployment
 * removed this version's files), the next press reloads the page.
 */
export function LazyPart<Parts>({ of, fallback, isOptional = false, children }: LazyPartProps<Parts>) {
  const { t } = useChatContext();
  return (
    <FailureBoundary t={t} fallback={fallback} isOptional={isOptional} loadAgain={of.loadAgain}>
      {() => (
        <Suspense fallback={isOptional ? fallback : <Waiting>{fallback}</Waiting>}>
          <Loaded of={of}>{children}</Loaded>
        </Suspense>
      )}
    </FailureBoundary>
  );
}

/** A component that loads on use. It also takes `LazyPart`'s fallback. */
export function lazyComponent<Parts, Props extends object>(
  of: LazyParts<Parts>,
  componentOf: (parts: Parts) => ComponentType<Props>,
) {
  return (props: Props & Pick<LazyPartProps<Parts>, "fallback">) => (
    <LazyPart of={of} fallback={props.fallback}>
      {(parts) => createElement(componentOf(parts), props)}
    </LazyPart>
  );
}

function Loaded<Parts>({ of, children }: LazyPartProps<Parts>) {
  return children(use(of.load()));
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
  isOptional: boolean;
  loadAgain(): void;
  children(): ReactNode;
}

class FailureBoundary extends Component<FailureBoundaryProps, { hasFailed: boolean; hasTried: boolean }> {
  override state = { hasFailed: false, hasTried: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { t, fallback, isOptional, loadAgain, children } = this.props;
    const { hasFailed, hasTried } = this.state;
    if (!hasFailed) return children();
    if (isOptional) return fallback;
    const tryAgain = () => {
      loadAgain();
      this.setState({ hasFailed: false, hasTried: true });
    };
    return (
      <>
        {fallback}
        <p role="alert">
          {t.problems.partFailed}{" "}
          <Button look="link" onClick={hasTried ? () => window.location.reload() : tryAgain}>
            {hasTried ? t.problems.reloadPage : t.buttons.try_again}
          </Button>
        </p>
      </>
    );
  }
}
