/** Says that another run is compared with, and ends that. */
import { Button } from "../../elements/controls/button.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { Link } from "../../routing/link.tsx";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";

export function ComparisonNote() {
  const { run: texts } = useTexts();
  const { appId, comparison, setParams } = useShownRun();
  if (comparison === null) return null;
  if (comparison.error !== null) return <ProblemNote error={comparison.error} />;
  return (
    <p className="comparison-note">
      <Link to={`/apps/${appId}/runs/${comparison.otherId}`}>{texts.compareWith(comparison.otherId)}</Link>
      <strong>{texts.differingSteps(comparison.differing.size)}</strong>
      <Button kind="quiet" icon="close" onClick={() => setParams({ compare: null }, { replace: true })}>
        {texts.compareEnd}
      </Button>
    </p>
  );
}
