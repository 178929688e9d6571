/** What can be written next in an expression, a template or code. Pure. */

import {
  AUTO_REFERENCE,
  FUNCTION_REFERENCE,
  type FunctionReference,
  type ValueType,
} from "../../../../src/engine/expressions/function-reference.ts";
import { ownField } from "../../../../src/json.ts";
import type { Complete, Completion, CompletionList } from "../code-editor/completion.ts";
import {
  ANYTHING,
  fieldsOf,
  fieldText,
  isList,
  isName,
  itemOf,
  type KnownField,
  type KnownValue,
  shortText,
  typeOf,
  valueAt,
} from "./known-value.ts";
import { findVariable } from "./variables.ts";

/** A name with what is before it: `steps.fetch.out` is `["steps", "fetch"]` and `out`. */
interface Path {
  readonly names: readonly (string | number)[];
  /** Where the unfinished name begins. */
  readonly from: number;
}

interface CompletionSource {
  readonly syntax: "expression" | "template" | "either" | "code";
  readonly variables: readonly KnownField[];
  /** Descriptions of the variables, by name. */
  readonly descriptions: Readonly<Record<string, string>>;
  /** Whether a model can fill in the field. */
  readonly hasAuto: boolean;
}

export function createComplete({ syntax, variables, descriptions, hasAuto }: CompletionSource): Complete {
  const isCode = syntax === "code";
  const roots = [...variables.map((one) => rootCompletion(one, descriptions)), ...(isCode ? [] : functionsOf(hasAuto))];
  return (text, position, isExplicit) => {
    const start = isCode ? 0 : expressionStart(text, position, syntax);
    if (start === null && syntax === "template") return bareCompletions(text, position, { variables, descriptions });
    if (start === null || isInString(text.slice(start, position))) return null;
    const path = pathBefore(text, position, start);
    if (path === null) return null;
    if (path.names.length === 0) return path.from < position || isExplicit ? { from: path.from, options: roots } : null;
    const known = resolve(path.names, text.slice(start, path.from), variables);
    if (known === null) return null;
    const fields = isList(known) ? [] : fieldsOf(known).flatMap((field) => fieldCompletion(field, isCode));
    return { from: path.from, options: [...fields, ...(isCode ? [] : methodsOf(known))] };
  };
}

/** For somebody who writes an expression without braces: they come with what is chosen. */
function bareCompletions(
  text: string,
  position: number,
  { variables, descriptions }: Pick<CompletionSource, "variables" | "descriptions">,
): CompletionList | null {
  const from = text.length - text.trimStart().length;
  const before = text.slice(from, position);
  if (before === "" || position < text.trimEnd().length || /[^\w.]/.test(before)) return null;
  const path = pathBefore(text, position, from);
  if (path === null) return null;
  const start = text.slice(from, path.from);
  const known = path.names.length === 0 ? null : resolve(path.names, start, variables);
  const options =
    path.names.length === 0
      ? variables
          .filter(({ name }) => name.startsWith(before))
          .map((one) => ({ ...rootCompletion(one, descriptions), insert: one.name }))
      : known === null || isList(known)
        ? []
        : fieldsOf(known).flatMap((field) => fieldCompletion(field, false));
  return options.length === 0
    ? null
    : {
        from,
        options: options.map(({ insert = "", ...option }) => ({
          ...option,
          label: `${start}${option.label}`,
          insert: `{{ ${start}${insert}`,
          after: " }}",
        })),
      };
}

/** Where the expression around the cursor begins; null outside of one. */
function expressionStart(text: string, position: number, syntax: "expression" | "template" | "either"): number | null {
  if (syntax === "expression" || (syntax === "either" && !text.includes("{{"))) return 0;
  const open = text.lastIndexOf("{{", position - 1);
  if (open < 0 || open + 2 > position) return null;
  return text.slice(open, position).includes("}}") ? null : open + 2;
}

function isInString(text: string): boolean {
  let quote = "";
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (quote !== "" && character === "\\") index++;
    else if (character === quote) quote = "";
    else if (quote === "" && (character === '"' || character === "'")) quote = character;
  }
  return quote !== "";
}

const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character);

/** Reads backwards: `steps["a b"].output[0].na` from its end. */
function pathBefore(text: string, position: number, start: number): Path | null {
  let at = wordStart(text, position, start);
  const from = at;
  const names: (string | number)[] = [];
  let hasMore = isDotBefore(text, at) || text[at - 1] === "]";
  while (hasMore) {
    if (isDotBefore(text, at)) at -= text[at - 1] === "?" ? 2 : 1;
    const part = partBefore(text, at, start);
    if (part === null) return null;
    names.unshift(part.name);
    at = part.from;
    // A part in brackets has something before it.
    hasMore = !part.isRoot || isDotBefore(text, at);
  }
  return { names, from };
}

