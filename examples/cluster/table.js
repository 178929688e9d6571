// What is shown: a table that is redrawn in place on a terminal, and single lines anywhere else.
const REDRAW_MS = 250;
const LINE_MS = 5_000;
const EVENTS_SHOWN = 10;
/** The columns after these are numbers. */
const TEXT_COLUMNS = 3;

/** @param read Returns `{ title, rows, totals }`: rows of texts, of which the first one is the head, and a line. */
export function startTable(read) {
  const { stdout } = process;
  const since = performance.now();
  const events = [];
  let drawnLines = 0;
  let isStopped = false;

  const time = () => {
    const seconds = Math.floor((performance.now() - since) / 1_000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };

  function draw() {
    const { title, rows, totals } = read();
    const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
    const pad = (text, column) => (column < TEXT_COLUMNS ? text.padEnd(widths[column]) : text.padStart(widths[column]));
    const table = rows.map((row) => row.map(pad).join("  "));
    const lines = [`${title}   ${time()}`, "", ...table, "", totals, "", ...events.slice(-EVENTS_SHOWN)];
    // A line that wraps would be two.
    const cut = lines.slice(0, stdout.rows - 1).map((line) => `${line.slice(0, stdout.columns - 1)}\n`);
    stdout.write(`${drawnLines === 0 ? "" : `\x1b[${drawnLines}A\x1b[J`}${cut.join("")}`);
    drawnLines = cut.length;
  }

  const print = () => stdout.write(`${time().padStart(5)}  ${read().totals}\n`);
  const show = stdout.isTTY ? draw : print;
  const timer = setInterval(show, stdout.isTTY ? REDRAW_MS : LINE_MS);
  if (!stdout.isTTY) stdout.write(`${read().title}\n`);

  return {
    event(text) {
      const line = `${time().padStart(5)}  ${text}`;
      events.push(line);
      if (!stdout.isTTY) stdout.write(`${line}\n`);
    },
    stop() {
      clearInterval(timer);
      if (!isStopped) show();
      isStopped = true;
    },
  };
}
