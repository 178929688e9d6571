/** Counts everything that a store contains, with sums of digests that don't depend on an order. */
import { StepwellError } from "../../errors.ts";
import type { Hash } from "../../ports/hash.ts";
import type { ContentDocument, ContentRow, StoreContents } from "../../ports/store-contents.ts";
import { isDerivedList } from "../keys.ts";
import type { FindBlob } from "./document-blobs.ts";
import { type Fingerprint, MIGRATION_KEY } from "./migration-state.ts";

/** The digests of 2 to the power of 128 items are added up to one of the same length. */
const DIGEST_DIGITS = 32;
/** Halves of surrogate pairs, and NUL. */
const NO_TEXT = /[\p{Cs}\0]/gu;
const MODULUS = 1n << BigInt(4 * DIGEST_DIGITS);

/**
 * @param onItems Called with the number of documents and rows that were read.
 * @throws StepwellError `unavailable` that names what is damaged
 */
export async function fingerprintOf(
  contents: StoreContents,
  hash: Hash,
  findBlob: FindBlob,
  onItems: (count: number) => void,
): Promise<Fingerprint> {
  const digests = {
    documents: createSum(hash),
    rows: createSum(hash),
    owned: createSum(hash),
    listed: createSum(hash),
  };
  const counts = { documents: 0, lists: 0, rows: 0, files: 0, bytes: 0 };
  let list: string | null = null;

  function addDocument(entry: ContentDocument): void {
    const { key, version, document, rows = [] } = entry;
    const found = findBlob(key, document);
    // Where a driver keeps the bytes depends on the driver.
    const whole = found === null ? document : found.replace(layoutOf(found.blob));
    digests.documents.add(JSON.stringify([key, version, whole]));
    counts.documents++;
    if (found !== null) counts.files++;
    counts.bytes += found?.blob.size ?? 0;
    for (const row of rows) {
      digests.rows.add(textOf(row) + row.document);
      digests.owned.add(textOf(row));
    }
  }

  function addRow(row: ContentRow): void {
    counts.rows++;
    if (row.list !== list) counts.lists++;
    list = row.list;
    digests.listed.add(textOf(row));
    if (contents.hasRowsInDocuments && !isDerivedList(row.list)) return;
    digests.rows.add(textOf(row) + (row.document ?? ""));
    digests.owned.add(textOf(row));
  }

  for await (const page of contents.documents(null)) {
    for (const entry of page) if (entry.key !== MIGRATION_KEY) addDocument(entry);
    onItems(page.length);
  }
  for await (const page of contents.rows(null)) {
    for (const row of page) addRow(row);
    onItems(page.length);
  }
  if (digests.owned.value !== digests.listed.value) throw listsDiffer();
  return { ...counts, digest: hash.sha256(`${digests.documents.value} ${digests.rows.value}`) };
}

const layoutOf = ({ id, size, ...rest }: { readonly id: string; readonly size: number; readonly sha256?: string }) =>
  rest.sha256 === undefined ? { id, size } : { id, size, sha256: rest.sha256 };

/** The same for all stores: some replace characters that are no text, and forget that a row has an empty text. */
function textOf({ list, row: { id, order = id, text = "", marks = [] } }: ContentRow): string {
  return JSON.stringify([list, id, order, text.replace(NO_TEXT, "\ufffd"), [...new Set(marks)].sort()]);
}

function createSum(hash: Hash) {
  let sum = 0n;
  return {
    add(text: string): void {
      sum = (sum + BigInt(`0x${hash.sha256(text).slice(0, DIGEST_DIGITS)}`)) % MODULUS;
    },
    get value() {
      return sum;
    },
  };
}

function listsDiffer(): StepwellError {
  const message = "At least one list is damaged: its rows are not those of the documents. Repair the storage first:";
  return new StepwellError("unavailable", `${message} repairStorage(), or \`stepwell doctor --repair\`.`);
}
