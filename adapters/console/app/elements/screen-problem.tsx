/** In place of a screen that cannot be shown, such as of what was deleted: why, and the way to its section. */
import { Link } from "../routing/link.tsx";
import { type Section, sectionPath } from "../routing/screen-props.ts";
import { useTexts } from "../texts/language.ts";
import { PageHead } from "./page-head.tsx";
import { ProblemNote } from "./problem-note.tsx";

interface ScreenProblemProps {
  readonly appId: string;
  readonly section: Section;
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function ScreenProblem({ appId, section, error, onRetry }: ScreenProblemProps) {
  const { frame } = useTexts();
  return (
    <>
      <PageHead title={frame[section]} />
      <ProblemNote error={error} onRetry={onRetry} />
      <p>
        <Link to={sectionPath(appId, section)} current="none">
          {frame[section]}
        </Link>
      </p>
    </>
  );
}
