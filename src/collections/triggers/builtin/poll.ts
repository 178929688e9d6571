/** The trigger type `poll`: new items of a list of JSON at a URL. Uses only the public defineTrigger. */
import * as v from "valibot";
import { MEBIBYTE, readBytes } from "../../../encoding/bytes.ts";
import { StepwellError } from "../../../errors.ts";
import { parseJson } from "../../../json.ts";
import { strictObject } from "../../../schema.ts";
import { defineTrigger } from "../define-trigger.ts";
import { InputPath, valueIn } from "../input-path.ts";
import { dataOf, eventIn, filterPaths, idAt, missingId } from "./event-paths.ts";

/** Bytes of the list. */
const MAX_BYTES = 8 * MEBIBYTE;

const PollConfig = strictObject({
  /** URL of the list: `http:` or `https:`, at most 4,096 characters. */
  url: v.pipe(
    v.string(),
    v.regex(/^https?:\/\/[^\s]{1,4096}$/i, "Must be a URL that starts with https:// or http://."),
  ),
  /** Path to the list of items in the response. @default the response itself */
  items_path: v.exactOptional(InputPath),
  /** Path to the id of an item. */
  id_path: InputPath,
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
  async poll({ config: { url, items_path = [], id_path, ...paths }, fetch, signal }) {
    const headers = { accept: "application/json" };
    const response = await fetch(url, { headers, signal, maxBytes: MAX_BYTES });
    const bytes = await readBytes(response.body);
    if (!response.ok) throw failed(`The URL responded with the status ${response.status}.`);
    const items = valueIn(parseJson(new TextDecoder().decode(bytes)), items_path);
    if (!Array.isArray(items)) throw failed(`The response has no list at ${JSON.stringify(items_path)}.`);
    const events = items.map((item, index) => {
      const data = dataOf(item);
      const id = idAt(data, id_path);
      if (id === null) throw failed(`Item ${index} of the list: ${missingId(id_path)}`);
      return eventIn(data, id, paths);
    });
    return { events };
  },
});

const failed = (message: string) => new StepwellError("fetch_failed", message);
