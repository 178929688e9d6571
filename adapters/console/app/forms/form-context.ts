/** What all controls of a form share. */

import { type ComponentType, createContext, useContext, useState } from "react";
import { pointerPart } from "../../../../src/encoding/json-pointer.ts";
import { urlComponent } from "../../../../src/encoding/url-component.ts";
import type { Entry } from "../../../../src/forms/model/entry.ts";
import type { Notation } from "../../../../src/forms/model/notation.ts";
import type { ControlOfProps, FormProps, ObjectFieldsProps } from "./control-props.ts";

/** Forms are within lists and objects of forms: what draws them stands here, so that no file imports itself. */
interface FormParts {
  readonly Form: ComponentType<FormProps>;
  readonly Fields: ComponentType<ObjectFieldsProps>;
  readonly Control: ComponentType<ControlOfProps>;
}

export interface FormContextValue extends FormParts {
  /** Start of the ids of the controls. */
  readonly formId: string;
  /** App whose files and connections can be chosen. */
  readonly appId: string;
  readonly notation: Notation;
  /** What is wrong, by the places of the controls. */
  readonly errors: ReadonlyMap<string, string>;
}

export const FormContext = createContext<FormContextValue | null>(null);

/** Only within a form. */
export function useForm(): FormContextValue {
  const form = useContext(FormContext);
  if (form === null) throw new Error("There is no form here.");
  return form;
}

/** What is wrong at a place, until the person changes what stands there. */
export function useErrorAt(place: string, entry: Entry): string | null {
  const { errors } = useForm();
  const [refused, setRefused] = useState({ errors, entry });
  if (refused.errors !== errors) setRefused({ errors, entry });
  const isChanged = refused.errors === errors && refused.entry !== entry;
  return isChanged ? null : (errors.get(place) ?? null);
}

/** The id of a control. Ids must not contain white space, and names of fields may. */
export const controlId = (formId: string, place: string): string => `${formId}${urlComponent(place)}`;

/** Moves the focus to a control, or to the first one of a group. */
export function focusControl(formId: string, place: string): void {
  const found = document.getElementById(controlId(formId, place));
  const target = found?.matches(FOCUSABLE) === true ? found : found?.querySelector<HTMLElement>(FOCUSABLE);
  target?.focus();
  target?.scrollIntoView({ block: "center" });
}

const FOCUSABLE = "input:not([hidden]), select, textarea, button";

/** One more part of a JSON Pointer (RFC 6901). */
export const placeIn = (place: string, part: string | number): string => `${place}/${pointerPart(part)}`;
