/** Renames a step, with what refers to it: connections, pinned outputs, and expressions that read it. Pure. */
import { isRecord } from "../../../../../src/json.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { isWholeExpression } from "../../expressions/whole-expressions.ts";
import { stepOf } from "./operations.ts";
import {
  readsOtherwise,
  rewriteCode,
  rewriteExpression,
  rewriteTemplate,
  templateReadsOtherwise,
} from "./rewrite-reads.ts";
import { mapDestinations } from "./ways.ts";

export interface Renamed {
  readonly definition: Definition;
  /** Steps in which the old key still stands in a text, because it was not certain what it means. */
  readonly mentionedBy: readonly string[];
}

/** @param after A key that no other step has, 1 to 128 characters. */
export function renameStep(definition: Definition, before: string, after: string): Renamed {
  if (before === after || stepOf(definition, before) === undefined) return { definition, mentionedBy: [] };
  const steps = definition.steps.map((step) => renamedIn(step, before, after));
  const mentionedBy = steps.filter((step) => mentions(step, before)).map(({ key }) => key);
  return { definition: { ...definition, steps, ...pinnedOf(definition, before, after) }, mentionedBy };
}

/** A step in which one key is replaced by another. */
export function renamedIn(step: Step, before: string, after: string): Step {
  const led = mapDestinations(step, (key) => [key === before ? after : key]);
  const renamed = led.key === before ? { ...led, key: after } : led;
  return rewritten(renamed, before, after);
}

function pinnedOf({ pinned }: Definition, before: string, after: string): Pick<Definition, "pinned"> {
  if (pinned === undefined) return {};
  const entries = Object.entries(pinned).map(([key, value]) => [key === before ? after : key, value] as const);
  return { pinned: Object.fromEntries(entries) };
}

function rewritten(step: Step, before: string, after: string): Step {
  let isChanged = false;
  const change = (text: string, name: string | undefined): string => {
    const next = rewriteField(step, text, name, before, after);
    isChanged ||= next !== text;
    return next;
  };
  const next = mapTexts(step, change);
  return isChanged ? next : step;
}

function rewriteField(step: Step, text: string, name: string | undefined, before: string, after: string): string {
  if (name === "key") return text;
  if (isWholeExpression(text, name)) return rewriteExpression(text, before, after);
  if (step.type === "code" && name === "code") return rewriteCode(text, before, after);
  return step.type === "note" ? text : rewriteTemplate(text, before, after);
}

/** A value with each text in it changed, given the name of the field that it stands in. */
function mapTexts<Value>(value: Value, change: (text: string, name: string | undefined) => string): Value {
  return mapped(value, undefined) as Value; // texts become texts, and all else stays

  function mapped(one: unknown, name: string | undefined): unknown {
    if (typeof one === "string") return change(one, name);
    if (Array.isArray(one)) return one.map((item) => mapped(item, name));
    if (!isRecord(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, mapped(item, key)]));
  }
}

/** Whether a text of the step still has `steps.KEY` or `steps["KEY"]`, or may read the step in another way. */
function mentions(step: Step, key: string): boolean {
  let isFound = false;
  const forms = [`steps.${key}`, `steps[${JSON.stringify(key)}]`, `steps['${key}']`];
  mapTexts(step, (text, name) => {
    isFound ||= forms.some((form) => hasWord(text, form)) || (hasWord(text, key) && readsWithoutKey(step, text, name));
    return text;
  });
  return isFound;
}

/** Whether it reads the steps without a written key, as `const {a} = steps` does. */
function readsWithoutKey(step: Step, text: string, name: string | undefined): boolean {
  if (name === "key" || step.type === "note") return false;
  if (isWholeExpression(text, name)) return readsOtherwise(text, "expression");
  return step.type === "code" && name === "code" ? readsOtherwise(text, "code") : templateReadsOtherwise(text);
}

/** Whether a text has a word that is not a part of a longer one. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isInWord(text, at) && !isInWord(text, at + word.length)) return true;
  }
  return false;
}

/** Whether letters of one word stand on both sides of a place. */
const isInWord = (text: string, at: number): boolean => /\w/.test(text.charAt(at - 1)) && /\w/.test(text.charAt(at));
