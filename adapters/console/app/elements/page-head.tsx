/** The head of a screen: its title, what belongs to it, and its actions. Sets the title of the page. */
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { isolateTurning } from "../texts/isolate.ts";
import { useTexts } from "../texts/language.ts";
import "./page-head.css";

interface PageHeadProps {
  readonly title: string;
  /** Beside the title, such as a status. */
  readonly beside?: ReactNode;
  /** Below the title. */
  readonly below?: ReactNode;
  readonly actions?: ReactNode;
}

export function PageHead({ title, beside, below, actions }: PageHeadProps) {
  const { frame } = useTexts();
  useEffect(() => {
    document.title = `${isolateTurning(title)} · ${frame.product}`;
  }, [title, frame.product]);
  const heading = useHeadingFocus();
  return (
    <header className="page-head">
      <div className="title">
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        {beside}
      </div>
      {actions === undefined ? null : <div className="actions">{actions}</div>}
      {below === undefined ? null : <div className="below">{below}</div>}
    </header>
  );
}

/** Until a screen that loads has its heading, the focus waits on the content, which has no name to be read out. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement?.id === "content") heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
