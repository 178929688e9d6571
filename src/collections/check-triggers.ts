/** Checks the ids and connections of triggers. */
import { cut, type FieldError } from "../errors.ts";
import type { NamedErrors } from "../runs/resolve-input.ts";
import type { Trigger, TriggerReplace } from "./trigger.ts";

/** Checks that the connections of triggers belong to the app. */
export function checkConnections(
  appId: string,
  triggers: readonly Pick<TriggerReplace, "connection_id">[],
  namedErrors: NamedErrors,
): Promise<readonly FieldError[]> {
  const connections = triggers.flatMap(({ connection_id: id }, index) =>
    id === undefined ? [] : [{ id, pointer: `/triggers/${index}/connection_id`, allowed_types: undefined }],
  );
  return namedErrors(appId, { files: [], connections });
}

/** Checks the ids in a list that replaces the stored list. */
export function* checkTriggerIds(
  before: readonly Trigger[],
  given: readonly TriggerReplace[],
): Generator<FieldError, void> {
  const known = new Set(before.map(({ id }) => id));
  const left = new Set(known);
  for (const [index, { id }] of given.entries()) {
    if (id === undefined || left.delete(id)) continue;
    const message = known.has(id)
      ? "Must be unique within the list."
      : `The collection has no trigger with the id ${JSON.stringify(cut(id, 100))}.`;
    yield { pointer: `/triggers/${index}/id`, message };
  }
}
