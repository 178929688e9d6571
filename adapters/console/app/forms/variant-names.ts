/** What the variants of a value are called. Pure. */
import type { Variant } from "../../../../src/forms/model/form-model.ts";
import type { Messages } from "../texts/messages.ts";

/** Variants without a name are called by what they are, and numbered where that is not enough. */
export function variantNames(variants: readonly Variant[], kinds: Messages["forms"]["kinds"]): readonly string[] {
  const names = variants.map(({ label, shape }) => {
    if (label !== null) return label;
    return shape.kind === "constant" && shape.value !== null ? JSON.stringify(shape.value) : kinds[shape.kind];
  });
  return names.map((name, position) => {
    const isShared = names.some((other, at) => other === name && at !== position);
    return isShared ? `${name} ${names.slice(0, position + 1).filter((other) => other === name).length}` : name;
  });
}
