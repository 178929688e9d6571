/** A step on the canvas. It gets an id and reads the rest from the store, so that moving the canvas draws nothing anew. */
import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { Icon, type IconName } from "../elements/icons.tsx";
import { StatusSign } from "../elements/values/status-sign.tsx";
import { useTexts } from "../texts/language.ts";
import type { CanvasStep, Feature } from "./canvas-graph.ts";
import { type StepMark, useCanvas } from "./canvas-store.ts";
import { flowId, idOfFlow } from "./flow-id.ts";
import { NoteResizer } from "./note-resizer.tsx";
import { OpenExits } from "./open-exits.tsx";
import { portX } from "./placing/place-exits.ts";
import { stepName } from "./words/step-name.ts";

const FEATURE_SIGNS: Readonly<Record<Feature, IconName>> = {
  conditional: "branch",
  loop: "loop",
  forEach: "collections",
  retry: "redo",
  continues: "skip",
  auto: "model",
  webhook: "webhooks",
};

export const StepNode = memo(function StepNode({ id }: Pick<NodeProps, "id">) {
  const stepId = idOfFlow(id);
  const step = useCanvas(({ graph }) => graph.steps.get(stepId));
  const isEditable = useCanvas(({ editing }) => editing !== null);
  if (step === undefined) return null;
  return (
    <>
      {step.type === "note" ? null : <Handle type="target" position={Position.Top} isConnectable={isEditable} />}
      <StepBox step={step} />
      {step.ports.map((port) => (
        <Handle
          key={port}
          id={flowId(port)}
          type="source"
          position={Position.Bottom}
          isConnectable={isEditable}
          className={port.startsWith("error") ? "port error" : "port"}
          style={{ left: portX(step, port) }}
        />
      ))}
      {step.type === "input" ? (
        <Handle id="start" type="source" position={Position.Bottom} isConnectable={false} />
      ) : null}
      {isEditable ? step.type === "note" ? <NoteResizer id={stepId} /> : <OpenExits step={step} /> : null}
    </>
  );
});

function StepBox({ step }: { readonly step: CanvasStep }) {
  const texts = useTexts();
  const { id } = step;
  const mark = useCanvas(({ marks }) => marks.get(id));
  const name = useCanvas(({ graph }) => stepName(graph, id, mark, texts));
  const isChosen = useCanvas(({ chosen }) => chosen === id);
  const isFocusable = useCanvas(({ focusable }) => focusable === id);
  const classes = ["canvas-step", step.type, step.look, mark?.status, mark?.change, isChosen ? "chosen" : undefined];
  return (
    <div className={classes.filter((name) => name !== undefined).join(" ")}>
      <button
        type="button"
        className="step-button"
        data-step={id}
        tabIndex={isFocusable ? 0 : -1}
        aria-pressed={isChosen}
        aria-label={name}
        title={mark?.detail}
      />
      <span className="face" aria-hidden="true">
        <span className="sign">
          <Icon name={step.type} size={18} />
        </span>
        {step.look === "minimal" ? null : (
          <span className="words">
            {step.type === "note" ? null : <bdi className="key">{step.key}</bdi>}
            {step.type === "note" ? null : <Facts step={step} mark={mark} />}
            {step.lines.map((line, index) => (
              <bdi key={index} className="line">
                {line}
              </bdi>
            ))}
          </span>
        )}
        <Corner mark={mark} />
      </span>
    </div>
  );
}

function Facts({ step, mark }: { readonly step: CanvasStep; readonly mark: StepMark | undefined }) {
  const { canvas } = useTexts();
  return (
    <span className="facts">
      {mark?.status === undefined ? (
        <bdi className="type">{canvas.types[step.type]}</bdi>
      ) : (
        <>
          <StatusSign status={mark.status} isForPerson={mark.isForPerson} />
          {mark.detail === undefined ? null : <bdi className="detail">{mark.detail}</bdi>}
        </>
      )}
      {step.features.map((feature) => (
        <span key={feature} className="feature" title={canvas.features[feature]}>
          <Icon name={FEATURE_SIGNS[feature]} size={12} />
        </span>
      ))}
    </span>
  );
}

/** What is seen of a mark where there is no room for words. */
function Corner({ mark }: { readonly mark: StepMark | undefined }) {
  const { canvas } = useTexts();
  if (mark === undefined) return null;
  if (mark.problems !== undefined && mark.problems > 0)
    return (
      <span className="corner problems" title={canvas.problems(mark.problems)}>
        {mark.problems}
      </span>
    );
  if (mark.change !== undefined) return <span className="corner change" title={canvas.changes[mark.change]} />;
  return mark.status === undefined ? null : (
    <span className="corner status">
      <StatusSign status={mark.status} isForPerson={mark.isForPerson} isWordHidden />
    </span>
  );
}
