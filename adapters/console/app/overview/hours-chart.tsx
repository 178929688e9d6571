/** The runs of the last 24 hours, by the hour: bars, and a table with the same numbers for screen readers. */
import type { Summary } from "../../../../src/summary/summary.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { Panel } from "./panel.tsx";

/** From the bottom of a bar to its top. Open runs are counted elsewhere. */
const OUTCOMES = ["succeeded", "failed", "canceled"] as const;

type Hour = Summary["hours"][number];
const endedIn = (hour: Omit<Hour, "from">) => OUTCOMES.reduce((sum, outcome) => sum + hour[outcome], 0);

const WIDTH = 480;
const HEIGHT = 96;
const GAP = 4;

export function HoursChart({ summary: { hours, last_24_hours } }: { readonly summary: Summary }) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const ended = endedIn(last_24_hours);
  const times = hours.map(({ from }) => format.hour(from));
  return (
    <Panel title={texts.runsOfDay} more={null}>
      {ended === 0 ? <p className="nothing">{texts.noRuns}</p> : <Bars hours={hours} times={times} />}
      {ended === 0 ? null : (
        <p className="rate">
          {texts.successRate(format.percent(last_24_hours.succeeded / ended))}
          {OUTCOMES.map((outcome) => (
            <span key={outcome} className={`key ${outcome}`}>
              {texts[outcome]} {format.number(last_24_hours[outcome])}
            </span>
          ))}
        </p>
      )}
      {/* Hours without runs are silence to the eye, so they are not read out. A table itself would have the width of its words. */}
      <div className="visually-hidden">
        <table>
          <caption>{texts.hours}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.hour}</th>
              {OUTCOMES.map((outcome) => (
                <th key={outcome} scope="col">
                  {texts[outcome]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map((hour, index) =>
              endedIn(hour) === 0 ? null : (
                <tr key={hour.from}>
                  <th scope="row">{times[index]}</th>
                  {OUTCOMES.map((outcome) => (
                    <td key={outcome}>{hour[outcome]}</td>
                  ))}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

interface BarsProps {
  readonly hours: readonly Hour[];
  readonly times: readonly string[];
}

function Bars({ hours, times }: BarsProps) {
  const { overview: texts } = useTexts();
  const most = Math.max(1, ...hours.map(endedIn));
  const width = WIDTH / Math.max(1, hours.length);
  /** A bar of one run can be seen beside one of thousands. */
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(3, (count / most) * HEIGHT));
  return (
    <>
      <svg className="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {hours.map((hour, index) => {
          const { from, succeeded, failed, canceled } = hour;
          const heights = OUTCOMES.map((outcome) => heightOf(hour[outcome]));
          const tops = heights.map((_, part) => heights.slice(0, part + 1).reduce((sum, height) => sum + height));
          // The minimal heights together may be more than there is room for.
          const scale = Math.min(1, HEIGHT / Math.max(1, ...tops));
          const place = { x: index * width, width: width - GAP };
          return (
            <g key={from}>
              <title>{texts.hourOf(times[index] ?? "", succeeded, failed, canceled)}</title>
              <rect className="room" {...place} y={0} height={HEIGHT} />
              {OUTCOMES.map((outcome, part) => (
                <rect
                  key={outcome}
                  className={outcome}
                  {...place}
                  y={HEIGHT - (tops[part] ?? 0) * scale}
                  height={(heights[part] ?? 0) * scale}
                />
              ))}
            </g>
          );
        })}
      </svg>
      <p className="axis" dir="ltr" aria-hidden="true">
        {[0, 6, 12, 18, hours.length - 1].map((index) => (
          <bdi key={index}>{times[index]}</bdi>
        ))}
      </p>
    </>
  );
}
