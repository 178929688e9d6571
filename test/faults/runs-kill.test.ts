/** kill -9 in the midst of runs: some of the moments that `npm run crash-matrix` goes through all of. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Death } from "./crash-matrix/life.ts";
import { type Matrix, openMatrix } from "./crash-matrix/matrix.ts";

let matrix: Matrix;
beforeAll(async () => {
  matrix = await openMatrix();
});
afterAll(() => matrix.close());

describe("runs whose process is killed end as they would have ended, and nothing that was stored is done again", () => {
  it.each<[string, readonly Death[]]>([
    ["after a write at the beginning", [{ write: 2, when: "after" }]],
    ["after a write in the middle", [{ write: 9, when: "after" }]],
    ["after a write when some have ended", [{ write: 16, when: "after" }]],
    ["during a write", [{ write: 6, when: "during" }]],
    [
      "after a write, and again when the next has taken them up",
      [
        { write: 5, when: "after" },
        { write: 2, when: "after" },
      ],
    ],
  ])("%s", async (_, deaths) => {
    expect(await matrix.survive(matrix.graphs, deaths)).toMatchObject({ kills: deaths.length });
  });

  it("at a moment, and at another", async () => {
    const { took } = await matrix.survive(matrix.graphs, []);
    const { kills } = await matrix.survive(matrix.graphs, [{ after: took * 0.4 }, { after: took * 0.2 }]);
    expect(kills).toBeGreaterThan(0);
  });
});
