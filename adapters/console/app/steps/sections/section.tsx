/** A part of the editor that can be closed. */
import { type ReactNode, useState } from "react";
import { Icon } from "../../elements/icons.tsx";
import { useTexts } from "../../texts/language.ts";

interface SectionProps {
  readonly title: string;
  /** Whether it is open at first. */
  readonly isOpen: boolean;
  /** Whether something in it is wrong: it then opens by itself. */
  readonly hasProblem?: boolean;
  readonly children: ReactNode;
}

export function Section({ title, isOpen, hasProblem = false, children }: SectionProps) {
  const { steps: texts } = useTexts();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const shown = wanted ?? (isOpen || hasProblem);
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
        {hasProblem ? (
          <span className="section-problem">
            <Icon name="warning" />
            <span className="visually-hidden">{texts.hasProblem}</span>
          </span>
        ) : null}
      </summary>
      {shown ? <div className="section-body">{children}</div> : null}
    </details>
  );
}
