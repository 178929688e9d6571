/**
 * What a form shows, whichever source its fields come from: an input definition or a JSON Schema. Pure, and without the
 * schemas of the server, so that pages can import it.
 */
import type { JsonValue } from "../../json.ts";

/** A value that can be chosen. */
export interface Choice {
  readonly value: string | number | boolean;
  readonly label: string;
  readonly desc: string | null;
}

/** Which names an object accepts besides its fields: all, none, or some. */
export type AdditionalNames = boolean | readonly string[];

export interface ObjectShape {
  readonly kind: "object";
  /** In the order of the form. */
  readonly fields: readonly ModelField[];
  readonly additional: AdditionalNames;
  /** Of the values that have other names. */
  readonly extra: Shape;
}

/** One of the forms that a value can have. */
export interface Variant {
  /** Null if nothing but the kind of its shape tells what it is. */
  readonly label: string | null;
  readonly desc: string | null;
  readonly shape: Shape;
}

/** A value of one of several forms, such as the credentials of one of several ways to sign in. */
export interface VariantsShape {
  readonly kind: "variants";
  readonly variants: readonly Variant[];
  readonly look: "radio" | "dropdown";
}

export interface ListShape {
  readonly kind: "list";
  readonly item: Shape;
}

export interface FileShape {
  readonly kind: "file";
  /** Media types; null for any. */
  readonly allowedTypes: readonly string[] | null;
  /** Maximum bytes; null for the limit of the host. */
  readonly maxSize: number | null;
  readonly visibility: "PRIVATE" | "PUBLIC";
  readonly isMany: boolean;
}

export interface ChoiceShape {
  readonly kind: "choice";
  readonly choices: readonly Choice[];
  readonly look: "radio" | "dropdown";
}

export interface TextShape {
  readonly kind: "text";
  /** `grows`: one line that becomes several as the text does. */
  readonly look: "line" | "grows" | "lines" | "url" | "email" | "secret";
  /** Offered, but others are accepted too. */
  readonly suggestions: readonly Choice[];
  /** Whether an empty text is a value, and not the lack of one. @default false */
  readonly keepsEmpty?: boolean;
}

export interface NumberShape {
  readonly kind: "number";
  readonly isWhole: boolean;
}

/** What a value looks like, and so the control for it. */
export type Shape =
  | ObjectShape
  | VariantsShape
  | ListShape
  | FileShape
  | ChoiceShape
  | TextShape
  | NumberShape
  /**
   * `hasThirdState`: neither true nor false is a state of its own. `isAsked`: a person must choose one of them, so that
   * nobody says no without meaning it.
   */
  | { readonly kind: "boolean"; readonly hasThirdState: boolean; readonly isAsked?: boolean }
  | { readonly kind: "date" }
  | { readonly kind: "time" }
  /** A moment. Forms show it in the zone of the browser. */
  | { readonly kind: "datetime" }
  /** `allowedTypes`: names of services; null for any. */
  | { readonly kind: "connection"; readonly allowedTypes: readonly string[] | null }
  /** A value that is always the same. It has no control. */
  | { readonly kind: "constant"; readonly value: JsonValue }
  /** Markdown between the fields. Has no value. */
  | { readonly kind: "content"; readonly markdown: string }
  /** A value that no other control can show. */
  | { readonly kind: "json" };

export interface ModelField {
  /** Name of the value in its object. */
  readonly key: string;
  readonly label: string;
  readonly desc: string | null;
  /** An http: or https: URL with more information. */
  readonly link: string | null;
  readonly placeholder: string | null;
  readonly isOptional: boolean;
  /** Whether no control is shown. What it was filled with is kept. */
  readonly isHidden: boolean;
  /** Whether the label stands beside the control instead of above it. */
  readonly isInline: boolean;
  readonly width: "grid" | "full" | "center";
  /** The value that a blank form shows, and that applies without an answer; undefined for none. */
  readonly preset: JsonValue | undefined;
  /** What an empty control gives: nothing, null, or an empty list. */
  readonly empty: "omitted" | "null" | "list";
  readonly shape: Shape;
}

/** A field that is optional, takes the full width and has nothing but its name, unless `rest` says otherwise. */
export const plainField = (key: string, shape: Shape, rest: Partial<ModelField> = {}): ModelField => ({
  key,
  label: key,
  desc: null,
  link: null,
  placeholder: null,
  isOptional: true,
  isHidden: false,
  isInline: false,
  width: "full",
  preset: undefined,
  empty: "omitted",
  ...rest,
  shape,
});

/** A form. `json`: nothing is known of its fields. */
export type FormModel = ObjectShape | VariantsShape | { readonly kind: "json" };

/** Choices that are shown as radio buttons, unless the field says otherwise. */
export const MAX_RADIO_BUTTONS = 5;

const ofKind = (shape: Shape): Variant => ({ label: null, desc: null, shape });

/** Any JSON value, of which nothing is known: a person says what it is. */
export const ANY_VALUE: VariantsShape = {
  kind: "variants",
  look: "dropdown",
  variants: [
    ofKind({ kind: "text", look: "grows", suggestions: [], keepsEmpty: true }),
    ofKind({ kind: "number", isWhole: false }),
    ofKind({ kind: "boolean", hasThirdState: false }),
    ofKind({ kind: "json" }),
  ],
};
