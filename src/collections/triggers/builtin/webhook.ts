/** The trigger type `webhook`: any JSON that a service sends. Built on defineTrigger alone. */
import * as v from "valibot";
import type { JsonObject, JsonValue } from "../../../json.ts";
import { invalid } from "../../../messages/field-errors.ts";
import { jsonObject, strictObject } from "../../../schema.ts";
import { defineTrigger } from "../define-trigger.ts";
import { InputPath, valueIn } from "../input-path.ts";

const WebhookConfig = strictObject({
  /** Path to the id of the event in the body. @default the id of the request */
  id_path: v.exactOptional(InputPath),
  /** Path to the milestone, for `pull_on_millestones`. @default none */
  milestone_path: v.exactOptional(InputPath),
  /** Path to the folder, for `pull_on_folders`. @default none */
  folder_path: v.exactOptional(InputPath),
});

/** A body that is no object becomes the field `body` of the event. */
export const webhook = defineTrigger({
  name: "webhook",
  title: "Webhook",
  config: WebhookConfig,
  receive(request, { config: { id_path, milestone_path, folder_path } }) {
    const body = request.json();
    const data: JsonObject = v.is(jsonObject, body) ? body : { body };
    const textAt = (path: readonly string[] | undefined) =>
      path === undefined ? undefined : textOf(valueIn(data, path));
    return [
      {
        id: id_path === undefined ? request.id : requiredId(data, id_path),
        data,
        milestone: textAt(milestone_path),
        folder: textAt(folder_path),
      },
    ];
  },
});

const MAX_ID_CHARS = 1_024;

function requiredId(data: JsonObject, path: readonly string[]): string {
  const id = textOf(valueIn(data, path));
  if (id !== undefined && id !== "" && id.length <= MAX_ID_CHARS) return id;
  const message = `Must contain the id of the event at ${JSON.stringify(path)}: a number, or 1 to ${MAX_ID_CHARS} characters.`;
  throw invalid([{ pointer: "", message }], "the body");
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
}
