/** Shows what went wrong in a screen in its place, where the frame around it stays usable; else in place of the page. */
import { Component, type ReactNode } from "react";
import { ProblemNote } from "../elements/problem-note.tsx";

interface State {
  readonly error: unknown;
}

interface BoundaryProps {
  /** Whether nothing else of the page would be left. @default false */
  readonly isWholePage?: boolean;
  readonly children: ReactNode;
}

export class ScreenBoundary extends Component<BoundaryProps, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const { isWholePage = false } = this.props;
    // What the page has read of its session may be what breaks it.
    const retry = () => (isWholePage ? location.reload() : this.setState({ error: null }));
    const note = <ProblemNote error={error} onRetry={retry} />;
    return isWholePage ? <main className="failed-page">{note}</main> : note;
  }
}
