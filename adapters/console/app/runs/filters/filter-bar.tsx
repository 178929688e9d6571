/** The filters above the list of runs. */
import { useEffect, useState } from "react";
import type { RunStatus } from "../../../../../src/runs/run.ts";
import { Button } from "../../elements/controls/button.tsx";
import { useNumberText } from "../../elements/fields/use-number-text.ts";
import { useTexts } from "../../texts/language.ts";
import { useWorkflows } from "../workflow-names.ts";
import { Choice, Labeled } from "./filter-controls.tsx";
import { isFiltered, NO_TESTS, RUN_STATUSES, type RunFilters, TRIGGER_FILTERS, UNFILTERED } from "./run-filters.ts";
import { TimeFilter } from "./time-filter.tsx";
import "./filter-bar.css";

export interface FilterBarProps {
  readonly appId: string;
  readonly filters: RunFilters;
  /** @param isTyping Whether somebody may still be typing: the address before is not kept. */
  readonly onChange: (changes: Partial<RunFilters>, isTyping?: boolean) => void;
}

export function FilterBar({ appId, filters, onChange }: FilterBarProps) {
  const { runs: texts } = useTexts();
  return (
    <section className="filter-bar" aria-label={texts.filters}>
      <StatusChips chosen={filters.status} onChange={(status) => onChange({ status })} />
      <WorkflowFilter {...{ appId, filters, onChange }} />
      {filters.workflow === null ? null : <VersionFilter {...{ appId, filters, onChange }} />}
      <Choice
        label={texts.trigger}
        any={texts.anyTrigger}
        chosen={filters.trigger}
        names={TRIGGER_FILTERS.map((one) => [one, one === NO_TESTS ? texts.noTests : texts.triggers[one]])}
        onChoose={(chosen) => onChange({ trigger: TRIGGER_FILTERS.find((one) => one === chosen) ?? null })}
      />
      <TimeFilter filters={filters} onChange={onChange} />
      <SearchFilter key={appId} search={filters.search} onChange={onChange} />
      {isFiltered(filters) ? (
        <Button kind="quiet" icon="close" onClick={() => onChange(UNFILTERED)}>
          {texts.clear}
        </Button>
      ) : null}
    </section>
  );
}

function StatusChips({
  chosen,
  onChange,
}: {
  readonly chosen: readonly RunStatus[];
  readonly onChange: (chosen: readonly RunStatus[]) => void;
}) {
  const { general, statuses } = useTexts();
  const without = (status: RunStatus) => chosen.filter((one) => one !== status);
  return (
    <fieldset className="chips">
      <legend className="visually-hidden">{general.status}</legend>
      {RUN_STATUSES.map((status) => (
        <label key={status} className={`chip ${status}`}>
          <input
            type="checkbox"
            checked={chosen.includes(status)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, status] : without(status))}
          />
          <span data-word={statuses[status]}>{statuses[status]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function WorkflowFilter({ appId, filters: { workflow }, onChange }: FilterBarProps) {
  const { runs: texts } = useTexts();
  const names = [...(useWorkflows(appId).data ?? [])];
  // That of the address may be deleted, or not be read yet.
  if (workflow !== null && !names.some(([id]) => id === workflow)) names.push([workflow, workflow]);
  return (
    <Choice
      label={texts.workflow}
      any={texts.anyWorkflow}
      chosen={workflow}
      names={names.sort(([, one], [, other]) => one.localeCompare(other))}
      onChoose={(id) => onChange({ workflow: id, version: null })}
    />
  );
}

/** A version makes sense within a workflow only. */
function VersionFilter({ filters: { version }, onChange }: FilterBarProps) {
  const { runs: texts } = useTexts();
  const { text, setTyped } = useNumberText(version ?? undefined);
  function change(next: string): void {
    const number = next === "" ? null : Number(next);
    setTyped(next, number ?? undefined);
    onChange({ version: number }, true);
  }
  return (
    <Labeled label={texts.version}>
      {(id) => (
        <input
          id={id}
          className="version"
          type="number"
          inputMode="numeric"
          min={0}
          placeholder={texts.anyVersion}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Labeled>
  );
}

const TYPING_MS = 350;

/** Searches when somebody stops typing. */
function SearchFilter({
  search,
  onChange,
}: {
  readonly search: string;
  readonly onChange: FilterBarProps["onChange"];
}) {
  const { runs: texts } = useTexts();
  const [typed, setTyped] = useState(search);
  const [shown, setShown] = useState(search);
  // The address has changed, such as by the back button.
  if (search !== shown) {
    setShown(search);
    setTyped(search);
  }
  useEffect(() => {
    if (typed.trim() === search) return undefined;
    const timer = setTimeout(() => onChange({ search: typed.trim() }, search !== ""), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, search, onChange]);
  return (
    <Labeled label={texts.search}>
      {(id) => (
        <input
          id={id}
          className="search"
          type="search"
          placeholder={texts.searchHint}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </Labeled>
  );
}
