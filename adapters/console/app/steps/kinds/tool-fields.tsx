/** What a model can call: actions of services, and workflows. */

import { useMemo } from "react";
import type { Tool } from "../../../../../src/workflows/model-provider.ts";
import { Button } from "../../elements/controls/button.tsx";
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { useTexts } from "../../texts/language.ts";
import { ArgumentFields } from "../arguments/argument-fields.tsx";
import { AddRow } from "../controls/add-row.tsx";
import { ConnectionField } from "../controls/connection-field.tsx";
import { ChoiceField, NumberField, SwitchField, TextField } from "../controls/plain-fields.tsx";
import { Row, RowTools } from "../controls/row-tools.tsx";
import { useWorkflows } from "../server-data.ts";
import { moved, removed, replaced, withField } from "../step-change.ts";
import type { ProviderProps } from "./provider-props.ts";
import { actionOptions, serviceOptions } from "./service-fields.tsx";

const MODES = ["auto", "required", "none"] as const;

export function ToolFields({ provider, onChange, problemAt }: ProviderProps) {
  const { steps: texts } = useTexts();
  const tools = provider.tools ?? [];
  const change = (next: Tool[]) => onChange(withField(provider, "tools", next.length === 0 ? undefined : next));
  return (
    <div className="rows">
      {tools.map((tool, index) => {
        const name = texts.toolNumber(index + 1);
        const move = (by: -1 | 1) => change(moved(tools, index, by));
        return (
          <Row key={index} name={name} onMove={move}>
            <div className="row-head">
              <strong>{name}</strong>
              <RowTools
                name={name}
                isFirst={index === 0}
                isLast={index === tools.length - 1}
                onMove={move}
                onRemove={() => change(removed(tools, index))}
              />
            </div>
            <ToolField
              tool={tool}
              at={`/provider/tools/${index}`}
              problemAt={problemAt}
              onChange={(next) => change(replaced(tools, index, next))}
            />
          </Row>
        );
      })}
      <div className="field-actions">
        <AddRow onAdd={() => change([...tools, { type: "service", service: "", action: "" }])}>
          {texts.addActionTool}
        </AddRow>
        <AddRow onAdd={() => change([...tools, { type: "workflow", workflow_id: "", name: "", description: "" }])}>
          {texts.addWorkflowTool}
        </AddRow>
      </div>
      <ChoiceField
        label={texts.toolsMode}
        value={provider.tools_mode}
        none={texts.byDefault(texts.toolsModes.auto)}
        error={problemAt("/provider/tools_mode")}
        options={MODES.map((value) => ({ value, label: texts.toolsModes[value] }))}
        onChange={(value) =>
          onChange(
            withField(
              provider,
              "tools_mode",
              MODES.find((one) => one === value),
            ),
          )
        }
      />
      <SwitchField
        label={texts.toolsParallel}
        isOn={provider.tools_parallel ?? true}
        error={problemAt("/provider/tools_parallel")}
        onChange={(isOn) => onChange(withField(provider, "tools_parallel", isOn ? undefined : false))}
      />
      <NumberField
        label={texts.maxIterations}
        placeholder="20"
        value={provider.max_iterations}
        error={problemAt("/provider/max_iterations")}
        onChange={(value) => onChange(withField(provider, "max_iterations", value))}
      />
    </div>
  );
}

interface ToolFieldProps<One extends Tool> {
  readonly tool: One;
  readonly onChange: (tool: Tool) => void;
  readonly at: string;
  readonly problemAt: (pointer: string) => FieldProblem | null;
}

function ToolField({ tool, onChange, at, problemAt }: ToolFieldProps<Tool>) {
  const { steps: texts } = useTexts();
  if (typeof tool === "string")
    return (
      <>
        <TextField
          label={texts.toolText}
          hint={texts.toolTextHint}
          isOptional={false}
          value={tool}
          error={problemAt(at)}
          onChange={(text) => onChange(text ?? "")}
        />
        <div className="field-actions">
          <Button kind="quiet" onClick={() => onChange(expanded(tool))}>
            {texts.moreToolSettings}
          </Button>
        </div>
      </>
    );
  return tool.type === "service" ? (
    <ActionTool tool={tool} onChange={onChange} at={at} problemAt={problemAt} />
  ) : (
    <WorkflowTool tool={tool} onChange={onChange} at={at} problemAt={problemAt} />
  );
}

