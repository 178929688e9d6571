/** The button behind rows that adds one, and leads to it. */
import { Button } from "../../elements/controls/button.tsx";
import { addRow } from "./row-focus.ts";

interface AddRowProps {
  /** @default "plain" */
  readonly kind?: "plain" | "quiet";
  readonly onAdd: () => void;
  readonly children: string;
}

export function AddRow({ kind = "plain", onAdd, children }: AddRowProps) {
  return (
    <Button kind={kind} icon="plus" onClick={({ currentTarget }) => addRow(currentTarget, onAdd)}>
      {children}
    </Button>
  );
}
