/** How large the output of a step may be: what it has as JSON counts, and nothing else. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/index.ts";
import { approximateJsonSize } from "../../src/json.ts";
import { openService, scripted } from "../support/engine/service.ts";

const MEBI = 1024 * 1024;
/** Lists of so many ones have a character more than twice as many. */
const MOST_ONES = 5 * MEBI - 1;

const service = await openService({
  sandbox: scripted({
    ones: (_, count) => Array.from({ length: Number(count) }, () => 1),
    text: (_, length) => "x".repeat(Number(length)),
  }),
});
afterAll(() => service.stepwell.close());

describe("the output of a step", () => {
  it.each([`ones ${1_200_000}`, `ones ${MOST_ONES}`, `text ${10 * MEBI - 2}`])("may be %s", async (code) => {
    expect(await service.run([{ type: "code", key: "code", code }])).toMatchObject({ status: "succeeded" });
  });

  it.each([`ones ${MOST_ONES + 1}`, `text ${10 * MEBI - 1}`])("may not be %s", async (code) => {
    const { error } = await service.run([{ type: "code", key: "code", code }]);
    const message = "The output of the step exceeds 10 Mi characters of JSON.";
    expect(error).toEqual({ code: "output_limit", message, step: "code" });
  });
});

describe("the weight of a value", () => {
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

  it("is its length as JSON, where nothing is escaped", () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(approximateJsonSize(one, Number.POSITIVE_INFINITY)).toBe(JSON.stringify(one).length);
      }),
    );
  });

  it("is over a limit only where its JSON is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 100 }), (one, limit) => {
        if (approximateJsonSize(one as JsonValue, limit) > limit)
          expect(JSON.stringify(one).length).toBeGreaterThan(limit);
      }),
    );
  });
});
