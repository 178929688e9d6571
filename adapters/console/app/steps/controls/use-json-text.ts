/** The text of a field for JSON: what a person types stays as it is while the value changes elsewhere. */
import { useEffect, useRef, useState } from "react";
import type { JsonValue } from "../../../../../src/json.ts";

interface JsonTextProps {
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
  /** Null for what is not valid yet. */
  readonly read: (text: string) => { readonly value: JsonValue | undefined } | null;
  /** See `JsonFieldProps`. */
  readonly merge?: Merge | undefined;
}

/**
 * Brings what was typed together with what has changed elsewhere.
 * @param before The value that the text was made of.
 * @returns Null for what cannot be a value yet.
 */
export type Merge = (before: JsonValue | undefined, typed: JsonValue | undefined) => JsonValue | null;

export function useJsonText({ value, onChange, read, merge }: JsonTextProps) {
  const [text, setText] = useState(() => textOf(value));
  /** The value that the text was made of, or the last one that was read from it. */
  const base = useRef(value);
  const seen = useRef(value);
  /** Whether the text lacks something of the value, or has something else that is no part of it, such as another key. */
  const isOutdated = useRef(false);
  /** Whether the value has changed elsewhere while the text had something that the value has not got. */
  const isBehind = useRef(false);
  const isTyping = useRef(false);
  /** Whether this field has changed the value since it was drawn. */
  const isOwn = useRef(false);

  /** The value with what was typed; null while the text has something that cannot be a part of it yet. */
  function wholeOf(
    given: string,
  ): { readonly typed: JsonValue | undefined; readonly value: JsonValue | undefined } | null {
    const found = read(given);
    if (found === null) return null;
    const { value: typed } = found;
    if (merge === undefined) return { typed, value: isSame(base.current, typed) ? value : typed };
    const whole = merge(base.current, typed);
    return whole === null ? null : { typed, value: whole };
  }

  function show(whole: JsonValue | undefined, as = textOf(whole)): void {
    base.current = whole;
    isOutdated.current = false;
    isBehind.current = false;
    setText(as);
  }

  function takeOver(): void {
    const found = read(text);
    // What a person has typed keeps its own form.
    show(value, found !== null && isSame(found.value, value) ? text : undefined);
  }

  useEffect(() => {
    const wasOwn = isOwn.current;
    isOwn.current = false;
    if (isSame(seen.current, value)) return;
    seen.current = value;
    isOutdated.current = !isSame(base.current, value);
    if (wasOwn || !isOutdated.current) return;
    // Other controls and other people change parts of the value: no reason to lose what was typed.
    const isHalf = wholeOf(text) === null;
    isBehind.current = isHalf && (isTyping.current || (merge !== undefined && text.trim() !== ""));
    if (!isBehind.current) takeOver();
  });

  return {
    text,
    change(next: string): void {
      isTyping.current = true;
      setText(next);
      const whole = wholeOf(next);
      if (whole === null) return;
      if (isBehind.current) show(whole.value);
      else {
        base.current = whole.typed;
        isOutdated.current = !isSame(whole.typed, whole.value);
      }
      if (isSame(whole.value, value)) return;
      isOwn.current = true;
      onChange(whole.value);
    },
    /** The person has left the field. */
    leave(): void {
      isTyping.current = false;
      if (isOutdated.current && wholeOf(text) !== null) takeOver();
    },
  };
}

const textOf = (value: JsonValue | undefined) => (value === undefined ? "" : JSON.stringify(value, null, 2));

const isSame = (one: JsonValue | undefined, other: JsonValue | undefined) =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
