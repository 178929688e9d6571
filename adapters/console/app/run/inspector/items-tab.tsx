/** The items of a list, or the repetitions of a loop, one by one. */
import { useState } from "react";
import { omitUndefined } from "../../../../../src/json.ts";
import type { StepPart } from "../../../../../src/runs/inspection/step-details.ts";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import { EmptyState } from "../../elements/lists/empty-state.tsx";
import { ListStates } from "../../elements/lists/list-states.tsx";
import { usePagedList } from "../../elements/lists/paged-list.ts";
import { StatusSign } from "../../elements/values/status-sign.tsx";
import { Duration } from "../../elements/values/time.tsx";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";
import { waitsForPerson } from "../waterfall/bars.ts";
import { partName } from "./part-name.ts";

const TAKE = 100;
const FAILED: "failed"[] = ["failed"];

export function ItemsTab({ step }: { readonly step: RunStep }) {
  const { run: texts } = useTexts();
  const { appId, live } = useShownRun();
  const { items } = step;
  // A loop fails with the repetition that failed.
  const hasFailed = items === undefined ? step.status === "failed" : items.failed > 0;
  const [isFailedOnly, setFailedOnly] = useState(hasFailed);
  const list = usePagedList({
    queryKey: [appId, "runs", live.run.id, "parts", step.key, isFailedOnly, step.status, step.attempts],
    read: (pageToken, signal) =>
      client
        .with({ signal })
        .runs.listItems(
          appId,
          live.run.id,
          step.key,
          omitUndefined({ take: TAKE, status: isFailedOnly ? FAILED : undefined, page_token: pageToken }),
        ),
    isLive: step.finished_at === null,
  });
  return (
    <div className="items-tab">
      {items === undefined && !hasFailed ? null : (
        <p className="items-tools">
          {items === undefined ? null : texts.items(items.failed, items.total)}
          <label>
            <input type="checkbox" checked={isFailedOnly} onChange={(event) => setFailedOnly(event.target.checked)} />{" "}
            {texts.onlyFailed}
          </label>
        </p>
      )}
      <ListStates list={list} empty={<EmptyState title={texts.noItems} />}>
        {(parts) => (
          <ul className="part-list">
            {parts.map((part) => (
              <Part key={part.index} step={step} part={part} />
            ))}
          </ul>
        )}
      </ListStates>
    </div>
  );
}

function Part({ step, part }: { readonly step: RunStep; readonly part: StepPart }) {
  const { run: texts } = useTexts();
  const { at, choose, definition } = useShownRun();
  const name = partName(texts, step, part.index);
  return (
    <li>
      <button
        type="button"
        aria-pressed={at === part.index}
        onClick={() => choose(step.key, part.index, part.error === null ? "output" : "error")}
      >
        <span>{name}</span>
        <StatusSign
          status={part.status}
          isForPerson={waitsForPerson(step, definition.byKey.get(step.key))}
          isWordHidden={part.status === "succeeded"}
        />
        <span className="message" dir="auto">
          {part.error?.message}
        </span>
        <span>
          {part.attempts > 1 ? `${texts.tries(part.attempts)} · ` : ""}
          {part.started_at === null ? null : <Duration from={part.started_at} to={part.finished_at} />}
        </span>
      </button>
    </li>
  );
}
