/** The problems of a draft, each with its place. */
import { Icon } from "../../elements/icons.tsx";
import { useTexts } from "../../texts/language.ts";
import type { Problem } from "../draft/problems.ts";

interface ProblemListProps {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly isTruncated: boolean;
  readonly onChoose: (problem: Problem) => void;
}

export function ProblemList({ problems, warnings, isTruncated, onChoose }: ProblemListProps) {
  const { editor: texts } = useTexts();
  return (
    <section className="problem-list" aria-label={texts.problemsTitle}>
      <p className="hint">{texts.problemsKeys}</p>
      <ul>
        {[...problems, ...warnings].map((problem, index) => (
          <li
            key={`${problem.pointer} ${problem.message} ${index}`}
            className={index < problems.length ? "problem" : "warning"}
          >
            <button type="button" onClick={() => onChoose(problem)}>
              <Icon name={index < problems.length ? "error" : "warning"} />
              <span>
                <bdi className="problem-place">{problem.step ?? problem.pointer}</bdi>
                {problem.step === null || problem.within === "" ? null : <code>{problem.within}</code>}{" "}
                {index < problems.length ? problem.message : texts.warning(problem.message)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {isTruncated ? <p>{texts.problemsTruncated}</p> : null}
    </section>
  );
}
