/** What a workflow is called, who may read it, and whether agents may use it. Not part of the draft. */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { omitUndefined } from "../../../../../src/json.ts";
import type { Workflow } from "../../../../../src/workflows/workflow.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { Field } from "../../elements/fields/field.tsx";
import { NameField } from "../../elements/fields/name-field.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../../elements/refusal-focus.ts";
import { client } from "../../server/client.ts";
import { useMe } from "../../steps/server-data.ts";
import { useTexts } from "../../texts/language.ts";
import { workflowQuery } from "../../workflows/use-workflow.ts";
import { SettingGroup } from "./setting-fields.tsx";
import "./settings-dialog.css";

interface DetailsDialogProps {
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

const VISIBILITIES = ["PRIVATE", "PUBLIC"] as const;
const orUndefined = (text: string) => (text.trim() === "" ? undefined : text);

export function DetailsDialog({ workflow, onClose }: DetailsDialogProps) {
  const { editor: texts, general } = useTexts();
  const queries = useQueryClient();
  const hasMcp = useMe(workflow.app_id)?.configured.mcp !== false;
  const form = useId();
  const [name, setName] = useState(workflow.name);
  const [description, setDescription] = useState(workflow.description ?? "");
  const [visibility, setVisibility] = useState(workflow.visibility);
  const [tool, setTool] = useState(workflow.tool);
  /** What the dialog shows. The workflow may change while it is open. */
  const revision = useRef(workflow.revision);
  const [error, setError] = useState<unknown>(null);
  useFocusOnRefusal(error);
  const [isBusy, setBusy] = useState(false);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      await client.workflows.update(workflow.app_id, workflow.id, {
        name,
        description: orUndefined(description) ?? null,
        visibility,
        tool,
        expected_revision: revision.current,
      });
      await queries.invalidateQueries({ queryKey: [workflow.app_id, "workflows"] });
      onClose();
    } catch (cause) {
      setError(cause);
      setBusy(false);
      const { queryKey } = workflowQuery(workflow.app_id, workflow.id);
      await queries.invalidateQueries({ queryKey });
      revision.current = queries.getQueryData(queryKey)?.revision ?? revision.current;
    }
  }

  return (
    <Dialog
      title={texts.detailsTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
            {general.save}
          </Button>
        </>
      }
    >
      {error === null ? null : <ProblemNote error={error} />}
      <form id={form} className="settings-dialog" onSubmit={(event) => void save(event)}>
        <NameField value={name} onChange={setName} />
        <Field label={general.description} isOptional>
          {(attributes) => (
            <textarea {...attributes} value={description} onChange={({ target }) => setDescription(target.value)} />
          )}
        </Field>
        <Field label={texts.visibility}>
          {(attributes) => (
            <select
              {...attributes}
              value={visibility}
              onChange={({ target }) =>
                setVisibility(VISIBILITIES.find((one) => one === target.value) ?? workflow.visibility)
              }
            >
              {VISIBILITIES.map((one) => (
                <option key={one} value={one}>
                  {texts.visibilities[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <SettingGroup label={texts.tool} isOn={tool !== null} onSwitch={(isOn) => setTool(isOn ? {} : null)}>
          {tool === null ? null : (
            <>
              {hasMcp ? null : <p className="notice">{texts.noMcp}</p>}
              <Field label={texts.toolName} hint={texts.toolNameHint} isOptional>
                {(attributes) => (
                  <input
                    {...attributes}
                    pattern="[A-Za-z0-9_\-]{1,64}"
                    value={tool.name ?? ""}
                    onChange={({ target }) =>
                      setTool(omitUndefined({ name: orUndefined(target.value), description: tool.description }))
                    }
                  />
                )}
              </Field>
              <Field label={texts.toolDescription} hint={texts.toolDescriptionHint} isOptional>
                {(attributes) => (
                  <textarea
                    {...attributes}
                    value={tool.description ?? ""}
                    onChange={({ target }) =>
                      setTool(omitUndefined({ name: tool.name, description: orUndefined(target.value) }))
                    }
                  />
                )}
              </Field>
            </>
          )}
        </SettingGroup>
      </form>
    </Dialog>
  );
}
