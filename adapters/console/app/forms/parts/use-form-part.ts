/** A form that is a part of another one, such as the input of a schedule. The form around it reads and sends its values. */
import { type RefObject, useRef, useState } from "react";
import { isRecord, type JsonObject, sortedJson } from "../../../../../src/json.ts";
import { isServerError } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import type { FormState } from "../use-form-state.ts";

export interface FormPartState {
  /** The values as they are, which a form with other fields begins with. Null for a blank form. */
  readonly values: RefObject<JsonObject | null>;
  /** The form that is shown. */
  readonly shown: RefObject<FormState | null>;
  /** Whether what nobody has changed stays as it was given. */
  readonly keepsFirst: boolean;
  /** The first values as they are, if they are kept and nobody has changed them. */
  unchanged(): JsonObject | null;
  /** Null if an entry cannot be read: the form then says so. */
  read(): JsonObject | null;
  /** Whether a person has changed the values, also to what cannot be read. */
  differsFrom(values: JsonObject): boolean;
  /** The values as they are, with what can be read only. */
  peek(): JsonObject;
  /** Shows other values where they differ. */
  change(before: JsonObject, after: JsonObject): void;
  /** Shows what the server says about the values. @param base Pointer of the values in what was sent. */
  refuse(error: unknown, base: string): void;
}

interface PartOptions {
  /**
   * Whether values are read as they were given until somebody changes them: a form may write the same differently, such as
   * with the values that it shows for what is absent. @default false
   */
  readonly keepsFirst?: boolean;
}

/** @param first The first values. Null for a blank form, with the values that apply without an answer. */
export function useFormPart(first: JsonObject | null, { keepsFirst = false }: PartOptions = {}): FormPartState {
  const { forms } = useTexts();
  const [kept] = useState(keepsFirst ? first : null);
  const values = useRef(first);
  const shown = useRef<FormState | null>(null);
  const unchanged = () => (values.current === kept ? kept : null);
  return {
    values,
    shown,
    keepsFirst,
    unchanged,
    read() {
      const asFirst = unchanged();
      if (asFirst !== null) return asFirst;
      const form = shown.current;
      if (form === null) return values.current ?? {};
      const value = form.read();
      if (isRecord(value)) return value as JsonObject; // a form reads JSON
      if (value !== null) form.show([{ pointer: "", message: forms.notAnObject }]);
      return null;
    },
    differsFrom(before) {
      const form = shown.current;
      return form !== null && (form.unread().length > 0 || sortedJson(form.peek()) !== sortedJson(before));
    },
    peek() {
      const value = shown.current?.peek() ?? values.current;
      return isRecord(value) ? (value as JsonObject) : {}; // a form reads JSON
    },
    change(before, after) {
      if (shown.current === null) values.current = after;
      else shown.current.change(before, after);
    },
    refuse(error, base) {
      const errors = isServerError(error) ? error.errors : [];
      const own = errors.filter(({ pointer }) => pointer === base || pointer.startsWith(`${base}/`));
      if (own.length > 0) shown.current?.show(own, base);
    },
  };
}
