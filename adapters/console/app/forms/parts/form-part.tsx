/** A form within a dialog or another form. Who prefers JSON can write it instead. */
import { Form } from "../form.tsx";
import { type FormPartProps, SwitchedForm } from "./switched-form.tsx";

export function FormPart(props: FormPartProps) {
  return <SwitchedForm {...props} Form={Form} />;
}
