/** What a browser finds wrong with a control, in the words of the page: the browser's own bubble closes by itself. */
import { type FormEvent, useState } from "react";
import { useTexts } from "../../texts/language.ts";
import type { Messages } from "../../texts/messages.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

interface OwnValidity {
  /** Null until a form was to be sent with the control as it is. */
  readonly message: string | null;
  /** For the element around the control. */
  readonly handlers: {
    readonly onInvalidCapture: (event: FormEvent) => void;
    readonly onInput: (event: FormEvent) => void;
    readonly onChange: () => void;
  };
}

export function useOwnValidity(): OwnValidity {
  const { general } = useTexts();
  const [message, setMessage] = useState<string | null>(null);
  return {
    message,
    handlers: {
      onInvalidCapture(event) {
        const { target } = event;
        if (!isControl(target)) return;
        event.preventDefault();
        setMessage(messageOf(general.invalid, target));
        if (target.form?.noValidate === false && invalidOf(target.form)[0] === target) target.focus();
      },
      // Not for a select: drawn anew between "input" and "change", it would lose what was chosen.
      onInput({ target }) {
        if (!(target instanceof HTMLSelectElement)) setMessage(null);
      },
      onChange: () => setMessage(null),
    },
  };
}

/** Types of fields for dates and times. */
const MOMENTS: ReadonlySet<string> = new Set(["date", "time", "datetime-local"]);

function messageOf(texts: Messages["general"]["invalid"], control: Control): string {
  const { validity, validationMessage } = control;
  if (validity.customError) return validationMessage;
  if (validity.badInput && MOMENTS.has(control.type)) return texts.unfinished;
  if (validity.valueMissing) return texts.missing;
  if (validity.typeMismatch && control.type === "url") return texts.url;
  if (validity.rangeUnderflow && control instanceof HTMLInputElement) return texts.min(control.min);
  if (validity.rangeOverflow && control instanceof HTMLInputElement) return texts.max(control.max);
  return texts.other;
}

const invalidOf = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter(isControl).filter((control) => control.willValidate && !control.validity.valid);

/** For forms that the browser does not validate. Fields with something wrong say it, and the first one gets the focus. */
export function areFieldsValid(form: HTMLFormElement): boolean {
  const invalid = invalidOf(form).filter((control) => control.closest(".field") !== null);
  for (const control of invalid) control.checkValidity();
  invalid[0]?.focus();
  return invalid.length === 0;
}
