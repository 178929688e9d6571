/**
 * Uses the extractor where there is no vitest, from the module named by the first argument, and prints what came of it
 * as one JSON object. Leaves the extractor open: the process has to end by itself.
 */
import { readFile } from "node:fs/promises";
import mime from "mime";

const { createExtractor } = await import(process.argv[2]);
const folder = new URL("../files/documents/", import.meta.url);
const patient = createExtractor();
const hasty = createExtractor({ timeoutMs: 100 });

function extract(extractor, document) {
  return extractor.extract(document, { text: true, images: true }).then(
    ({ text, images }) => `${text.match(/café|contract|Ann\b|Quarterly|$/)[0]} ${images.length}`,
    (error) => error.code ?? error.name,
  );
}

async function open(name) {
  return { name, mime_type: mime.getType(name), bytes: await readFile(new URL(name, folder)) };
}

const names = ["report.pdf", "story.pdf", "contract.docx", "orders.xlsx", "results.pptx", "story.odt", "encrypted.pdf"];
const kids = Array.from({ length: 500_000 }, () => "3 0 R").join(" ");
const endless = `%PDF-1.7
1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj
2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count 500000 >>\nendobj
3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj
trailer\n<< /Root 1 0 R >>\n`;
const bytes = new TextEncoder().encode(endless);
const results = {};
for (const name of names) results[name] = await extract(patient, await open(name));
results.endless = await extract(hasty, { name: "endless", mime_type: "application/pdf", bytes });
console.log(JSON.stringify(results));
