/** An app: what owns workflows, files and collections. */
import * as v from "valibot";
import { Name, strictObject } from "../schema.ts";

export const AppCreate = strictObject({
  name: Name,
});
export interface AppCreate extends v.InferOutput<typeof AppCreate> {}

export const AppUpdate = strictObject({
  name: v.exactOptional(Name),
  verified: v.exactOptional(v.boolean()),
});
export interface AppUpdate extends v.InferOutput<typeof AppUpdate> {}

export const App = v.object({
  id: v.string(),
  name: v.string(),
  /** Whether the host vouches for the app; set through PATCH. */
  verified: v.boolean(),
  created_at: v.string(),
  updated_at: v.string(),
});
export interface App extends Readonly<v.InferOutput<typeof App>> {}

/** What others may see of an app. */
export const PublicApp = v.pick(App, ["id", "name", "verified"]);
export interface PublicApp extends Readonly<v.InferOutput<typeof PublicApp>> {}