/** `.`, or `.?` for a field that may be missing. */
const isDotBefore = (text: string, at: number) =>
  text[at - 1] === "." || (text[at - 1] === "?" && text[at - 2] === ".");

function wordStart(text: string, end: number, start: number): number {
  let at = end;
  while (at > start && isWord(text[at - 1])) at--;
  return at;
}

interface PathPart {
  readonly name: string | number;
  readonly from: number;
  /** Whether nothing has to stand before it. */
  readonly isRoot: boolean;
}

function partBefore(text: string, end: number, start: number): PathPart | null {
  const last = text[end - 1];
  if (last === "`") {
    const open = text.lastIndexOf("`", end - 2);
    return open < start ? null : { name: text.slice(open + 1, end - 1), from: open, isRoot: false };
  }
  if (last !== "]") {
    const from = wordStart(text, end, start);
    return from === end ? null : { name: text.slice(from, end), from, isRoot: true };
  }
  const open = text.lastIndexOf("[", end);
  if (open < start) return null;
  const inside = text.slice(open + 1, end - 1).trim();
  if (/^\d+$/.test(inside)) return { name: Number(inside), from: open, isRoot: false };
  const quoted = /^(["'])(.*)\1$/.exec(inside)?.[2];
  return quoted === undefined ? null : { name: quoted, from: open, isRoot: false };
}

/** A variable, or the name that a macro gives to the items of a list: `orders.filter(one, one.`. */
function resolve(names: Path["names"], before: string, variables: readonly KnownField[]): KnownValue | null {
  const [root = "", ...rest] = names;
  const variable = findVariable(variables, String(root)) ?? itemVariable(String(root), before, variables);
  return variable === undefined ? null : valueAt(variable, rest);
}

const MACRO = /\.(?:all|exists|exists_one|filter|map)\($/;

function itemVariable(name: string, before: string, variables: readonly KnownField[]): KnownValue | undefined {
  for (let at = before.lastIndexOf(name); at > 0; at = before.lastIndexOf(name, at - 1)) {
    const call = MACRO.exec(before.slice(0, at));
    if (call === null || !/^\s*,/.test(before.slice(at + name.length))) continue;
    const list = pathBefore(before, call.index + 1, 0);
    const known = list === null ? null : resolve(list.names, before.slice(0, call.index), variables);
    return known === null ? ANYTHING : itemOf(known);
  }
  return undefined;
}

function rootCompletion(field: KnownField, descriptions: Readonly<Record<string, string>>): Completion {
  return {
    ...described(field),
    ...documented(ownField(descriptions, field.name)),
    label: field.name,
    kind: "variable",
  };
}

function fieldCompletion(field: KnownField, isCode: boolean): readonly Completion[] {
  const insert = isCode ? (isName(field.name) ? field.name : null) : fieldText(field.name);
  if (insert === null) return [];
  const { description, title } = field.schema;
  const documentation = typeof description === "string" ? description : typeof title === "string" ? title : undefined;
  return [{ ...described(field), ...documented(documentation), label: field.name, insert, kind: "property" }];
}

/** The value of the run where it is short, otherwise the type. */
function described(field: KnownField): { detail?: string } {
  const { value } = field;
  const type = typeOf(field);
  const isShown = value !== undefined && (value === null || typeof value !== "object");
  const detail = isShown ? shortText(value, 32) : type;
  return detail === null ? {} : { detail };
}

const documented = (documentation: string | undefined) => (documentation === undefined ? {} : { documentation });

const functionCompletion = ({ name, call, description }: FunctionReference): Completion => ({
  ...{ label: name, insert: `${name}()`, detail: call, documentation: description },
  kind: "function",
});

const functionsOf = (hasAuto: boolean): readonly Completion[] =>
  [...FUNCTION_REFERENCE.filter(({ form }) => form !== "method"), ...(hasAuto ? [AUTO_REFERENCE] : [])].map(
    functionCompletion,
  );

const METHODS = FUNCTION_REFERENCE.filter(({ form }) => form !== "function");

/** Those of the type of the value. Of a value that nothing is known of, all. */
function methodsOf(known: KnownValue): readonly Completion[] {
  const types = valueTypes(known);
  return METHODS.filter(({ on }) => types === null || on.some((type) => types.includes(type))).map(functionCompletion);
}

const VALUE_TYPES: Readonly<Record<string, readonly ValueType[]>> = {
  string: ["text"],
  number: ["number"],
  integer: ["number"],
  boolean: ["boolean"],
  list: ["list"],
  object: ["map"],
};

function valueTypes(known: KnownValue): readonly ValueType[] | null {
  const types = VALUE_TYPES[typeOf(known) ?? ""] ?? null;
  return types?.includes("text") === true && known.schema["format"] === "date-time" ? [...types, "date"] : types;
}
