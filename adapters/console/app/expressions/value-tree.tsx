/** What a step sees, as a tree: names, types, and the values of the chosen run. */
import { useState } from "react";
import { CopyButton } from "../elements/controls/copy-button.tsx";
import { Icon } from "../elements/icons.tsx";
import { useTexts } from "../texts/language.ts";
import { fieldsOf, isList, itemOf, type KnownField, pathText, shortText, typeOf } from "./known-value.ts";
import { onTreeKey } from "./value-keys.ts";
import "./expressions.css";

interface ValueTreeProps {
  readonly fields: readonly KnownField[];
  /** Called with the expression of a value. Without it, the expression can be copied. */
  readonly onPick?: (path: string) => void;
}

export function ValueTree({ fields, onPick }: ValueTreeProps) {
  return (
    <ul className="value-tree" onKeyDown={onTreeKey}>
      {fields.map((field) => (
        <Branch key={field.name} field={field} path={field.name} depth={0} onPick={onPick} />
      ))}
    </ul>
  );
}

interface BranchProps {
  readonly field: KnownField;
  readonly path: string;
  readonly depth: number;
  readonly onPick: ((path: string) => void) | undefined;
}

/** Variables whose fields are shown at once. */
const OPEN: ReadonlySet<string> = new Set(["input", "steps"]);

function Branch({ field, path, depth, onPick }: BranchProps) {
  const [isOpen, setOpen] = useState(depth === 0 && OPEN.has(field.name));
  const hasFields =
    field.value === undefined || typeof field.value === "object" ? shownFields(field).length > 0 : false;
  const line = <Line field={field} path={path} onPick={onPick} />;
  if (!hasFields)
    return (
      <li className="leaf">
        <div className="value-row">{line}</div>
      </li>
    );
  return (
    <li>
      {/* No <details>: what is named here must be seen while it is closed, and a <summary> contains no buttons. */}
      <div className="value-row">
        <button
          type="button"
          className="value-toggle"
          aria-expanded={isOpen}
          aria-label={field.name}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? "chevronDown" : "chevronRight"} size={14} />
        </button>
        {line}
      </div>
      {isOpen ? (
        <ul>
          {shownFields(field).map((one) => (
            <Branch
              key={one.name}
              field={one}
              path={pathText(path, one.name, isList(field))}
              depth={depth + 1}
              onPick={onPick}
            />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

/** Of a list that was not seen, the first item stands for all. */
function shownFields(field: KnownField): readonly KnownField[] {
  const { schema, value } = itemOf(field);
  if (field.value === undefined && isList(field) && Object.keys(schema).length > 0)
    return [{ name: "0", schema, value }];
  return fieldsOf(field);
}

interface LineProps {
  readonly field: KnownField;
  readonly path: string;
  readonly onPick: ((path: string) => void) | undefined;
}

function Line({ field, path, onPick }: LineProps) {
  const { expressions: texts } = useTexts();
  const { value } = field;
  const type = typeOf(field) ?? texts.anything;
  const shown = value === undefined || (typeof value === "object" && value !== null) ? type : shortText(value, 80);
  return (
    <span className="value-line">
      {onPick === undefined ? (
        <>
          <code>{field.name}</code> <CopyButton text={path} label={texts.copyPath(path)} />
        </>
      ) : (
        <button
          type="button"
          className="link-button"
          aria-label={texts.insert(path)}
          title={path}
          onClick={() => onPick(path)}
        >
          <code>{field.name}</code>
        </button>
      )}
      <span className="value-shown">{shown}</span>
    </span>
  );
}
