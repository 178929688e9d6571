/** The trigger type `webhook`: any JSON that a service sends. Uses only the public defineTrigger. */
import * as v from "valibot";
import { strictObject } from "../../../schema.ts";
import { defineTrigger } from "../define-trigger.ts";
import { InputPath } from "../input-path.ts";
import { dataOf, eventIn, filterPaths, requiredId } from "./event-paths.ts";

const WebhookConfig = strictObject({
  /** Path to the id of the event in the body. @default the id of the request */
  id_path: v.exactOptional(
    v.pipe(
      InputPath,
      v.title("Path to the id"),
      v.description("Where the body has the id of the event. Leave it empty to use the id of the request."),
    ),
  ),
  ...filterPaths,
});

export const webhook = defineTrigger({
  name: "webhook",
  title: "Webhook",
  config: WebhookConfig,
  receive(request, { config: { id_path, ...paths } }) {
    const body = request.json();
    const id = id_path === undefined ? request.id : requiredId(body, id_path);
    return [eventIn(dataOf(body), id, paths)];
  },
});
