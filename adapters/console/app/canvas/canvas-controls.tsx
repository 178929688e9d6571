/** Buttons of the canvas, and its map. */
import { MiniMap, type Node, Panel, useReactFlow, useStoreApi } from "@xyflow/react";
import { useMemo } from "react";
import { IconButton } from "../elements/controls/button.tsx";
import { useTexts } from "../texts/language.ts";
import { useCanvas } from "./canvas-store.ts";
import { idOfFlow } from "./flow-id.ts";
import { motionMs, roomOf, wholeViewport } from "./viewport.ts";

export function CanvasControls() {
  const { canvas } = useTexts();
  const flow = useReactFlow();
  const store = useStoreApi();
  const graph = useCanvas((state) => state.graph);
  const placement = useCanvas((state) => state.placement);
  const motion = { duration: motionMs() };
  return (
    <Panel position="bottom-left" className="canvas-controls">
      <div role="group" aria-label={canvas.view}>
        <IconButton icon="plus" label={canvas.zoomIn} onClick={() => void flow.zoomIn(motion)} />
        <IconButton icon="minus" label={canvas.zoomOut} onClick={() => void flow.zoomOut(motion)} />
        <IconButton
          icon="fit"
          label={canvas.fit}
          onClick={() => {
            const { domNode } = store.getState();
            if (domNode !== null) void flow.setViewport(wholeViewport(graph, placement, roomOf(domNode)), motion);
          }}
        />
      </div>
    </Panel>
  );
}

export function CanvasMap() {
  const { canvas } = useTexts();
  const classes = useCanvas(({ graph, marks }) =>
    graph.order.map((id) => `${graph.steps.get(id)?.type ?? ""} ${marks.get(id)?.status ?? ""}`).join("\n"),
  );
  const order = useCanvas(({ graph }) => graph.order);
  // Another function would draw the whole map anew, with each keystroke in a step.
  const classOf = useMemo(() => {
    const known = new Map(classes.split("\n").map((name, index) => [order[index], name]));
    return ({ id }: Node) => known.get(idOfFlow(id)) ?? "";
  }, [classes, order]);
  return (
    <MiniMap
      className="canvas-map"
      position="bottom-right"
      pannable
      zoomable
      nodeClassName={classOf}
      nodeBorderRadius={8}
      ariaLabel={canvas.map}
    />
  );
}
