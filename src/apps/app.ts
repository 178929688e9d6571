/** An app: the owner of workflows, files, collections and keys. */
import * as v from "valibot";
import { Name, strictObject } from "../schema.ts";

const Color = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, "Must be a color such as #1d5fd6."));

export const AppCreate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: Name,
  /** Color of buttons on web pages of the app, such as `#1d5fd6`. @default the color of Stepwell */
  color: v.exactOptional(Color),
});
/**
 * A new app.
 * @example { "name": "Lending" }
 */
export interface AppCreate extends v.InferOutput<typeof AppCreate> {}

export const AppUpdate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: v.exactOptional(Name),
  /** Color of buttons on web pages of the app, such as `#1d5fd6`; null for the color of Stepwell. */
  color: v.exactOptional(v.nullable(Color)),
  /** Whether you vouch for the app. */
  verified: v.exactOptional(v.boolean()),
});
/** Changes to an app. Omitted fields keep their values. */
export interface AppUpdate extends v.InferOutput<typeof AppUpdate> {}

export const App = v.object({
  /** `app_…` */
  id: v.string(),
  /** Name for people. */
  name: v.string(),
  /** Color of buttons on web pages of the app; null for the color of Stepwell. */
  color: v.nullable(v.string()),
  /** Whether you vouch for the app. Set with `apps.update`. */
  verified: v.boolean(),
  /** ISO 8601. */
  created_at: v.string(),
  /** ISO 8601. */
  updated_at: v.string(),
});
/** An app: the owner of workflows, files, collections and keys. */
export interface App extends Readonly<v.InferOutput<typeof App>> {}

export const PublicApp = v.pick(App, ["id", "name", "verified"]);
/** The public fields of an app. */
export interface PublicApp extends Pick<App, "id" | "name" | "verified"> {}
