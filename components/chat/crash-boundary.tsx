import { Component, type ReactNode } from "react";
import { useChatContext } from "./chat-context.ts";

export interface CrashBoundaryProps {
  onCrash(error: unknown): void;
  /** Shown in place of children that have thrown; nothing by default. */
  otherwise?: ReactNode;
  children: ReactNode;
}

export class CrashBoundary extends Component<CrashBoundaryProps, { hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onCrash(error);
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? this.props.otherwise : this.props.children;
  }
}

/** A part of the chat whose error leaves the others. By default a note says so in its place. */
export function Contained({ otherwise, children }: Pick<CrashBoundaryProps, "otherwise" | "children">) {
  const { chat, t } = useChatContext();
  const note = otherwise === undefined ? <p role="alert">{t.problems.pageError}</p> : otherwise;
  return (
    <CrashBoundary onCrash={(error) => chat.failureOf(error)} otherwise={note}>
      {children}
    </CrashBoundary>
  );
}
