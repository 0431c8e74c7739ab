import { Component, type ReactNode } from "react";
import { useChatContext } from "./chat-context.ts";

export interface CrashBoundaryProps {
  onCrash(error: unknown): void;
  /** Shown in place of children that have thrown; nothing by default. */
  fallback?: ReactNode;
  /** Renders the children again after an error when this changes. */
  content?: unknown;
  children: ReactNode;
}

export class CrashBoundary extends Component<CrashBoundaryProps, { hasCrashed: boolean; content: unknown }> {
  override state = { hasCrashed: false, content: this.props.content };

  static getDerivedStateFromProps({ content }: CrashBoundaryProps, state: { content: unknown }) {
    return content === state.content ? null : { hasCrashed: false, content };
  }

  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onCrash(error);
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? this.props.fallback : this.props.children;
  }
}

/** A part of the chat whose error leaves the others. By default a note says so in its place. */
export function Contained({ fallback, content, children }: Omit<CrashBoundaryProps, "onCrash">) {
  const { chat, t } = useChatContext();
  const note = fallback === undefined ? <p role="alert">{t.problems.pageError}</p> : fallback;
  return (
    <CrashBoundary onCrash={(error) => chat.failureOf(error)} fallback={note} content={content}>
      {children}
    </CrashBoundary>
  );
}
