/** The input fields of every run of the workflow, whichever input step it starts at. */
import type { InputDefinition } from "../../../../../src/workflows/input/input-field.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { part } from "../../loading/part.tsx";
import { useTexts } from "../../texts/language.ts";

const FieldBuilder = part(async () => ({
  default: (await import("../../steps/input-fields/field-builder.tsx")).FieldBuilder,
}));

interface InputDialogProps {
  readonly definition: Definition;
  readonly onChange: (input: InputDefinition) => void;
  readonly onClose: () => void;
}

const noProblem = () => null;

export function InputDialog({ definition, onChange, onClose }: InputDialogProps) {
  const { editor: texts, versions } = useTexts();
  return (
    <Dialog title={texts.inputTitle} onClose={onClose}>
      <p>{texts.inputHint}</p>
      <FieldBuilder
        label={versions.part.input}
        definition={definition.input}
        at="/input"
        problemAt={noProblem}
        readAs="input"
        onChange={onChange}
      />
    </Dialog>
  );
}
