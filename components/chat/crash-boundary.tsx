import { Component, type ReactNode } from "react";

export interface CrashBoundaryProps {
  onCrash?(error: unknown): void;
  /** In place of the children after an error in them, until `recover` is called. */
  fallback?(recover: () => void): ReactNode;
  children: ReactNode;
}

export class CrashBoundary extends Component<CrashBoundaryProps, { hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onCrash?.(error);
  }

  override render(): ReactNode {
    const { fallback, children } = this.props;
    return this.state.hasCrashed ? fallback?.(() => this.setState({ hasCrashed: false })) : children;
  }
}
