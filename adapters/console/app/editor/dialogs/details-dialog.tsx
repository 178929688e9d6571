/** What a workflow is called, who may read it, and whether agents may use it. Not part of the draft. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { omitUndefined } from "../../../../../src/json.ts";
import type { Workflow } from "../../../../../src/workflows/workflow.ts";
import { FormDialog } from "../../elements/dialogs/form-dialog.tsx";
import { ChoiceField } from "../../elements/fields/choice-field.tsx";
import { Field } from "../../elements/fields/field.tsx";
import { NameField } from "../../elements/fields/name-field.tsx";
import { client, isServerError } from "../../server/client.ts";
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
  const [name, setName] = useState(workflow.name);
  const [description, setDescription] = useState(workflow.description ?? "");
  const [visibility, setVisibility] = useState(workflow.visibility);
  const [tool, setTool] = useState(workflow.tool);
  /** What the dialog shows. The workflow may change while it is open. */
  const revision = useRef(workflow.revision);

  async function save(): Promise<void> {
    const { app_id: appId, id } = workflow;
    try {
      await client.workflows.update(appId, id, {
        name,
        description: orUndefined(description) ?? null,
        visibility,
        tool,
        expected_revision: revision.current,
      });
    } catch (cause) {
      // Who has read that somebody else was faster may send it again.
      if (isServerError(cause) && cause.code === "precondition_failed") {
        const { queryKey } = workflowQuery(appId, id);
        await queries.invalidateQueries({ queryKey });
        revision.current = queries.getQueryData(queryKey)?.revision ?? revision.current;
      }
      throw cause;
    }
    await queries.invalidateQueries({ queryKey: [appId, "workflows"] });
  }

  return (
    <FormDialog title={texts.detailsTitle} action={general.save} onSubmit={save} onClose={onClose} pointers={["/name"]}>
      {(error) => (
        <div className="settings-dialog">
          <NameField value={name} onChange={setName} error={error} />
          <Field label={general.description} isOptional>
            {(attributes) => (
              <textarea {...attributes} value={description} onChange={({ target }) => setDescription(target.value)} />
            )}
          </Field>
          <ChoiceField
            label={texts.visibility}
            values={VISIBILITIES}
            names={texts.visibilities}
            value={visibility}
            onChange={setVisibility}
          />
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
        </div>
      )}
    </FormDialog>
  );
}
