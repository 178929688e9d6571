/** What started a run, in words, with a link to it. */
import type { Run } from "../../../../src/runs/run.ts";
import type { TriggerType } from "../../../../src/runs/run-labels.ts";
import { Link } from "../routing/link.tsx";
import { useTexts } from "../texts/language.ts";

/** Where the id of a trigger leads. That of an event, a rule or a webhook needs more than its id. */
const PLACES: Readonly<Partial<Record<TriggerType, string>>> = {
  schedule: "schedules",
  workflow: "runs",
  replay: "runs",
  failure: "runs",
};

export function Trigger({ appId, run: { trigger, parent_run_id } }: { readonly appId: string; readonly run: Run }) {
  const { run: texts } = useTexts();
  const place = PLACES[trigger.type];
  const id = trigger.type === "workflow" ? (parent_run_id ?? trigger.id) : trigger.id;
  const words = texts.triggers[trigger.type];
  const who = [
    trigger.event === undefined ? undefined : [trigger.event.name, trigger.event.subject].filter(Boolean).join(" "),
    trigger.request === undefined ? undefined : `${trigger.request.method} ${trigger.request.path}`,
    trigger.step,
    trigger.user_id === undefined ? undefined : texts.byUser(trigger.user_id),
    trigger.key_id === undefined ? undefined : texts.byKey(trigger.key_name ?? trigger.key_id),
  ].filter((part) => part !== undefined);
  return (
    <>
      {place !== undefined && id !== undefined ? (
        <Link to={place === "runs" ? `/apps/${appId}/runs/${id}` : `/apps/${appId}/${place}`} current="none">
          {words}
        </Link>
      ) : (
        words
      )}
      {who.length === 0 ? null : (
        <>
          {" "}
          (<bdi>{who.join(" · ")}</bdi>)
        </>
      )}
    </>
  );
}
