/** The "+" of each exit of a step that leads nowhere, with a line to it. For the pointer: the keyboard has `A`. */
import { Icon } from "../elements/icons.tsx";
import { useTexts } from "../texts/language.ts";
import type { CanvasExit, CanvasStep } from "./canvas-graph.ts";
import { exitId, portId } from "./canvas-graph.ts";
import { useCanvas } from "./canvas-store.ts";
import { LabelWords, nameOfPort } from "./label-words.tsx";
import { labelHeight } from "./placing/label-size.ts";
import { portX } from "./placing/place-exits.ts";

export function OpenExits({ step }: { readonly step: CanvasStep }) {
  const exits = useCanvas(({ graph }) => graph.exits);
  return step.ports.map((port) => {
    const exit = exits.get(exitId(step.id, port));
    return exit === undefined ? null : <OpenExit key={port} step={step} exit={exit} />;
  });
}

interface OpenExitProps {
  readonly step: CanvasStep;
  readonly exit: CanvasExit;
}

function OpenExit({ step, exit }: OpenExitProps) {
  const { canvas } = useTexts();
  const editing = useCanvas((state) => state.editing);
  const at = useCanvas(({ placement }) => placement.exits.get(exit.id));
  if (at === undefined || editing === null) return null;
  const { port } = exit;
  const name = nameOfPort(canvas, exit);
  const title = name === null ? canvas.addBehind(step.key) : `${canvas.addBehind(step.key)}: ${name}`;
  const start = portX(step, portId(port));
  const middle = (step.height + at.y - labelHeight(exit) / 2) / 2;
  return (
    <>
      <svg className="canvas-exit-line" aria-hidden="true">
        <path
          className={`canvas-edge ${port.kind}`}
          d={`M${start} ${step.height}C${start} ${middle} ${at.x} ${middle} ${at.x} ${at.y}`}
        />
      </svg>
      <div className={`canvas-edge-label ${port.kind}`} style={{ left: at.x, top: at.y, translate: "-50% -50%" }}>
        <LabelWords of={exit} />
        <button
          type="button"
          className="add-step nodrag nopan"
          tabIndex={-1}
          aria-label={title}
          title={title}
          onClick={(event) => {
            event.stopPropagation();
            editing.onAdd({ after: step.id, port });
          }}
        >
          <Icon name="plus" size={14} />
        </button>
      </div>
    </>
  );
}
