import { Component, type ReactNode } from "react";

export interface CrashBoundaryProps {
  onCrash(error: unknown): void;
  children: ReactNode;
}

/** Renders nothing in place of children that have thrown. */
export class CrashBoundary extends Component<CrashBoundaryProps, { hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onCrash(error);
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? null : this.props.children;
  }
}
