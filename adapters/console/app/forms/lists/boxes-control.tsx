/** Several of a few choices: boxes to check. The values keep the order of the choices. */
import { withRow } from "../../../../../src/forms/model/entry.ts";
import type { Choice } from "../../../../../src/forms/model/form-model.ts";
import type { ControlProps } from "../control-props.ts";

export function BoxesControl({
  choices,
  entry,
  change,
  attributes,
}: ControlProps<"list"> & { readonly choices: readonly Choice[] }) {
  const rows = entry.kind === "list" ? entry.rows : [];
  const chosen = new Set(rows.map(({ entry: one }) => (one.kind === "choice" ? one.value : null)));
  const { "aria-invalid": _, ...described } = attributes;

  function toggle(value: Choice["value"], isChosen: boolean): void {
    change((before) => {
      const list = before.kind === "list" ? before : { kind: "list" as const, rows: [] };
      if (!isChosen) {
        return { ...list, rows: list.rows.filter(({ entry: one }) => !(one.kind === "choice" && one.value === value)) };
      }
      const { rows: all } = withRow(list, { kind: "choice", value });
      const position = (value: unknown) => choices.findIndex((one) => one.value === value);
      const order = ({ entry: one }: (typeof all)[number]) => (one.kind === "choice" ? position(one.value) : -1);
      return { ...list, rows: all.toSorted((one, other) => order(one) - order(other)) };
    });
  }

  return (
    <div {...described} role="group" aria-labelledby={`${attributes.id}-label`} className="options">
      {choices.map(({ value, label, desc }) => (
        <label key={`${typeof value} ${value}`} className="option">
          <input type="checkbox" checked={chosen.has(value)} onChange={({ target }) => toggle(value, target.checked)} />
          <span>
            <bdi>{label}</bdi>
            {desc === null ? null : <bdi className="option-desc">{desc}</bdi>}
          </span>
        </label>
      ))}
    </div>
  );
}
