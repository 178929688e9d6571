/** Shows what went wrong in a screen in its place; the frame around it stays usable. */
import { Component, type ReactNode } from "react";
import { Button } from "../elements/controls/button.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useTexts } from "../texts/language.ts";

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
    // A file of an earlier build is gone after an update of the server.
    if (error instanceof TypeError && /import|module/i.test(error.message)) return <NewerVersion />;
    return <ProblemNote error={error} onRetry={() => this.setState({ error: null })} />;
  }
}

function NewerVersion() {
  const { general } = useTexts();
  return (
    <div role="alert">
      <p>{general.newVersion}</p>
      <Button kind="primary" onClick={() => location.reload()}>
        {general.reload}
      </Button>
    </div>
  );
}
