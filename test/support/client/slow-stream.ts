/** A body that ends later. */

/** @param text What it contains before its end. */
export function streamEndingAfter(milliseconds: number, text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      setTimeout(() => {
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      }, milliseconds);
    },
  });
}
