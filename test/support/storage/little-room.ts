/** A driver on a disk that has room for so many more bytes: what no longer fits fails as Node says it, half written. */
import type { ExtendedDriver } from "../../../src/ports/driver.ts";

export interface Disk {
  /** Bytes that still fit. */
  room: number;
}

export function onDisk(driver: ExtendedDriver, disk: Disk): ExtendedDriver {
  const { setItem, setItemRaw, openItem } = driver;

  /** Writes what fits of a piece. */
  async function write<Piece extends string | Uint8Array>(piece: Piece, act: (part: Piece) => unknown): Promise<void> {
    const fits = piece.length <= disk.room;
    const part = fits ? piece : (piece.slice(0, disk.room) as Piece); // a part of either is one of it
    disk.room -= part.length;
    if (fits || part.length > 0) await act(part);
    if (!fits) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  }

  return {
    ...driver,
    ...(setItem && {
      // As our own driver does it: what is replaced stays until the new one is whole.
      setItem: (key, text, options) => write(text, async (part) => part === text && setItem(key, text, options)),
    }),
    ...(setItemRaw && {
      setItemRaw: (key, bytes: Uint8Array, options) => write(bytes, (part) => setItemRaw(key, part, options)),
    }),
    ...(openItem && {
      async openItem(key, from) {
        const item = await openItem(key, from);
        return { ...item, write: (piece) => write<string | Uint8Array>(piece, (part) => item.write(part)) };
      },
    }),
  };
}
