/** The parts of a message: texts, images and files. */

import type { Message } from "../../../../../src/workflows/model-provider.ts";
import { FieldNote, type FieldProblem } from "../../elements/fields/field-note.tsx";
import { ExpressionEditor } from "../../expressions/expression-editor.tsx";
import { useTexts } from "../../texts/language.ts";
import { AddRow } from "../controls/add-row.tsx";
import { Choice } from "../controls/plain-fields.tsx";
import { Row, RowTools } from "../controls/row-tools.tsx";
import { moved, removed, replaced } from "../step-change.ts";

type Part = Exclude<Message["content"], string>[number];

interface PartFieldsProps {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly onChange: (parts: Part[]) => void;
  readonly at: string;
  readonly problemAt: (pointer: string) => FieldProblem | null;
}

const TYPES = ["text", "image", "file"] as const;

export function PartFields({ name, parts, onChange, at, problemAt }: PartFieldsProps) {
  const { steps: texts } = useTexts();
  return (
    <div className="rows">
      {parts.map((part, index) => {
        const label = texts.partNumber(name, index + 1);
        const move = (by: -1 | 1) => onChange(moved(parts, index, by));
        return (
          <Row key={index} name={label} onMove={move}>
            <div className="row-head">
              <Choice
                label={label}
                value={part.type}
                options={TYPES.map((value) => ({ value, label: texts.partTypes[value] }))}
                onChange={(value) => onChange(replaced(parts, index, typed(part, value)))}
              />
              <RowTools
                name={label}
                isFirst={index === 0}
                isLast={index === parts.length - 1}
                onMove={move}
                onRemove={() => onChange(removed(parts, index))}
              />
            </div>
            <PartContent label={label} part={part} onChange={(next) => onChange(replaced(parts, index, next))} />
            <FieldNote problem={problemAt(`${at}/${index}`)} />
          </Row>
        );
      })}
      <AddRow kind="quiet" onAdd={() => onChange([...parts, { type: "text", text: "" }])}>
        {texts.addPart}
      </AddRow>
    </div>
  );
}

/** An image and a file have the same fields. */
function typed(part: Part, type: string | undefined): Part {
  if (type === part.type) return part;
  if (type !== "image" && type !== "file")
    return { type: "text", text: part.type === "text" ? part.text : (part.url ?? "") };
  return part.type === "text" ? { type, url: part.text } : { ...part, type };
}

interface PartContentProps {
  readonly label: string;
  readonly part: Part;
  readonly onChange: (part: Part) => void;
}

function PartContent({ label, part, onChange }: PartContentProps) {
  const { steps: texts } = useTexts();
  if (part.type === "text")
    return (
      <ExpressionEditor
        label={`${label}: ${texts.messageText}`}
        syntax="template"
        isSingleLine={false}
        hasAuto={true}
        value={part.text}
        onChange={(text) => onChange({ ...part, text })}
      />
    );
  const isFile = part.file_id !== undefined;
  const { file_id, url, ...rest } = part;
  const value = file_id ?? url ?? "";
  return (
    <>
      <Choice
        label={`${label}: ${texts.from}`}
        value={isFile ? "file_id" : "url"}
        options={[
          { value: "url", label: texts.fromUrl },
          { value: "file_id", label: texts.fromFile },
        ]}
        onChange={(from) => onChange(from === "file_id" ? { ...rest, file_id: value } : { ...rest, url: value })}
      />
      <ExpressionEditor
        label={`${label}: ${isFile ? texts.fromFile : texts.fromUrl}`}
        syntax="template"
        value={value}
        placeholder={isFile ? "{{ input.report[0].id }}" : "https://example.com/picture.png"}
        onChange={(next) => onChange(isFile ? { ...part, file_id: next } : { ...part, url: next })}
      />
    </>
  );
}
