/** Says why a part of the page is not there, and what helps. */
import { Callout } from "../elements/callout.tsx";
import { Button } from "../elements/controls/button.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { checkConnection } from "../server/connection.ts";
import { useTexts } from "../texts/language.ts";
import { ChunkError } from "./load-chunk.ts";

export function PartProblem({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { general } = useTexts();
  if (!(error instanceof ChunkError)) return <ProblemNote error={error} onRetry={onRetry} />;
  const { reason } = error;
  const message = { gone: general.newVersion, unreachable: general.offline, broken: general.failed }[reason];
  const retry = () => void checkConnection().then(onRetry);
  return (
    <Callout
      icon="warning"
      title={message}
      role="alert"
      actions={
        reason === "unreachable" ? (
          <Button onClick={retry}>{general.retry}</Button>
        ) : (
          <Button kind="primary" onClick={() => location.reload()}>
            {general.reload}
          </Button>
        )
      }
    />
  );
}
