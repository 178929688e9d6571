/** The control for a shape. */

import { type Entry, emptyField } from "../../../../src/forms/model/entry.ts";
import { blankEntry } from "../../../../src/forms/model/fill-entry.ts";
import type { ModelField, Shape } from "../../../../src/forms/model/form-model.ts";
import { Button } from "../elements/button.tsx";
import { useTexts } from "../texts/language.ts";
import { BooleanControl } from "./boolean-control.tsx";
import { ChoiceControl } from "./choice-control.tsx";
import { ConnectionControl } from "./connection-control.tsx";
import type { ControlProps } from "./control-props.ts";
import { FileControl } from "./file-control.tsx";
import { useForm } from "./form-context.ts";
import { JsonControl } from "./json-control.tsx";
import { ListControl } from "./list-control.tsx";
import { MomentControl } from "./moment-control.tsx";
import { ObjectFields } from "./object-fields.tsx";
import { TextControl } from "./text-control.tsx";

interface ControlOfProps extends ControlProps {
  /** The field that the control is for; null for a row of a list. */
  readonly field: ModelField | null;
}

/** Whether several controls belong to the field, so that a label cannot be for one of them. */
export function isGroup(shape: Shape, entry: Entry): boolean {
  if (entry.kind === "raw") return false;
  if (shape.kind === "choice") return shape.look === "radio";
  if (shape.kind === "boolean") return shape.hasThirdState;
  return ["object", "list", "file"].includes(shape.kind);
}

export function ControlOf(props: ControlOfProps) {
  const { shape, entry } = props;
  // What does not fit its control can still be edited.
  if (entry.kind === "raw") return <RawControl {...props} />;
  switch (shape.kind) {
    case "text":
      return <TextControl {...props} shape={shape} />;
    case "number":
      return <TextControl {...props} shape={shape} />;
    case "boolean":
      return <BooleanControl {...props} shape={shape} />;
    case "date":
    case "time":
    case "datetime":
      return <MomentControl {...props} shape={shape} />;
    case "choice":
      return <ChoiceControl {...props} shape={shape} />;
    case "file":
      return <FileControl {...props} shape={shape} />;
    case "connection":
      return <ConnectionControl {...props} shape={shape} />;
    case "list":
      return <ListControl {...props} shape={shape} />;
    case "object":
      return <ObjectControl {...props} shape={shape} />;
    case "json":
      return <JsonControl {...props} shape={shape} />;
    case "content":
      return null;
  }
}

function RawControl({ field, shape, ...props }: ControlOfProps) {
  const { forms } = useTexts();
  const clear = () => props.change(() => (field === null ? { kind: "text", text: "" } : emptyField(field)));
  return (
    <div className="raw-control">
      <JsonControl {...props} shape={{ kind: "json" }} />
      {shape.kind === "json" ? null : (
        <p className="notes">
          {forms.asJson}{" "}
          <button type="button" className="link-button" onClick={clear}>
            {forms.useField}
          </button>
        </p>
      )}
    </div>
  );
}

/** An object within a form. One that is optional can be left out. */
function ObjectControl({
  shape,
  entry,
  change,
  place,
  label,
  attributes,
  field,
}: ControlOfProps & ControlProps<"object">) {
  const { forms } = useTexts();
  const { notation } = useForm();
  const canLeaveOut = field?.isOptional === true;
  const { "aria-invalid": _, ...described } = attributes;
  return (
    <div {...described} role="group" aria-labelledby={`${attributes.id}-label`} className="object-control">
      {entry.kind === "object" ? (
        <>
          <ObjectFields shape={shape} entry={entry} change={change} place={place} />
          {canLeaveOut ? (
            <Button kind="quiet" icon="minus" onClick={() => change(() => ({ kind: "none" }))}>
              {forms.leaveOut(label)}
            </Button>
          ) : null}
        </>
      ) : (
        <Button icon="plus" onClick={() => change(() => blankEntry(shape, notation))}>
          {forms.addObject(label)}
        </Button>
      )}
    </div>
  );
}
