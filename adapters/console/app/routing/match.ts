/** Matches paths with templates such as `/apps/{app}/runs/{run}`. */

export type Params = Readonly<Record<string, string>>;

/** @returns The parameters, or null if the path is another one. */
export function matchPath(template: string, path: string): Params | null {
  const wanted = template.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith("{")) {
      if (value === "") return null;
      try {
        params[part.slice(1, -1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    } else if (part !== value) return null;
  }
  return params;
}
