/**
 * Large results as bytes, which threads hand over without a copy. A copied text would be new memory of the event loop's
 * thread, all in one turn.
 */
import { type Parcel, type Part, partText } from "../parcel.ts";

const encoder = new TextEncoder();

/** @param buffers Filled with what to transfer. */
export function inBytes(parcel: Parcel, buffers: ArrayBuffer[]): Parcel {
  const bytes = (part: Part) => {
    const encoded = encoder.encode(partText(part));
    buffers.push(encoded.buffer);
    return encoded;
  };
  if (typeof parcel === "string") return parcel;
  if ("texts" in parcel) return { texts: parcel.texts.map(bytes) };
  if ("items" in parcel) {
    return {
      items: parcel.items.map((part) =>
        "run" in part ? { run: bytes(part.run) } : { item: inBytes(part.item, buffers) },
      ),
    };
  }
  return {
    fields: parcel.fields.map((part) =>
      "run" in part ? { run: bytes(part.run) } : { key: part.key, item: inBytes(part.item, buffers) },
    ),
  };
}
