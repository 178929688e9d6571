/** Makes functions of rows: every route with a shape, called in process instead of over HTTP. */
import type { FieldError } from "../errors.ts";
import type { HasApps, ParamNames, Route, RouteGroup, RouteTable } from "../http/route.ts";
import { invalid } from "../schema.ts";
import type { Caller } from "./caller.ts";
import { checkedParam } from "./path-params.ts";

type Strings<Names extends readonly string[]> = { [Index in keyof Names]: string };

/** Left out where the route takes nothing; optional where an empty object would do. */
type Given<Input> = unknown extends Input ? [] : Record<never, never> extends Input ? [input?: Input] : [input: Input];

/**
 * A route as a function: the parameters of its path in order, then its body, or its query where it has no body.
 * Rejects with the same StepwellError that HTTP answers with.
 */
export type RouteFunction<R> =
  R extends Route<never, infer Path, infer Query, infer Body, infer Result>
    ? (
        ...given: [...Strings<ParamNames<Path>>, ...(unknown extends Body ? Given<Query> : Given<Body>)]
      ) => Promise<Result>
    : never;

/** The functions of a slice's rows, without those that only HTTP has a use for. */
export type RouteFunctions<Rows> = {
  readonly [Name in keyof Rows as Rows[Name] extends Route ? Name : never]: RouteFunction<Rows[Name]>;
};

/** The functions of a table, by the names of its groups. */
export type TableFunctions<Table> = { readonly [Name in keyof Table]: RouteFunctions<Table[Name]> };

/** Makes the functions of a slice from its rows. The caller is the host, which may do everything, or a step for it. */
export function routeFunctions<Slices extends HasApps, const Rows extends RouteGroup<Slices>>(
  rows: Rows,
  slices: Slices,
  caller: Caller = { kind: "host" },
): RouteFunctions<Rows> {
  const functions: Record<string, (...given: readonly unknown[]) => Promise<unknown>> = {};
  for (const [name, row] of Object.entries(rows)) {
    if ("call" in row) functions[name] = routeFunction(row, slices, caller);
  }
  return functions as RouteFunctions<Rows>; // one entry for each row with a shape, as the mapped type says
}

/** The functions of a whole table, by the names of its groups. */
export function tableFunctions<Slices extends HasApps, const Table extends RouteTable<Slices>>(
  table: Table,
  slices: Slices,
): TableFunctions<Table> {
  const groups = Object.entries(table).map(([name, rows]) => [name, routeFunctions(rows, slices)]);
  return Object.fromEntries(groups) as TableFunctions<Table>; // one entry for each group, as the mapped type says
}

function routeFunction<Slices extends HasApps>(
  route: Route<Slices>,
  slices: Slices,
  caller: Caller,
): (...given: readonly unknown[]) => Promise<unknown> {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return async (...given) => {
    const params = givenParams(names, given);
    const input = given[names.length];
    return route.call(slices, {
      params,
      ...(route.body === undefined ? { query: input } : { body: input }),
      caller,
    });
  };
}

/**
 * The first arguments as the parameters of a path.
 * @throws StepwellError `invalid` with every one that is no text, `not_found` for what nothing can be named.
 */
export function givenParams<const Name extends string>(
  names: readonly Name[],
  given: readonly unknown[],
): Record<Name, string> {
  const errors = names.flatMap((name, index) => wrongParam(name, given[index]));
  if (errors.length > 0) throw invalid(errors);
  const entries = names.map((name, index) => [name, checkedParam(name, String(given[index]))]);
  return Object.fromEntries(entries) as Record<Name, string>; // an entry for each name
}

/** Versions have numbers, too. */
function wrongParam(name: string, value: unknown): FieldError[] {
  if (typeof value === "string" || (name.startsWith("version") && typeof value === "number")) return [];
  const message = `Must be a string, not ${value === null ? "null" : typeof value}.`;
  return [{ pointer: `/${name}`, message, in: "path" }];
}
