/** Shows what went wrong in a screen in its place; the frame around it stays usable. */
import { Component, type ReactNode } from "react";
import { ProblemNote } from "../elements/problem-note.tsx";

interface State {
  readonly error: unknown;
}

export class ScreenBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ProblemNote error={error} onRetry={() => this.setState({ error: null })} />;
  }
}
