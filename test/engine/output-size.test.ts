/** The limit on the output of a step counts its length as JSON. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/index.ts";
import { approximateJsonSize } from "../../src/json.ts";
import { openService, scripted } from "../support/engine/service.ts";

const MEBI = 1024 * 1024;
/** The JSON of an array of N ones has 2 N + 1 characters. */
const MOST_ONES = 5 * MEBI - 1;

const service = await openService({
  sandbox: scripted({
    ones: (_, count) => Array.from({ length: Number(count) }, () => 1),
    text: (_, length) => "x".repeat(Number(length)),
  }),
});
afterAll(() => service.stepwell.close());

describe("the output of a step", () => {
  it.each([`ones ${1_200_000}`, `ones ${MOST_ONES}`, `text ${10 * MEBI - 2}`])(
    "may be as large as %s",
    async (code) => {
      expect(await service.run([{ type: "code", key: "code", code }])).toMatchObject({ status: "succeeded" });
    },
  );

  it.each([`ones ${MOST_ONES + 1}`, `text ${10 * MEBI - 1}`])(
    "fails with output_limit when it is as large as %s",
    async (code) => {
      const { error } = await service.run([{ type: "code", key: "code", code }]);
      const message = "The output of the step exceeds 10,485,760 characters of JSON.";
      expect(error).toEqual({ code: "output_limit", message, step: "code" });
    },
  );
});

describe("approximateJsonSize", () => {
  const plain = fc.stringMatching(/^[ !#-[\]-~]*$/);
  const depthSize = "small";
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize, withCrossShrink: true },
      fc.oneof(
        plain,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie("value")),
      fc.dictionary(
        plain.filter((key) => key !== "__proto__"),
        tie("value"),
      ),
    ),
  }));

  it("returns the length of the JSON if nothing is escaped", () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(approximateJsonSize(one, Number.POSITIVE_INFINITY)).toBe(JSON.stringify(one).length);
      }),
    );
  });

  it("exceeds a limit only if the JSON does", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 100 }), (one, limit) => {
        if (approximateJsonSize(one as JsonValue, limit) > limit)
          expect(JSON.stringify(one).length).toBeGreaterThan(limit);
      }),
    );
  });
});
