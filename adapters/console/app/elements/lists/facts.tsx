/** Facts about a resource, each with its name. */
import type { ReactNode } from "react";
import "./facts.css";

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
