/** A driver on a disk with limited space: a write that no longer fits is cut and fails with Node's ENOSPC error. */
import type { ExtendedDriver } from "../../../src/ports/driver.ts";

export interface Disk {
  /** Free bytes. */
  freeBytes: number;
}

export function withDiskLimit(driver: ExtendedDriver, disk: Disk): ExtendedDriver {
  const { setItem, setItemRaw, openItem } = driver;

  /** Writes the beginning of data that fits, and throws if that is not all. */
  async function write<Data extends string | Uint8Array>(data: Data, act: (part: Data) => unknown): Promise<void> {
    const fits = data.length <= disk.freeBytes;
    const part = fits ? data : (data.slice(0, disk.freeBytes) as Data); // slice keeps the type
    disk.freeBytes -= part.length;
    if (fits || part.length > 0) await act(part);
    if (!fits) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  }

  return {
    ...driver,
    ...(setItem && {
      // As in Stepwell's fs driver: the replaced item stays until the new one is complete.
      setItem: (key, text, options) => write(text, async (part) => part === text && setItem(key, text, options)),
    }),
    ...(setItemRaw && {
      setItemRaw: (key, bytes: Uint8Array, options) => write(bytes, (part) => setItemRaw(key, part, options)),
    }),
    ...(openItem && {
      async openItem(key, from) {
        const item = await openItem(key, from);
        return { ...item, write: (data) => write<string | Uint8Array>(data, (part) => item.write(part)) };
      },
    }),
  };
}
