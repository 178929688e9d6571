/** The settings of a workflow's runs, which are part of the draft. */

import { type FormEvent, useId, useState } from "react";
import { CONCURRENCY_STRATEGIES } from "../../../../../src/workflows/run-limits.ts";
import type { Settings } from "../../../../../src/workflows/settings.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { useTexts } from "../../texts/language.ts";
import { WorkflowPicker } from "../../workflows/workflow-picker.tsx";
import { isSameJson } from "../draft/same-json.ts";
import { ExpressionField, NumberField, SettingGroup } from "./setting-fields.tsx";
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
  const form = useId();
  const set = (changes: { readonly [Name in keyof Settings]?: Settings[Name] | undefined }) =>
    setDraft((before) => withoutMissing({ ...before, ...changes }));

  function submit(event: FormEvent): void {
    event.preventDefault();
    onChange(isSameJson(draft, {}) ? undefined : draft);
    onClose();
  }

  const { concurrency, debounce, rate_limit: rate, on_failure: failure } = draft;
  return (
    <Dialog
      title={texts.settingsTitle}
      onClose={onClose}
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
        <NumberField label={texts.timeout} value={draft.timeout} min={1} onChange={(timeout) => set({ timeout })} />
        <NumberField
          label={texts.keepRuns}
          value={draft.keep_runs}
          min={60}
          onChange={(keep_runs) => set({ keep_runs })}
        />
        <ExpressionField
          label={texts.priority}
          hint={texts.priorityHint}
          value={draft.priority === undefined ? undefined : String(draft.priority)}
          onChange={(text) => set({ priority: priorityOf(text) })}
        />
        <SettingGroup
          label={texts.concurrency}
          isOn={concurrency !== undefined}
          onSwitch={(isOn) => set({ concurrency: isOn ? { limit: 1 } : undefined })}
        >
          {concurrency === undefined ? null : (
            <>
              <NumberField
                label={texts.concurrencyLimit}
                value={concurrency.limit}
                min={1}
                isRequired
                onChange={(limit) => set({ concurrency: { ...concurrency, limit: limit ?? 1 } })}
              />
              <ExpressionField
                label={texts.concurrencyKey}
                hint={texts.keyHint}
                value={concurrency.key}
                onChange={(key) => set({ concurrency: withKey(concurrency, key) })}
              />
              <label className="field">
                <span>{texts.strategy}</span>
                <select
                  value={concurrency.strategy ?? "queue"}
                  onChange={({ target }) =>
                    set({
                      concurrency: {
                        ...concurrency,
                        strategy: CONCURRENCY_STRATEGIES.find((one) => one === target.value) ?? "queue",
                      },
                    })
                  }
                >
                  {CONCURRENCY_STRATEGIES.map((one) => (
                    <option key={one} value={one}>
                      {texts.strategies[one]}
                    </option>
                  ))}
                </select>
              </label>
            </>
          )}
        </SettingGroup>
        <SettingGroup
          label={texts.rateLimit}
          isOn={rate !== undefined}
          onSwitch={(isOn) => set({ rate_limit: isOn ? { limit: 1, period: 60 } : undefined })}
        >
          {rate === undefined ? null : (
            <>
              <NumberField
                label={texts.concurrencyLimit}
                value={rate.limit}
                min={1}
                isRequired
                onChange={(limit) => set({ rate_limit: { ...rate, limit: limit ?? 1 } })}
              />
              <NumberField
                label={texts.period}
                value={rate.period}
                isRequired
                onChange={(period) => set({ rate_limit: { ...rate, period: period ?? 1 } })}
              />
              <ExpressionField
                label={texts.concurrencyKey}
                hint={texts.keyHint}
                value={rate.key}
                onChange={(key) => set({ rate_limit: withKey(rate, key) })}
              />
            </>
          )}
        </SettingGroup>
        <SettingGroup
          label={texts.debounce}
          isOn={debounce !== undefined}
          onSwitch={(isOn) => set({ debounce: isOn ? { period: 10 } : undefined })}
        >
          {debounce === undefined ? null : (
            <>
              <NumberField
                label={texts.debouncePeriod}
                value={debounce.period}
                isRequired
                onChange={(period) => set({ debounce: { ...debounce, period: period ?? 1 } })}
              />
              <NumberField
                label={texts.maxWait}
                value={debounce.max_wait}
                onChange={(max_wait) => set({ debounce: withoutMissing({ ...debounce, max_wait }) })}
              />
              <ExpressionField
                label={texts.concurrencyKey}
                hint={texts.keyHint}
                value={debounce.key}
                onChange={(key) => set({ debounce: withKey(debounce, key) })}
              />
            </>
          )}
        </SettingGroup>
        <WorkflowPicker
          appId={appId}
          label={texts.onFailure}
          noneLabel={texts.noWorkflow}
          value={failure?.workflow_id ?? ""}
          onChange={(workflow_id) => set({ on_failure: workflow_id === "" ? undefined : { ...failure, workflow_id } })}
        />
        <StartOnFields
          value={draft.start_on ?? []}
          onChange={(start_on) => set({ start_on: start_on.length === 0 ? undefined : start_on })}
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

const withKey = <Limit extends { key?: string }>(limit: Limit, key: string | undefined): Limit =>
  withoutMissing<Limit>({ ...limit, key });

/** Without fields that are undefined. */
function withoutMissing<Fields extends object>(
  fields: {
    readonly [Name in keyof Fields]?: Fields[Name] | undefined;
  },
): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields; // all others are there
}
