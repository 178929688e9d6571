/** The items of a list that a step runs for: one strip below its bar, failed ones marked by colour and height. */
import type { ItemCounts, RunStep } from "../../../../../src/runs/run-step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { useTexts } from "../../texts/language.ts";
import type { ShownRun } from "../run-context.ts";
import { useShownRun } from "../run-context.ts";
import { percent } from "./axis-head.tsx";
import type { Bar } from "./bars.ts";
import type { TimeAxis } from "./time-axis.ts";

/** Cells of the strip. With more items, a cell stands for several. */
const MAX_CELLS = 300;

interface ItemStripProps {
  readonly step: RunStep;
  readonly items: ItemCounts;
  /** Those of the step. The strip is as long as they are. */
  readonly bars: readonly Bar[];
  readonly axis: TimeAxis;
  readonly onChoose: ShownRun["choose"];
}

export function ItemStrip({ step, items, bars, axis, onChoose }: ItemStripProps) {
  const { run: texts } = useTexts();
  const { chosen, at } = useShownRun();
  const failed = (step.errors ?? []).map(({ index }) => index);
  const cells = Math.max(1, Math.min(MAX_CELLS, items.total));
  const perCell = Math.max(1, items.total / cells);
  const cellOf = (index: number) => Math.floor(index / perCell);
  const ended = items.succeeded + items.failed;
  const failedCells = new Set(failed.map(cellOf));
  const here = chosen === step.key ? at : null;
  const next = failed.find((index) => index > (here ?? -1)) ?? failed[0];
  const start = axis.placeOf(bars[0]?.from ?? 0);
  const width = axis.placeOf(bars.at(-1)?.to ?? 0) - start;
  const counts =
    items.failed > 0 || ended === items.total
      ? texts.items(items.failed, items.total)
      : texts.itemsDone(ended, items.total);
  return (
    <div className="item-strip">
      <button type="button" className="link-button" onClick={() => onChoose(step.key, null, "items")}>
        {counts}
      </button>
      <span className="axis">
        <svg
          style={{ left: percent(start), width: percent(width) }}
          viewBox={`0 0 ${cells} 10`}
          preserveAspectRatio="none"
          role="img"
          aria-label={counts}
        >
          <path className="open" d={cellPath(range(cells), 4, 2)} />
          <path
            className="succeeded"
            d={cellPath(
              range(Math.min(cells, Math.ceil(ended / perCell))).filter((cell) => !failedCells.has(cell)),
              6,
              2,
            )}
          />
          <path className="failed" d={cellPath([...failedCells], 10, 0, Math.max(0.8, cells / 100))} />
          {here === null ? null : (
            <path className="here" d={cellPath([cellOf(here)], 1.5, 8.5, Math.max(0.8, cells / 50))} />
          )}
        </svg>
      </span>
      {next === undefined ? null : (
        <Button kind="quiet" icon="chevronRight" onClick={() => onChoose(step.key, next, "error")}>
          {texts.nextFailure}
        </Button>
      )}
    </div>
  );
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const cellPath = (cells: readonly number[], height: number, top: number, width = 0.8): string =>
  cells.map((cell) => `M${cell + 0.5 - width / 2} ${top}h${width}v${height}h${-width}z`).join("");
