/** Chooses a workflow of the app. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Field } from "../elements/fields/field.tsx";
import type { FieldProblem } from "../elements/fields/field-note.tsx";
import { nameOr } from "../elements/values/visible-text.ts";
import { workflowsQuery } from "./use-workflow.ts";

interface WorkflowPickerProps {
  readonly appId: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: FieldProblem | null;
  /** Id of the workflow; empty for none. */
  readonly value: string;
  readonly onChange: (workflowId: string) => void;
  /** Says that none is an answer, too. */
  readonly noneLabel?: string;
}

export function WorkflowPicker({ appId, label, hint, error = null, value, onChange, noneLabel }: WorkflowPickerProps) {
  const workflows = useQuery(workflowsQuery(appId));
  const found = workflows.data?.items ?? [];
  const isListed = value === "" || found.some(({ id }) => id === value);
  return (
    <Field label={label} hint={hint} error={error} isOptional={noneLabel !== undefined}>
      {(attributes) => (
        <select
          {...attributes}
          required={noneLabel === undefined}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{noneLabel ?? ""}</option>
          {isListed ? null : <option value={value}>{value}</option>}
          {found.map(({ id, name }) => (
            <option key={id} value={id}>
              {nameOr(name, id)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