/** A tool that is given as a text, as an object that says the same. */
function expanded(text: string): Tool {
  const dot = text.indexOf(".");
  if (dot < 0) return { type: "workflow", workflow_id: text, name: "", description: "" };
  return { type: "service", service: text.slice(0, dot), action: text.slice(dot + 1) };
}

type ActionToolObject = Extract<Exclude<Tool, string>, { type: "service" }>;
type WorkflowToolObject = Extract<Exclude<Tool, string>, { type: "workflow" }>;

function ActionTool({ tool, onChange, at, problemAt }: ToolFieldProps<ActionToolObject>) {
  const { steps: texts } = useTexts();
  const { services } = useSurroundings();
  const service = services.find(({ name }) => name === tool.service);
  const action = service?.actions.find(({ name }) => name === tool.action);
  const schema = useMemo(() => optional(action?.input ?? null), [action]);
  return (
    <>
      <ChoiceField
        label={texts.service}
        value={tool.service}
        none={tool.service === "" ? texts.none : undefined}
        error={problemAt(`${at}/service`)}
        options={serviceOptions(services)}
        onChange={(value) => onChange({ ...tool, service: value ?? "", action: "" })}
      />
      <ChoiceField
        label={texts.action}
        hint={action?.description ?? undefined}
        value={tool.action}
        none={tool.action === "" ? texts.none : undefined}
        error={problemAt(`${at}/action`)}
        options={actionOptions(service)}
        onChange={(value) => onChange({ ...tool, action: value ?? "" })}
      />
      {service?.connection === null && tool.connection_id === undefined ? null : (
        <ConnectionField
          service={tool.service}
          isNeeded={service?.needs_connection ?? false}
          value={tool.connection_id}
          error={problemAt(`${at}/connection_id`)}
          onChange={(value) => onChange(withField(tool, "connection_id", value))}
        />
      )}
      <TextField
        label={texts.toolName}
        value={tool.name}
        error={problemAt(`${at}/name`)}
        onChange={(value) => onChange(withField(tool, "name", value))}
      />
      <TextField
        label={texts.toolDescription}
        isLong={true}
        value={tool.description}
        error={problemAt(`${at}/description`)}
        onChange={(value) => onChange(withField(tool, "description", value))}
      />
      <ArgumentFields
        key={`${tool.service}.${tool.action}`}
        label={texts.fixedArguments}
        schema={schema}
        value={tool.input ?? {}}
        at={`${at}/input`}
        problemAt={problemAt}
        hasAuto={false}
        onChange={(input) => onChange(withField(tool, "input", Object.keys(input).length === 0 ? undefined : input))}
      />
    </>
  );
}

/** What is not fixed, the model chooses. */
function optional(schema: ActionToolObject["input"] | null) {
  if (schema === null || schema === undefined) return null;
  const { required: _, ...rest } = schema;
  return rest;
}

function WorkflowTool({ tool, onChange, at, problemAt }: ToolFieldProps<WorkflowToolObject>) {
  const { steps: texts } = useTexts();
  const workflows = useWorkflows(useSurroundings().app.id);
  return (
    <>
      <ChoiceField
        label={texts.workflow}
        value={tool.workflow_id}
        none={tool.workflow_id === "" ? texts.none : undefined}
        error={problemAt(`${at}/workflow_id`)}
        options={workflows.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(value) => onChange({ ...tool, workflow_id: value ?? "" })}
      />
      <TextField
        label={texts.toolName}
        isOptional={false}
        value={tool.name}
        error={problemAt(`${at}/name`)}
        onChange={(value) => onChange({ ...tool, name: value ?? "" })}
      />
      <TextField
        label={texts.toolDescription}
        isOptional={false}
        isLong={true}
        value={tool.description}
        error={problemAt(`${at}/description`)}
        onChange={(value) => onChange({ ...tool, description: value ?? "" })}
      />
    </>
  );
}
