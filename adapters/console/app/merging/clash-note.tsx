/** What somebody else has changed, too, while a form was filled in. */
import { type JsonValue, ownField } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { JsonView } from "../elements/values/json-view.tsx";
import { visibleText } from "../elements/values/visible-text.ts";
import { useTexts } from "../texts/language.ts";
import { type Clash, type Path, pathPointer } from "./three-way.ts";
import "./clash-note.css";

/** What a form calls its fields, by the names that they have in its values. */
export type FieldNames = Readonly<Record<string, FieldName | undefined>>;

interface FieldName {
  /** Null where the form names only what is in the field. */
  readonly label: string | null;
  /** What the form calls the values of the field. @default as they are */
  readonly values?: Readonly<Record<string, string>>;
  /** Whether people know it as one field, though its value has parts. */
  readonly isOne?: boolean;
}

function nameOf([first = "", ...rest]: Path, names: FieldNames): string {
  const { label = first, isOne = false } = names[first] ?? {};
  const parts = [...(label === null ? [] : [label]), ...(isOne ? [] : rest.map(visibleText))];
  return parts.join(" › ");
}

/** Each name once. */
export const namesOf = (paths: readonly Path[], names: FieldNames): string =>
  [...new Set(paths.map((path) => nameOf(path, names)))].join(", ");

interface ClashNoteProps {
  readonly clashes: readonly Clash[];
  readonly elsewhere: readonly Path[];
  readonly names: FieldNames;
  readonly onTake: (clashes: readonly Clash[]) => void;
}

export function ClashNote({ clashes, elsewhere, names, onTake }: ClashNoteProps) {
  const { general } = useTexts();
  const place = useFocusOnRefusal<HTMLDivElement>(elsewhere);
  const others = namesOf(elsewhere, names);
  return (
    <div ref={place} role="alert" tabIndex={-1} className="clash-note">
      <p>
        <strong>{general.clash}</strong> {general.clashText}
      </p>
      <ul>
        {clashes.map((clash) => {
          const name = nameOf(clash.path, names);
          return (
            <li key={pathPointer(clash.path)}>
              <span>{general.theirValue(name)}</span>
              <Their value={clash.theirs} values={names[clash.path[0] ?? ""]?.values} />
              <Button onClick={() => onTake([clash])}>{general.takeTheirs(name)}</Button>
            </li>
          );
        })}
      </ul>
      {clashes.length < 2 ? null : <Button onClick={() => onTake(clashes)}>{general.takeAllTheirs}</Button>}
      {others === "" ? null : <p>{general.changedElsewhere(others)}</p>}
    </div>
  );
}

/** What theirs is must be seen, such as the fields of a mapping. */
const THEIR_DEPTH = 5;

interface TheirProps {
  readonly value: unknown;
  readonly values: FieldName["values"];
}

function Their({ value, values }: TheirProps) {
  const { editor } = useTexts();
  if (value === undefined || value === null || value === "") return <em>{editor.clashNothing}</em>;
  if (typeof value === "string")
    return <bdi className="their-text">{ownField(values ?? {}, value) ?? visibleText(value)}</bdi>;
  return <JsonView value={value as JsonValue} openDepth={THEIR_DEPTH} />; // forms show JSON
}
