/** A row of the outline: a step, or a way from one. */
import { memo } from "react";
import type { Step } from "../../../../../src/workflows/step.ts";
import { IconButton } from "../../elements/controls/button.tsx";
import { Menu, type MenuItem } from "../../elements/controls/menu.tsx";
import { Icon } from "../../elements/icons.tsx";
import { useTexts } from "../../texts/language.ts";
import type { Messages } from "../../texts/messages.ts";
import { NEXT, type Way, wayBehind } from "../draft/ways.ts";
import type { EditorActions } from "../editor-actions.ts";
import { nameOfWay } from "../panel/step-connections.tsx";
import { addAt, connectFrom, type OpenStep, openRow, removeRow } from "./row-actions.ts";
import type { Row, StepRow, WayRow } from "./rows.ts";

interface OutlineRowProps {
  readonly row: Row;
  /** Undefined for a way. */
  readonly step: Step | undefined;
  /** Number of all steps. */
  readonly count: number;
  /** Null if nothing stands below it. */
  readonly isOpen: boolean | null;
  readonly isFocused: boolean;
  readonly isChosen: boolean;
  readonly problems: number;
  readonly actions: EditorActions | null;
  readonly onEnter: (row: Row) => void;
  readonly onToggle: (id: string) => void;
  readonly onOpen: OpenStep | undefined;
  readonly opensOnClick: boolean;
}

function isSameRow(one: OutlineRowProps, other: OutlineRowProps): boolean {
  return (
    one.step === other.step &&
    one.count === other.count &&
    one.isOpen === other.isOpen &&
    one.isFocused === other.isFocused &&
    one.isChosen === other.isChosen &&
    one.problems === other.problems &&
    one.actions === other.actions &&
    one.opensOnClick === other.opensOnClick &&
    (one.row === other.row || JSON.stringify(shownOf(one.row)) === JSON.stringify(shownOf(other.row)))
  );
}

/** What a row shows of its place. */
function shownOf(row: Row) {
  const { id, level, position, setSize } = row;
  if (row.kind === "step") return { id, level, position, setSize, next: row.node.next, key: row.node.key };
  return { id, level, position, setSize, way: row.node.way, condition: row.node.condition, to: row.node.to };
}

/** Rows that stay the same are not drawn again: a definition may have 2,000. */
export const OutlineRow = memo(RowOfOutline, isSameRow);

function RowOfOutline(props: OutlineRowProps) {
  const { row, step, isOpen, isFocused, isChosen, onEnter, onToggle, onOpen } = props;
  const texts = useTexts();
  return (
    <div
      role="treeitem"
      className={`outline-row ${row.kind}${isFocused ? " focused" : ""}`}
      data-row={row.id}
      data-step={row.kind === "step" ? row.node.key : undefined}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isChosen}
      aria-label={row.kind === "step" ? stepLabel(texts, row, step, props) : wayLabel(texts, row)}
      tabIndex={isFocused ? 0 : -1}
      style={{ paddingInlineStart: `${(row.level - 1) * 1.25 + 0.25}rem` }}
      onFocus={(event) => {
        if (event.target === event.currentTarget) onEnter(row);
      }}
      onClick={(event) => {
        onEnter(row);
        if (!(event.target instanceof Element) || event.target.closest("button") !== null) return;
        event.currentTarget.focus();
        if (props.opensOnClick && row.kind === "step") openRow(row, props.actions, onOpen);
      }}
      onDoubleClick={() => {
        if (row.kind === "step" || row.node.way?.kind === "condition") openRow(row, props.actions, onOpen);
      }}
    >
      <button
        type="button"
        className="outline-toggle"
        tabIndex={-1}
        aria-hidden="true"
        disabled={isOpen === null}
        onClick={() => onToggle(row.id)}
      >
        {isOpen === null ? null : <Icon name={isOpen ? "chevronDown" : "chevronRight"} size={14} />}
      </button>
      {row.kind === "step" ? <StepFace row={row} step={step} problems={props.problems} /> : <WayFace row={row} />}
      {/* Without a pointer that rests on a row, all rows have them. */}
      {props.actions !== null && (isFocused || props.opensOnClick) ? (
        <RowButtons row={row} step={step} actions={props.actions} onOpen={onOpen} isFocused={isFocused} />
      ) : null}
    </div>
  );
}

function StepFace({
  row,
  step,
  problems,
}: {
  readonly row: StepRow;
  readonly step: Step | undefined;
  readonly problems: number;
}) {
  const { canvas, editor: texts } = useTexts();
  const ending = endingOf(texts, row.node, step);
  return (
    <span className="outline-face">
      {step === undefined ? null : <Icon name={step.type} />}
      <bdi className="outline-key">{row.node.key}</bdi>{" "}
      {step === undefined ? null : <span className="outline-facts">{canvas.types[step.type]}</span>}{" "}
      {problems === 0 ? null : (
        <span className="outline-problems">
          <Icon name="error" size={14} /> {texts.problems(problems)}
        </span>
      )}{" "}
      {ending === undefined ? null : <span className="outline-facts">{ending}</span>}
    </span>
  );
}

function WayFace({ row }: { readonly row: WayRow }) {
  const { editor: texts } = useTexts();
  const { condition, to } = row.node;
  return (
    <span className="outline-face">
      <bdi className="outline-way">{wayName(texts, row)}</bdi>{" "}
      {condition === undefined ? null : <code className="outline-condition">{condition}</code>}{" "}
      {row.elsewhere.length === 0 ? null : (
        <span className="outline-facts">{texts.continuesAt(row.elsewhere.join(", "))}</span>
      )}{" "}
      {to.length === 0 ? <span className="outline-facts">{texts.leadsNowhere}</span> : null}
    </span>
  );
}

