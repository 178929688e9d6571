/** The trigger type `poll`: new items of a list of JSON at a URL. Uses only the public defineTrigger. */
import * as v from "valibot";
import { strictObject } from "../../../schema.ts";
import { defineTrigger } from "../define-trigger.ts";
import { InputPath, valueIn } from "../input-path.ts";
import { dataOf, eventIn, filterPaths, idAt, idProblem } from "./event-paths.ts";
import { fetchJson, PolledUrl, pollFailed } from "./fetch-json.ts";

const PollConfig = strictObject({
  /** URL of the list: `http:` or `https:`, at most 4,096 characters. */
  url: v.pipe(PolledUrl, v.title("URL"), v.description("URL of the list.")),
  /** Path to the list of items in the response. @default the response itself */
  items_path: v.exactOptional(
    v.pipe(
      InputPath,
      v.title("Path to the items"),
      v.description("Where the response has the list. Leave it empty if the response is the list."),
    ),
  ),
  /** Path to the id of an item. */
  id_path: v.pipe(InputPath, v.title("Path to the id"), v.description("Where an item has its id.")),
  ...filterPaths,
});

/**
 * Each response is read as a whole, so changes of the list during a poll have no effect. An item is recognized by its id until
 * 30 days after it was last in the list.
 */
export const poll = defineTrigger({
  name: "poll",
  title: "Poll a URL",
  config: PollConfig,
  async poll({ config: { url, items_path = [], id_path, ...paths }, ...context }) {
    const items = valueIn(await fetchJson(url, {}, context), items_path);
    if (!Array.isArray(items)) throw pollFailed(`The response has no list at ${JSON.stringify(items_path)}.`);
    const events = items.map((item, index) => {
      const data = dataOf(item);
      const id = idAt(data, id_path);
      if (id === null) throw pollFailed(`Item ${index} of the list: ${idProblem(data, id_path)}`);
      return eventIn(data, id, paths);
    });
    return { events };
  },
});
