/** Paths of hooks with parameters, such as `orders/{id}`. Pure. */

/** A segment that is one parameter. */
const PARAMETER = /^\{([A-Za-z_][A-Za-z0-9_]{0,63})\}$/;

const nameOf = (segment: string): string | undefined => PARAMETER.exec(segment)?.[1];

export const isPattern = (path: string): boolean => path.split("/").some((segment) => nameOf(segment) !== undefined);

/** The mark of patterns that a request could match. */
export const patternMark = (method: string, path: string): string => `pattern:${method}:${path.split("/").length}`;

/** Returns the parameters of a path that matches, or null. Names have no special meaning to objects. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const params: [string, string][] = [];
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? "";
    const name = nameOf(segment);
    if (name === undefined ? segment !== value : value === "") return null;
    if (name !== undefined) params.push([name, value]);
  }
  return Object.fromEntries(params);
}

/** Whether a request could match both patterns. */
export function overlap(one: string, other: string): boolean {
  const [left, right] = [one.split("/"), other.split("/")];
  if (left.length !== right.length) return false;
  return left.every((segment, index) => {
    const against = right[index] ?? "";
    return segment === against || nameOf(segment) !== undefined || nameOf(against) !== undefined;
  });
}

/** Why the parameters of a path are wrong, or null. */
export function parameterProblem(path: string): string | null {
  const names = path.split("/").flatMap((segment) => nameOf(segment) ?? []);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `The parameter {${repeated}} is in the path twice.`;
  const stray = path.split("/").find((segment) => /[{}]/.test(segment) && nameOf(segment) === undefined);
  if (stray === undefined) return null;
  return `${JSON.stringify(stray)} is not a parameter. A parameter is a whole path segment of letters, digits and _ in braces, such as {order_id}.`;
}