function wayName(texts: Messages["editor"], { node: { way } }: WayRow): string {
  if (way === null) return texts.ways.connected;
  return way.kind === "next" ? texts.ways.parallel : nameOfWay(texts, way);
}

/** What a row shows comes first in its name, as it stands there (WCAG 2.5.3). */
function wayLabel({ editor: texts }: Messages, row: WayRow): string {
  const { condition, to } = row.node;
  const shown = [
    wayName(texts, row),
    condition,
    row.elsewhere.length === 0 ? undefined : texts.continuesAt(row.elsewhere.join(", ")),
    to.length === 0 ? texts.leadsNowhere : undefined,
  ];
  const leads = to.length === row.elsewhere.length ? [] : [texts.leadsTo(to.join(", "))];
  return [shown.filter((one) => one !== undefined).join(" "), ...leads].join(", ");
}

function stepLabel(
  { editor: texts, canvas }: Messages,
  { node }: StepRow,
  step: Step | undefined,
  { count, problems }: OutlineRowProps,
): string {
  const led = node.ways.flatMap(({ way, to }) => to.map((key) => targetOf(canvas, way, key)));
  const to = [...new Set([...node.next, ...led])];
  const shown = [
    node.key,
    step === undefined ? undefined : canvas.types[step.type],
    problems === 0 ? undefined : texts.problems(problems),
    endingOf(texts, node, step),
  ];
  return [
    shown.filter((one) => one !== undefined).join(" "),
    texts.position(node.index + 1, count),
    ...(to.length === 0 ? [] : [texts.leadsTo(to.join(", "))]),
  ].join(", ");
}

/** Where a way leads, with what it depends on, as the canvas says it. */
function targetOf(texts: Messages["canvas"], way: Way | null, key: string): string {
  if (way === null || way.kind === "next") return key;
  return `${key} (${way.kind === "condition" ? way.name : way.kind === "else" ? texts.else : texts.onError})`;
}

/** undefined for a step after which a run goes on. */
function endingOf(texts: Messages["editor"], { next, ways }: StepRow["node"], step: Step | undefined) {
  if (next.length > 0 || step?.type === "note" || ways.some(({ way }) => way?.kind !== "catch")) return undefined;
  return ways.length === 0 ? texts.leadsNowhere : texts.endsUnlessFailing;
}

function RowButtons({
  row,
  step,
  actions,
  onOpen,
  isFocused,
}: {
  readonly row: Row;
  readonly step: Step | undefined;
  readonly actions: EditorActions;
  readonly onOpen: OpenStep | undefined;
  readonly isFocused: boolean;
}) {
  const { editor: texts } = useTexts();
  const items = row.kind === "step" ? stepItems(texts, row, actions, onOpen) : wayItems(texts, row, actions, onOpen);
  const name = row.kind === "step" ? row.node.key : wayName(texts, row);
  const tabIndex = isFocused ? 0 : -1;
  return (
    <span className="outline-buttons">
      <IconButton
        icon="plus"
        tabIndex={tabIndex}
        label={row.kind === "step" ? addName(texts, row, step) : `${texts.addHere}: ${name}`}
        onClick={() => addAt(row, actions)}
      />
      <Menu isInRow label={texts.actionsOf(name)} items={items} tabIndex={tabIndex} />
    </span>
  );
}

/** With the way, where a step has several. */
function addName(texts: Messages["editor"], { node }: StepRow, step: Step | undefined): string {
  const way = step === undefined || node.next.length > 0 ? NEXT : wayBehind(step);
  return way.kind === "next" ? texts.addBehind : `${texts.addBehind}: ${nameOfWay(texts, way)}`;
}

function wayItems(
  texts: Messages["editor"],
  row: WayRow,
  actions: EditorActions,
  onOpen: OpenStep | undefined,
): MenuItem[] {
  const { way, to } = row.node;
  const edit: MenuItem = { label: texts.openStep, icon: "edit", onChoose: () => openRow(row, actions, onOpen) };
  const connect: MenuItem = { label: texts.connect, icon: "connect", onChoose: () => connectFrom(row, actions) };
  const first = way?.kind === "condition" ? [edit, connect] : [connect];
  if (to.length === 0 || way === null) return first;
  return [...first, { label: texts.disconnect, icon: "cross", onChoose: () => void removeRow(row, actions) }];
}

function stepItems(
  texts: Messages["editor"],
  row: StepRow,
  actions: EditorActions,
  onOpen: OpenStep | undefined,
): MenuItem[] {
  const { key } = row.node;
  return [
    { label: texts.openStep, icon: "edit", onChoose: () => onOpen?.(key) },
    { label: texts.connect, icon: "connect", onChoose: () => connectFrom(row, actions) },
    { label: texts.moveUp, icon: "arrowUp", onChoose: () => actions.moveInOrder(key, "up") },
    { label: texts.moveDown, icon: "arrowDown", onChoose: () => actions.moveInOrder(key, "down") },
    { label: texts.rename, icon: "edit", onChoose: () => actions.ask({ kind: "rename", step: key }) },
    { label: texts.duplicate, icon: "copy", onChoose: () => actions.duplicate(key) },
    { label: texts.removeStep, icon: "trash", isDangerous: true, onChoose: () => actions.remove([key]) },
  ];
}
