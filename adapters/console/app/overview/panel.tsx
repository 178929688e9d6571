/** A part of the overview, with its title. */
import { type ReactNode, useId } from "react";
import { Link } from "../routing/link.tsx";

interface PanelProps {
  readonly title: string;
  /** Where all of it is. */
  readonly more: { readonly to: string; readonly text: string } | null;
  readonly children: ReactNode;
}

export function Panel({ title, more, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {more === null ? null : <Link to={more.to}>{more.text}</Link>}
      </header>
      {children}
    </section>
  );
}
