/** Reads the rows of the generated table. */
import { StepwellError } from "../errors.ts";

/** A route of the generated table. */
export interface TableRow {
  /**
   * What the function of the route does: `json` sends and receives JSON; `once` does so with an idempotency key; `list`
   * and `tokens` return a page, the latter of a list with `page_token`; `raw` routes have functions of their own.
   */
  readonly kind: string;
  readonly method: string;
  /** With `{…}` for each parameter. */
  readonly path: string;
}

const LETTERS: Readonly<Record<string, string>> = {
  g: "GET json",
  l: "GET list",
  t: "GET tokens",
  p: "POST json",
  o: "POST once",
  u: "PUT json",
  a: "PATCH json",
  d: "DELETE json",
  r: "GET raw",
  s: "POST raw",
};

/**
 * A row is a letter and a path: relative to the path of the group's resource (`at`), after a hyphen to that of its list,
 * or to that of the app.
 */
export function rowOf(group: Readonly<Record<string, string>>, name: string): TableRow {
  const { at = "", [name]: text = "" } = group;
  const [method = "", kind = ""] = LETTERS[text.charAt(0)]?.split(" ") ?? [];
  const rest = text.slice(1);
  const list = rest.startsWith("-") ? at.replace(/\/[^/]+$/, "") + rest.slice(1) : null;
  const path = list ?? (/^\w/.test(rest) ? rest : at + rest);
  return { kind, method, path: path.startsWith("/") ? path : `/apps/{app_id}/${path}` };
}

/**
 * @throws StepwellError `invalid` for a parameter that is not a string; `not_found` for one that would change the path
 */
export function fillPath(path: string, given: readonly unknown[]): string {
  let index = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[index++];
    // A version may also be a number.
    if (typeof value !== "string" && !(name.startsWith("version") && typeof value === "number")) {
      const message = `Must be a string, not ${value === null ? "null" : typeof value}.`;
      const errors = [{ pointer: `/${name}`, message, in: "path" }] as const;
      throw new StepwellError("invalid", `The argument ${name}: ${message}`, { errors });
    }
    // URLs drop such segments, even in their encoded form.
    if (/^\.{0,2}$/.test(String(value))) {
      throw new StepwellError("not_found", `There is no resource with this ${name}.`);
    }
    return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, "\uFFFD"));
  });
}
