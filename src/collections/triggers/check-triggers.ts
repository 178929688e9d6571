/** Checks that triggers can work: their types, settings, mappings and connections. */
import { cut, type FieldError } from "../../errors.ts";
import { pointer } from "../../json.ts";
import { errorsOfEach } from "../../messages/field-errors.ts";
import type { CheckInputReferences } from "../../runs/resolve-input.ts";
import { KEY, settingsOf, type Trigger, type TriggerReplace } from "./trigger.ts";
import { pollsWith } from "./trigger-type.ts";
import { checkSettings, type TriggerTypes } from "./trigger-types.ts";

/** The errors of a collection's triggers. @param pathOf The path of a trigger. @default in the list `triggers` */
export type CheckTriggers = (
  appId: string,
  before: readonly Trigger[],
  given: readonly TriggerReplace[],
  pathOf?: (index: number) => readonly (string | number)[],
) => Promise<readonly FieldError[]>;

const pathInCollection = (index: number) => ["triggers", index];

export function createCheckTriggers(parts: {
  types: TriggerTypes;
  checkInputReferences: CheckInputReferences;
}): CheckTriggers {
  const { types, checkInputReferences } = parts;

  async function checkTrigger(
    appId: string,
    trigger: TriggerReplace,
    path: readonly (string | number)[],
  ): Promise<readonly FieldError[]> {
    const { type: name, config, connection_id: id } = trigger;
    const at = (...parts: readonly (string | number)[]) => pointer([...path, ...parts]);
    const type = types.find(name);
    if (typeof type === "string") return [{ pointer: at("type"), message: type }];
    const settings = await checkSettings(type, settingsOf(config), [...path, "config"]);
    const [, second] = config.mappings.flatMap((mapping, position) => (mapping.type === KEY ? [position] : []));
    const errors: FieldError[] = settings.ok ? [] : [...settings.errors];
    if (config.type !== name) {
      errors.push({
        pointer: at("config", "type"),
        message: `Must be ${JSON.stringify(name)}, the type of the trigger.`,
      });
    }
    if (config.interval !== undefined && !pollsWith(type, id)) {
      const what = type.poll === undefined ? "does not poll" : "polls only with a connection";
      const message = `Must be omitted: the trigger type ${JSON.stringify(name)} ${what}.`;
      errors.push({ pointer: at("config", "interval"), message });
    }
    if (second !== undefined) {
      const message = "Only one mapping of a trigger can have the type key, which finds the record.";
      errors.push({ pointer: at("config", "mappings", second, "type"), message });
    }
    if (trigger.enabled && config.mappings.length === 0) {
      const message =
        "Must have at least one mapping, because events write nothing without one. Add a mapping or disable the trigger.";
      errors.push({ pointer: at("config", "mappings"), message });
    }
    if (type.connection === undefined && id !== undefined) {
      const message = `Must be omitted: the trigger type ${JSON.stringify(name)} does not use a connection.`;
      errors.push({ pointer: at("connection_id"), message });
    } else if (type.connection !== undefined && type.connectionOptional !== true && id === undefined) {
      const message = `Is required: the trigger type ${JSON.stringify(name)} needs a connection.`;
      errors.push({ pointer: at("connection_id"), message });
    } else if (id !== undefined) {
      const connections = [{ id, pointer: at("connection_id"), allowed_types: [name] }];
      for (const error of await checkInputReferences(appId, { files: [], connections })) errors.push(error);
    }
    return errors;
  }

  return async (appId, before, given, pathOf = pathInCollection) => [
    ...checkTriggerIds(before, given),
    ...(await errorsOfEach(given, (trigger, index) => checkTrigger(appId, trigger, pathOf(index)))),
  ];
}

/** Checks the ids in a list that replaces the stored list. */
function* checkTriggerIds(before: readonly Trigger[], given: readonly TriggerReplace[]): Generator<FieldError, void> {
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
