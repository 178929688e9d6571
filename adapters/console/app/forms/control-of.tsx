/** The control for a shape. */

import { useEffect, useRef } from "react";
import { type Entry, emptyEntry, emptyField } from "../../../../src/forms/model/entry.ts";
import { blankEntry } from "../../../../src/forms/model/fill-entry.ts";
import { Button } from "../elements/controls/button.tsx";
import { useTexts } from "../texts/language.ts";
import { BooleanControl } from "./boolean-control.tsx";
import { ChoiceControl } from "./choice-control.tsx";
import { ConnectionControl } from "./connections/connection-control.tsx";
import type { ControlOfProps, ControlProps } from "./control-props.ts";
import { FileControl } from "./files/file-control.tsx";
import { focusControl, useForm } from "./form-context.ts";
import { JsonControl } from "./json-control.tsx";
import { ListControl } from "./lists/list-control.tsx";
import { MomentControl } from "./moment-control.tsx";
import { TextControl } from "./text-control.tsx";
import { VariantsControl } from "./variants-control.tsx";

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
    case "variants":
      return <VariantsControl {...props} shape={shape} />;
    case "json":
      return <JsonControl {...props} shape={shape} />;
    case "constant":
    case "content":
      return null;
  }
}

function RawControl({ field, shape, ...props }: ControlOfProps) {
  const { forms } = useTexts();
  const clear = () => props.change(() => (field === null ? emptyEntry(shape) : emptyField(field)));
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
  const { notation, formId, Fields } = useForm();
  // The button that was pressed is gone then.
  const isChanging = useRef(false);
  useEffect(() => {
    if (isChanging.current) focusControl(formId, place);
    isChanging.current = false;
  }, [entry.kind, formId, place]);
  const turn = (next: Entry) => {
    isChanging.current = true;
    change(() => next);
  };
  const canLeaveOut = field?.isOptional === true;
  const { "aria-invalid": _, ...described } = attributes;
  return (
    <div {...described} role="group" aria-labelledby={`${attributes.id}-label`} className="object-control">
      {entry.kind === "object" ? (
        <>
          <Fields shape={shape} entry={entry} change={change} place={place} />
          {canLeaveOut ? (
            <Button kind="quiet" icon="minus" onClick={() => turn({ kind: "none" })}>
              {forms.leaveOut(label)}
            </Button>
          ) : null}
        </>
      ) : (
        <Button icon="plus" onClick={() => turn(blankEntry(shape, notation))} data-adds-field>
          {forms.addObject(label)}
        </Button>
      )}
    </div>
  );
}
