/** The settings of a workflow's runs, which are part of the draft. */

import { type FormEvent, useId, useState } from "react";
import type { Settings } from "../../../../../src/workflows/settings.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { useDiscardQuestion } from "../../elements/dialogs/use-discard-question.ts";
import { isSameJson } from "../../merging/same-json.ts";
import { withField } from "../../steps/step-change.ts";
import { useTexts } from "../../texts/language.ts";
import { WorkflowPicker } from "../../workflows/workflow-picker.tsx";
import { ConcurrencyFields, DebounceFields, RateLimitFields } from "./limit-fields.tsx";
import { ExpressionSetting, NumberSetting } from "./setting-fields.tsx";
import { StartOnFields } from "./start-on-fields.tsx";
import "./settings-dialog.css";

interface SettingsDialogProps {
  readonly appId: string;
  readonly settings: Settings | undefined;
  /** Undefined if there are none. */
  readonly onChange: (settings: Settings | undefined) => void;
  readonly onClose: () => void;
}

export function SettingsDialog({ appId, settings, onChange, onClose }: SettingsDialogProps) {
  const { editor: texts, general } = useTexts();
  const [draft, setDraft] = useState<Settings>(settings ?? {});
  const mayClose = useDiscardQuestion(() => !isSameJson(draft, settings ?? {}));
  const form = useId();
  const set = <Name extends keyof Settings>(name: Name, value: Settings[Name] | undefined) =>
    setDraft((before) => withField(before, name, value));

  function submit(event: FormEvent): void {
    event.preventDefault();
    onChange(isSameJson(draft, {}) ? undefined : draft);
    onClose();
  }

  return (
    <Dialog
      title={texts.settingsTitle}
      onClose={onClose}
      mayClose={mayClose}
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button kind="primary" type="submit" form={form}>
            {texts.settingsDone}
          </Button>
        </>
      }
    >
      <form id={form} className="settings-dialog" onSubmit={submit}>
        <p className="soft">{texts.settingsHint}</p>
        <NumberSetting
          label={texts.timeout}
          value={draft.timeout}
          min={1}
          onChange={(timeout) => set("timeout", timeout)}
        />
        <NumberSetting
          label={texts.keepRuns}
          value={draft.keep_runs}
          min={60}
          onChange={(seconds) => set("keep_runs", seconds)}
        />
        <ExpressionSetting
          label={texts.priority}
          hint={texts.priorityHint}
          value={draft.priority === undefined ? undefined : String(draft.priority)}
          onChange={(text) => set("priority", priorityOf(text))}
        />
        <ConcurrencyFields value={draft.concurrency} onChange={(limit) => set("concurrency", limit)} />
        <RateLimitFields value={draft.rate_limit} onChange={(limit) => set("rate_limit", limit)} />
        <DebounceFields value={draft.debounce} onChange={(limit) => set("debounce", limit)} />
        <WorkflowPicker
          appId={appId}
          isExecuted
          label={texts.onFailure}
          noneLabel={texts.noWorkflow}
          value={draft.on_failure?.workflow_id ?? ""}
          onChange={(workflow_id) =>
            set("on_failure", workflow_id === "" ? undefined : { ...draft.on_failure, workflow_id })
          }
        />
        <StartOnFields
          value={draft.start_on ?? []}
          onChange={(events) => set("start_on", events.length === 0 ? undefined : events)}
        />
      </form>
    </Dialog>
  );
}

/** A number where the text is one, else an expression. */
function priorityOf(text: string | undefined): Settings["priority"] {
  if (text === undefined) return undefined;
  return /^-?\d{1,3}$/.test(text) ? Number(text) : text;
}
