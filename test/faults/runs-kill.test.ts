/** kill -9 during runs, at a sample of the moments that `npm run crash-matrix` covers completely. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sample } from "../support/sample.ts";
import { openArrivals } from "./crash-matrix/arrivals.ts";
import { openCollecting } from "./crash-matrix/collecting.ts";
import type { Death } from "./crash-matrix/life.ts";
import { type Matrix, openMatrix } from "./crash-matrix/matrix.ts";

const MOMENTS: readonly (readonly [name: string, deaths: readonly Death[]])[] = [
  ["after a write in the middle", [{ write: 9, when: "after" }]],
  ["during a write", [{ write: 6, when: "during" }]],
  [
    "after a write, and again in the next process",
    [
      { write: 5, when: "after" },
      { write: 2, when: "after" },
    ],
  ],
];
const GRAPHS = [
  ["a model and its tools", 9],
  ["web pages in a loop", 4],
  ["records with a rule", 24],
  ["creating and deleting files", 8],
] as const;

let matrix: Matrix;
beforeAll(async () => {
  matrix = await openMatrix();
});
afterAll(() => matrix.close());

describe("runs whose process is killed", () => {
  // Both kinds of writes, and a second kill; the moments below are not those of writes.
  const moments = sample(MOMENTS, ["during a write", "after a write, and again in the next process"]);
  it.each(moments)("end with the same results and repeat no stored step: killed %s", async (_, deaths) => {
    expect(await matrix.survive(matrix.graphs, deaths)).toMatchObject({ kills: deaths.length });
  });

  // The moments above kill all workflows, at fewer of the writes of each.
  it.each(sample(GRAPHS, []))(
    "end with the same results and repeat no stored step: %s, killed after write %i",
    async (graph, write) => {
      expect(await matrix.survive([graph], [{ write, when: "after" }])).toMatchObject({ kills: 1 });
    },
  );

  it("end with the same results and repeat no stored step: killed at two moments", async () => {
    const { took } = await matrix.reference(matrix.graphs);
    // On a machine with other work, the reference may take longer than the process that is to be killed.
    let kills = 0;
    for (let unit = took / 5; kills === 0; unit /= 2) {
      ({ kills } = await matrix.survive(matrix.graphs, [{ after: 2 * unit }, { after: unit }]));
    }
    expect(kills).toBeGreaterThan(0);
  });
});

it("each webhook delivery and due schedule starts one run when the process is killed twice meanwhile", async () => {
  const arrivals = await openArrivals();
  const deaths: readonly Death[] = [
    { write: 5, when: "after" },
    { write: 30, when: "during" },
  ];
  expect(await arrivals.survive(deaths)).toMatchObject({ kills: 2 });
  await arrivals.close();
});

it("each event of a trigger is one record, indexed, in the history and announced, when the process is killed twice meanwhile", async () => {
  const collecting = await openCollecting();
  const deaths: readonly Death[] = [
    { write: 12, when: "after" },
    { write: 20, when: "during" },
  ];
  expect(await collecting.survive(deaths)).toMatchObject({ kills: 2 });
  await collecting.close();
});
