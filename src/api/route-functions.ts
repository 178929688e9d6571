/** Turns routes into functions that callers use in process instead of over HTTP. */

import type { Caller } from "../calls/caller.ts";
import { checkedParam } from "../calls/path-params.ts";
import type { Page } from "../documents/pagination.ts";
import { type FieldError, StepwellError } from "../errors.ts";
import {
  acceptsPageToken,
  type HasApps,
  type ParamNames,
  type Route,
  type RouteGroup,
  type RouteTable,
} from "../http/route.ts";
import { type AllName, allName, allPages } from "./all-pages.ts";

type Strings<Names extends readonly string[]> = { [Index in keyof Names]: string };

/** The last argument: none if the route takes no input, optional if all of its fields are. */
type Given<Input> = unknown extends Input ? [] : Record<never, never> extends Input ? [input?: Input] : [input: Input];

/**
 * A route as a function: its path parameters in order, then its body, or its query if it has no body. Rejects with the
 * StepwellError that the route responds with.
 */
export type RouteFunction<R> =
  R extends Route<never, infer Path, infer Query, infer Body, infer Result>
    ? (
        ...given: [...Strings<ParamNames<Path>>, ...(unknown extends Body ? Given<Query> : Given<Body>)]
      ) => Promise<Result>
    : never;

/** A list as a function that iterates over all of its pages. */
export type ListAllFunction<R> =
  R extends Route<never, infer Path, infer Query, infer _Body, Page<infer Item>>
    ? (...given: [...Strings<ParamNames<Path>>, query?: Omit<Query, "page" | "page_token">]) => AsyncIterable<Item>
    : never;

type IsList<R> =
  R extends Route<never, string, infer _Query, infer _Body, infer Result>
    ? Result extends Page<unknown>
      ? true
      : false
    : false;

/** The functions of a slice's routes, without the routes that only make sense over HTTP. */
export type RouteFunctions<Rows> = {
  readonly [Name in keyof Rows as Rows[Name] extends Route ? Name : never]: RouteFunction<Rows[Name]>;
} & {
  readonly [Name in keyof Rows & string as IsList<Rows[Name]> extends true ? AllName<Name> : never]: ListAllFunction<
    Rows[Name]
  >;
};

/** The functions of a route table, by group. */
export type TableFunctions<Table> = { readonly [Name in keyof Table]: RouteFunctions<Table[Name]> };

/** Creates the functions of a slice from its routes. The caller is the host, which may do everything, or a step. */
export function routeFunctions<Slices extends HasApps, const Rows extends RouteGroup<Slices>>(
  rows: Rows,
  slices: Slices,
  caller: Caller = { kind: "host" },
): RouteFunctions<Rows> {
  const functions: Record<string, (...given: readonly unknown[]) => unknown> = {};
  for (const [name, row] of Object.entries(rows)) {
    if (row.kind !== "shaped") continue;
    functions[name] = routeFunction(row, slices, caller);
    if (row.answers.kind === "page") functions[allName(name)] = listAllFunction(row, slices, caller);
  }
  return functions as RouteFunctions<Rows>; // the entries for each row with a shape, as the mapped type says
}

/** Creates the functions of a route table, by group. */
export function tableFunctions<Slices extends HasApps, const Table extends RouteTable<Slices>>(
  table: Table,
  slices: Slices,
  caller: Caller,
): TableFunctions<Table> {
  const groups = Object.entries(table).map(([name, rows]) => [name, routeFunctions(rows, slices, caller)]);
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
    const takesBody = route.body !== undefined;
    const call = { params, caller, query: takesBody ? undefined : input, body: takesBody ? input : undefined };
    const result = await route.call(slices, call);
    return route.isSettled(call, result) ? result : route.settle(slices, call, result);
  };
}

function listAllFunction<Slices extends HasApps>(
  route: Route<Slices>,
  slices: Slices,
  caller: Caller,
): (...given: readonly unknown[]) => AsyncIterable<unknown> {
  const list = routeFunction(route, slices, caller);
  const count = route.path.split("{").length - 1;
  return (...given) => {
    const page = (query: unknown) => list(...given.slice(0, count), query) as Promise<Page<unknown>>; // its kind says so
    return allPages(page, acceptsPageToken(route), given[count]);
  };
}

/**
 * Reads path parameters from the first arguments.
 * @throws StepwellError `invalid` with an entry for each that is not a string; `not_found` for a value that no resource can
 * have
 */
export function givenParams<const Name extends string>(
  names: readonly Name[],
  given: readonly unknown[],
): Record<Name, string> {
  const errors = wrongParams(names, given);
  const [first] = errors;
  if (first !== undefined) {
    // In process, there is no path: the caller passed an argument.
    throw new StepwellError("invalid", `The argument ${first.pointer.slice(1)}: ${first.message}`, { errors });
  }
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) params[name] = checkedParam(name, String(given[index]));
  return params as Record<Name, string>; // an entry for each name
}

function wrongParams(names: readonly string[], given: readonly unknown[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, name] of names.entries()) {
    const value = given[index];
    // A version may also be a number.
    if (typeof value === "string" || (name.startsWith("version") && typeof value === "number")) continue;
    const message = `Must be a string, not ${value === null ? "null" : typeof value}.`;
    errors.push({ pointer: `/${name}`, message, in: "path" });
  }
  return errors;
}
