import type { NoteStep } from "../../../../../src/workflows/step.ts";
import { Markdown } from "../../forms/markdown/markdown.tsx";
import { useTexts } from "../../texts/language.ts";
import { TextField } from "../controls/plain-fields.tsx";
import type { KindProps } from "../kind-props.ts";

/** A comment, as it is written and as it is shown. */
export function NoteEditor({ step, onChange, problemAt }: KindProps<NoteStep>) {
  const { steps: texts } = useTexts();
  return (
    <>
      <TextField
        label={texts.note}
        hint={texts.markdownHint}
        value={step.note}
        isOptional={false}
        isLong={true}
        error={problemAt("/note")}
        onChange={(note) => onChange({ ...step, note: note ?? "" })}
      />
      {step.note.trim() === "" ? null : (
        <section className="preview" aria-label={texts.preview}>
          <h3>{texts.preview}</h3>
          <Markdown text={step.note} />
        </section>
      )}
    </>
  );
}
