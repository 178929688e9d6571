/** A part of the editor that can be closed. */
import { type ReactNode, useState } from "react";
import { type FieldProblem, isError } from "../../elements/fields/field-note.tsx";
import { Icon } from "../../elements/icons.tsx";
import { useTexts } from "../../texts/language.ts";

interface SectionProps {
  readonly title: string;
  /** Whether it is open at first. */
  readonly isOpen: boolean;
  /** What is wrong in it: it then opens by itself. @default null: nothing */
  readonly problem?: FieldProblem | null;
  readonly children: ReactNode;
}

export function Section({ title, isOpen, problem = null, children }: SectionProps) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  const shown = wanted ?? (isOpen || problem !== null);
  return (
    <details
      className="step-section"
      open={shown}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== shown) setWanted(currentTarget.open);
      }}
    >
      <summary>
        {title}
        <ProblemSign problem={problem} />
      </summary>
      {shown ? <div className="section-body">{children}</div> : null}
    </details>
  );
}

/** Beside the title of what has a problem in it. */
export function ProblemSign({ problem }: { readonly problem: FieldProblem | null }) {
  const { steps: texts } = useTexts();
  if (problem === null) return null;
  const isWrong = isError(problem);
  return (
    <span className={isWrong ? "section-problem wrong" : "section-problem"}>
      <Icon name={isWrong ? "error" : "warning"} />
      <span className="visually-hidden">{isWrong ? texts.hasProblem : texts.hasWarning}</span>
    </span>
  );
}
