/** Says how many steps are selected together. */
import { type Node, Panel, useStore } from "@xyflow/react";
import { useRef } from "react";
import { useTexts } from "../../texts/language.ts";

interface SelectionCountProps {
  readonly nodes: readonly Node[];
}

export function SelectionCount({ nodes }: SelectionCountProps) {
  const { canvas } = useTexts();
  const isDrawing = useStore(({ userSelectionActive }) => userSelectionActive);
  const known = useRef(0);
  // While the rectangle is drawn, each step that it reaches would be said.
  if (!isDrawing) known.current = nodes.filter(({ selected }) => selected === true).length;
  const count = known.current > 1 ? known.current : null;
  return (
    <Panel position="top-center" className={count === null ? "visually-hidden" : "canvas-selection"}>
      <p role="status">{count === null ? "" : canvas.selected(count)}</p>
    </Panel>
  );
}
