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
  /** Whether the value has changed elsewhere since. */
  const isOutdated = useRef(false);
  const isTyping = useRef(false);

  /** Whether the text has something that the value has not got. */
  function isUnread(): boolean {
    const found = read(text);
    return found === null || (merge !== undefined && merge(base.current, found.value) === null);
  }

  function takeOver(): void {
    const found = read(text);
    base.current = value;
    isOutdated.current = false;
    // What a person has typed keeps its own form.
    if (found === null || !isSame(found.value, value)) setText(textOf(value));
  }

  useEffect(() => {
    if (isSame(seen.current, value)) return;
    seen.current = value;
    isOutdated.current = !isSame(base.current, value);
    if (!isOutdated.current || isTyping.current) return;
    // Other controls change parts of the value: no reason to lose what was typed.
    if (merge === undefined || text.trim() === "" || !isUnread()) takeOver();
  });

  return {
    text,
    change(next: string): void {
      isTyping.current = true;
      setText(next);
      const found = read(next);
      if (found === null) return;
      const whole = merge === undefined ? found.value : merge(base.current, found.value);
      if (merge !== undefined && whole === null) return;
      base.current = found.value;
      isOutdated.current = !isSame(found.value, whole);
      if (!isSame(whole, value)) onChange(whole);
    },
    /** The person has left the field. */
    leave(): void {
      isTyping.current = false;
      if (isOutdated.current && !isUnread()) takeOver();
    },
  };
}

const textOf = (value: JsonValue | undefined) => (value === undefined ? "" : JSON.stringify(value, null, 2));

const isSame = (one: JsonValue | undefined, other: JsonValue | undefined) =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
