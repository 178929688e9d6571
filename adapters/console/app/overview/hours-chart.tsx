/** The runs of the last 24 hours, by the hour: bars, and a table with the same numbers for screen readers. */
import type { Summary } from "../../../../src/summary/summary.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { Panel } from "./panel.tsx";

const WIDTH = 480;
const HEIGHT = 96;
const GAP = 4;

export function HoursChart({ summary: { hours, last_24_hours } }: { readonly summary: Summary }) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const { succeeded, failed } = last_24_hours;
  const ended = succeeded + failed;
  const times = hours.map(({ from }) => format.hour(from));
  return (
    <Panel title={texts.runsOfDay} more={null}>
      {ended === 0 ? <p className="nothing">{texts.noRuns}</p> : <Bars hours={hours} times={times} />}
      {ended === 0 ? null : (
        <p className="rate">
          {texts.successRate(format.percent(succeeded / ended))}
          <span className="key succeeded">
            {texts.succeeded} {format.number(succeeded)}
          </span>
          <span className="key failed">
            {texts.failed} {format.number(failed)}
          </span>
        </p>
      )}
      {/* Hours without runs are silence to the eye, so they are not read out. A table itself would have the width of its words. */}
      <div className="visually-hidden">
        <table>
          <caption>{texts.hours}</caption>
          <thead>
            <tr>
              {[texts.hour, texts.succeeded, texts.failed, texts.canceled].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map(({ from, succeeded, failed, canceled }, index) =>
              succeeded + failed + canceled === 0 ? null : (
                <tr key={from}>
                  <th scope="row">{times[index]}</th>
                  <td>{succeeded}</td>
                  <td>{failed}</td>
                  <td>{canceled}</td>
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
  readonly hours: Summary["hours"];
  readonly times: readonly string[];
}

function Bars({ hours, times }: BarsProps) {
  const { overview: texts } = useTexts();
  const most = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed));
  const width = WIDTH / Math.max(1, hours.length);
  /** A bar of one run can be seen beside one of thousands. */
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(3, (count / most) * HEIGHT));
  return (
    <>
      <svg className="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {hours.map(({ from, succeeded, failed }, index) => {
          const [good, bad] = [heightOf(succeeded), heightOf(failed)];
          // Both minimal heights together may be more than there is room for.
          const scale = Math.min(1, HEIGHT / Math.max(1, good + bad));
          const place = { x: index * width, width: width - GAP };
          return (
            <g key={from}>
              <title>{texts.hourOf(times[index] ?? "", succeeded, failed)}</title>
              <rect className="room" {...place} y={0} height={HEIGHT} />
              <rect className="succeeded" {...place} y={HEIGHT - good * scale} height={good * scale} />
              <rect className="failed" {...place} y={HEIGHT - (good + bad) * scale} height={bad * scale} />
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
