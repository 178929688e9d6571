/** The state of a form: its values, and what is wrong with them. */
import { useCallback, useId, useMemo, useState } from "react";
import type { FieldError } from "../../../../src/errors.ts";
import { type FormValues, jsonText } from "../../../../src/forms/model/entry.ts";
import { blankForm, fillForm } from "../../../../src/forms/model/fill-entry.ts";
import type { FormModel } from "../../../../src/forms/model/form-model.ts";
import { mergedEntry } from "../../../../src/forms/model/merge-entries.ts";
import type { Notation } from "../../../../src/forms/model/notation.ts";
import { entryAt, messagesByPlace, type PlacedError, placeErrors } from "../../../../src/forms/model/place-errors.ts";
import { type FormProblem, type ReadOptions, readForm } from "../../../../src/forms/model/read-entry.ts";
import { type JsonValue, MAX_DEPTH } from "../../../../src/json.ts";
import { messageOf } from "../elements/problem-note.tsx";
import { visibleJson } from "../elements/values/visible-text.ts";
import { isServerError } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import type { Messages } from "../texts/messages.ts";
import type { Change } from "./control-props.ts";
import { refusalText } from "./refusals/known-refusals.ts";
import { useNotation } from "./use-notation.ts";

export interface FormState {
  readonly model: FormModel;
  readonly values: FormValues;
  /** For `<Form {...props} appId={…} />`. */
  readonly props: {
    readonly id: string;
    readonly model: FormModel;
    readonly values: FormValues;
    readonly onChange: Change;
    readonly errors: ReadonlyMap<string, string>;
  };
  readonly problems: readonly PlacedError[];
  /** How often the form was refused: the summary takes the focus each time. */
  readonly refusals: number;
  readonly setValues: (values: FormValues) => void;
  /** The values as JSON, an empty object without any. Null if an entry cannot be read: the form then says so. */
  read(options?: ReadOptions): JsonValue | null;
  /** The values as JSON, with what can be read only. */
  peek(): JsonValue;
  /** Labels of the fields that `peek` leaves out, because what was entered cannot be read. */
  unread(): readonly string[];
  /** Replaces all values. */
  fill(value: JsonValue): void;
  /** Takes the values that the server has stored. What was changed since they were sent stays. @param sent The `values` then. */
  takeOver(sent: FormValues, stored: JsonValue): void;
  /** Shows other values where they differ. Everything else stays as it was entered. */
  change(before: JsonValue, after: JsonValue): void;
  /** Shows an error of the server. @param base Pointer of the values in what was sent. @default "" */
  refuse(error: unknown, base?: string): void;
  /** Shows what the server has found wrong. */
  show(errors: readonly FieldError[], base?: string): void;
  /** Makes the form blank again. */
  clear(): void;
}

/** What was wrong with which values. */
interface Refused {
  readonly problems: readonly PlacedError[];
  readonly values: FormValues;
}

const NONE: readonly PlacedError[] = [];

/** Without the problems of fields that were changed since. */
const left = ({ problems, values: before }: Refused, values: FormValues): readonly PlacedError[] =>
  problems.filter(({ place }) => place === null || entryAt(before, place) === entryAt(values, place));

/** @param makeModel Called once. @param first The first values. @default a blank form */
export function useFormState(makeModel: () => FormModel, first?: (model: FormModel) => FormValues): FormState {
  const texts = useTexts();
  const notation = useNotation();
  const id = useId();
  const [model] = useState(makeModel);
  const [values, setValues] = useState(() => first?.(model) ?? blankForm(model, notation));
  const [refused, setRefused] = useState<Refused | null>(null);
  const [refusals, setRefusals] = useState(0);
  const problems = useMemo(() => (refused === null ? NONE : left(refused, values)), [refused, values]);
  const errors = useMemo(() => messagesByPlace(problems), [problems]);
  const onChange = useCallback<Change>((update) => setValues(update), []);

  const show = (found: readonly PlacedError[]) => {
    setRefused({ problems: found, values });
    setRefusals((count) => count + 1);
  };

  const messageAt = ({ place, code }: FormProblem) => ({
    pointer: place,
    message: problemText(texts, code, notation),
  });

  return {
    model,
    values,
    props: { id, model, values, onChange, errors },
    problems,
    refusals,
    setValues,
    read(options) {
      const { value, problems: found } = readForm(model, values, notation, options);
      if (found.length === 0) {
        setRefused(null);
        return value ?? {};
      }
      show(atPlaces(model, values, found.map(messageAt)));
      return null;
    },
    peek: () => readForm(model, values, notation, { allowsUploads: true }).value ?? {},
    unread() {
      const { problems: found } = readForm(model, values, notation, { allowsUploads: true });
      return atPlaces(model, values, found.map(messageAt)).map(({ labels }) => labels.join(" › "));
    },
    fill: (value) => setValues(fillForm(model, value, notation)),
    takeOver: (sent, stored) => setValues((now) => mergedEntry(sent, now, fillForm(model, stored, notation))),
    change(before, after) {
      const filled = (value: JsonValue) => fillForm(model, value, notation);
      setValues((now) =>
        now.kind === "raw"
          ? { kind: "raw", text: visibleJson(jsonText(after)) }
          : mergedEntry(filled(before), filled(after), now),
      );
    },
    refuse(error, base = "") {
      const found = inWords(isServerError(error) ? (error.errors ?? []) : [], texts);
      const whole = { place: null, labels: [], message: messageOf(error, texts.general) };
      show(found.length > 0 ? placeErrors(model, values, found, base) : [whole]);
    },
    show: (found, base) => show(placeErrors(model, values, inWords(found, texts), base)),
    clear() {
      setValues(blankForm(model, notation));
      setRefused(null);
    },
  };
}

const inWords = (found: readonly FieldError[], { forms }: Messages): readonly FieldError[] =>
  found.map((one) => ({ ...one, message: refusalText(one.message, forms.refusals) }));

/** Places that the form itself has found: they count all rows, so that their labels are found by counting all too. */
function atPlaces(
  model: FormModel,
  values: FormValues,
  found: readonly { readonly pointer: string; readonly message: string }[],
): readonly PlacedError[] {
  return placeErrors(model, values, found, "", { countsEmptyRows: true });
}

export function problemText({ forms, general }: Messages, code: FormProblem["code"], notation: Notation): string {
  switch (code) {
    case "number":
      return forms.invalidNumber(notation.example);
    case "precise":
      return forms.tooPrecise;
    case "json":
      return forms.invalidJson;
    case "deep":
      return forms.tooDeep(MAX_DEPTH);
    case "unfinished":
      return general.invalid.unfinished;
    case "upload":
      return forms.uploadUnfinished;
    case "name":
      return forms.extraName;
  }
}
