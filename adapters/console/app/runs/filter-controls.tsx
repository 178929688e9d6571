/** Controls of the filters: each is small, with its label beside it. */
import { type ReactNode, useId } from "react";

interface ChoiceProps {
  readonly label: string;
  /** The choice of no filter. */
  readonly any: string;
  readonly chosen: string | null;
  readonly names: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string | null) => void;
}

export function Choice({ label, any, chosen, names, onChoose }: ChoiceProps) {
  return (
    <Labeled label={label}>
      {(id) => (
        <select id={id} value={chosen ?? ""} onChange={({ target }) => onChoose(target.value || null)}>
          <option value="">{any}</option>
          {names.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labeled>
  );
}

export function Labeled({ label, children }: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}
