/** The "+" of each exit of a step that leads nowhere, with a line to it. */
import { useTexts } from "../texts/language.ts";
import { AddButton } from "./add-button.tsx";
import type { CanvasExit, CanvasStep } from "./canvas-graph.ts";
import { exitId, portId, portOf } from "./canvas-graph.ts";
import { useCanvas } from "./canvas-store.ts";
import { labelHeight } from "./placing/label-size.ts";
import { portX } from "./placing/place-exits.ts";
import { LabelWords, nameOfPort } from "./words/label-words.tsx";

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
        <AddButton
          title={title}
          placeIn={({ steps, order }) => {
            const now = steps.get(order[step.index] ?? "");
            const open = now?.ports[step.ports.indexOf(portId(port))];
            return now === undefined || open === undefined ? null : { after: now.id, port: portOf(open) };
          }}
        />
      </div>
    </>
  );
}
