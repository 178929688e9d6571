/** The handles with which the pointer changes the size of a chosen note. The keyboard has the fields of its panel. */
import { NodeResizer, type ResizeParams } from "@xyflow/react";
import { memo, useContext } from "react";
import { useStable } from "../elements/use-stable.ts";
import { type CanvasStep, MAXIMAL_SIZE, MINIMAL_SIZE } from "./canvas-graph.ts";
import { CanvasContext, useCanvas } from "./canvas-store.ts";
import { cornersOfLayout } from "./placing/corners-of-layout.ts";

/** So narrow, a note still shows a word. */
const MIN_WIDTH = 96;

/** Not drawn anew with each movement: a handle that is being dragged would be lost. */
export const NoteResizer = memo(function NoteResizer({ id }: Pick<CanvasStep, "id">) {
  const isChosen = useCanvas(({ chosen }) => chosen === id);
  const store = useContext(CanvasContext);
  const resize = useStable((_event: unknown, { x, y, width, height }: ResizeParams) => {
    if (store === null) return;
    const { graph, placement, editing } = store.get();
    const [step, point] = [graph.steps.get(id), placement.points.get(id)];
    const size = [Math.round(width), Math.round(height)] as const;
    const corner = [Math.round(x), Math.round(y)] as const;
    const isSame =
      size[0] === step?.width && size[1] === step.height && corner[0] === point?.x && corner[1] === point.y;
    if (!isSame) editing?.onResize(id, { corner, size }, cornersOfLayout(graph, placement));
  });
  if (!isChosen) return null;
  return (
    <NodeResizer
      minWidth={MIN_WIDTH}
      minHeight={MINIMAL_SIZE}
      maxWidth={MAXIMAL_SIZE}
      maxHeight={MAXIMAL_SIZE}
      onResizeEnd={resize}
    />
  );
});
