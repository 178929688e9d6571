/** What a workflow is called, who may read it, and whether agents may use it. Not part of the draft. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { omitUndefined } from "../../../../../src/json.ts";
import type { Workflow } from "../../../../../src/workflows/workflow.ts";
import { FormDialog } from "../../elements/dialogs/form-dialog.tsx";
import { ChoiceField } from "../../elements/fields/choice-field.tsx";
import { Field } from "../../elements/fields/field.tsx";
import { NameField } from "../../elements/fields/name-field.tsx";
import { useMergedSave } from "../../merging/use-merged-save.tsx";
import { client } from "../../server/client.ts";
import { useMe } from "../../steps/server-data.ts";
import { useTexts } from "../../texts/language.ts";
import { SettingGroup } from "./setting-fields.tsx";
import "./settings-dialog.css";

interface DetailsDialogProps {
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

const VISIBILITIES = ["PRIVATE", "PUBLIC"] as const;

interface Details extends Pick<Workflow, "name" | "visibility" | "tool"> {
  readonly description: string;
}

const detailsOf = ({ name, description, visibility, tool }: Workflow): Details => ({
  name,
  description: description ?? "",
  visibility,
  tool,
});

const orUndefined = (text: string) => (text.trim() === "" ? undefined : text);

export function DetailsDialog({ workflow, onClose }: DetailsDialogProps) {
  const { editor: texts, general } = useTexts();
  const queries = useQueryClient();
  const hasMcp = useMe(workflow.app_id)?.configured.mcp !== false;
  const [details, setDetails] = useState(() => detailsOf(workflow));
  const { name, description, visibility, tool } = details;
  const change = (changes: Partial<Details>) => setDetails({ ...details, ...changes });
  const { app_id: appId, id } = workflow;
  const merging = useMergedSave<Workflow, Details>({
    first: workflow,
    fieldsOf: detailsOf,
    revisionOf: ({ revision }) => revision,
    names: {
      name: { label: general.name },
      description: { label: general.description },
      visibility: { label: texts.visibility, values: texts.visibilities },
      tool: { label: texts.tool, isOne: true },
    },
    read: () => client.workflows.get(appId, id),
    write: (next, base) =>
      client.workflows.update(appId, id, {
        ...next,
        description: orUndefined(next.description) ?? null,
        expected_revision: (base ?? workflow).revision,
      }),
    current: () => details,
    show: setDetails,
  });

  async function save(): Promise<boolean> {
    if ((await merging.save(details)) === null) return false;
    await queries.invalidateQueries({ queryKey: [appId, "workflows"] });
    return true;
  }

  return (
    <FormDialog title={texts.detailsTitle} action={general.save} onSubmit={save} onClose={onClose} pointers={["/name"]}>
      {(error) => (
        <div className="settings-dialog">
          {merging.note}
          <NameField value={name} onChange={(next) => change({ name: next })} error={error} />
          <Field label={general.description} isOptional>
            {(attributes) => (
              <textarea
                {...attributes}
                value={description}
                onChange={({ target }) => change({ description: target.value })}
              />
            )}
          </Field>
          <ChoiceField
            label={texts.visibility}
            values={VISIBILITIES}
            names={texts.visibilities}
            value={visibility}
            onChange={(next) => change({ visibility: next })}
          />
          <SettingGroup label={texts.tool} isOn={tool !== null} onSwitch={(isOn) => change({ tool: isOn ? {} : null })}>
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
                        change({
                          tool: omitUndefined({ name: orUndefined(target.value), description: tool.description }),
                        })
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
                        change({
                          tool: omitUndefined({ name: tool.name, description: orUndefined(target.value) }),
                        })
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
