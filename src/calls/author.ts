/** Who has made something, as resources show it. */
import * as v from "valibot";

export const Author = v.object({
  /** Id of the acting user, else of the API key. */
  id: v.string(),
  /** Name of the acting user or of the API key; null for none. */
  name: v.nullable(v.string()),
});
export interface Author extends Readonly<v.InferOutput<typeof Author>> {}
