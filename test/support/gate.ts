/** A promise and the function that resolves it: something waits until a test lets it go on. */
export interface Gate {
  readonly released: Promise<void>;
  release(): void;
}

export function createGate(): Gate {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release: () => release() };
}
