/** Creates the slices for files, and for the uploads that create them. */
import type { Cluster } from "../cluster/cluster.ts";
import { createStoreFile } from "../files/create-file.ts";
import { createExtractContents } from "../files/extract-contents.ts";
import { fetchRemoteFile } from "../files/fetch-remote-file.ts";
import type { File } from "../files/file.ts";
import { createFileLinks } from "../files/file-links.ts";
import { createFiles } from "../files/files.ts";
import { createOrphanBlobs } from "../files/orphan-blobs.ts";
import { createBlobStorer } from "../files/store-blob.ts";
import type { LoadedAdapters } from "../options/default-adapters.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import { createPartialUploads } from "../uploads/resumable/partial-uploads.ts";
import { createResumableUploads } from "../uploads/resumable/resumable-uploads.ts";
import type { OtherReceivers } from "../uploads/resumable/upload-turns.ts";
import { createUploadUrls } from "../uploads/upload-urls.ts";
import { createUploads, type UploadSender } from "../uploads/uploads.ts";

import type { Base } from "./storage.ts";

export interface FileParts {
  /** @throws StepwellError `not_found` */
  getApp(appId: string): Promise<UploadSender>;
  /** Called when an upload URL has received its file. */
  onFileReceived(file: File): void;
  readonly fetch: GuardedFetch;
  readonly extractor: LoadedAdapters["extractor"];
}

export function createFileSlices(base: Base, parts: FileParts) {
  const { getApp, onFileReceived, fetch, extractor } = parts;
  const { fileBytes } = base.limits;
  const orphanBlobs = createOrphanBlobs({ ...base, isShared: base.cluster !== undefined });
  const files = createFiles({ ...base, orphanBlobs });
  const uploadUrls = createUploadUrls({ ...base, getApp, onFileReceived });
  const partialUploads = createPartialUploads({ ...base, orphanBlobs, receivers: receiversOf(base.cluster) });
  const { storeBlob, close: closeBlobs } = createBlobStorer({ ...base, orphanBlobs });
  const storeFile = createStoreFile({ ...base, storeBlob });

  return {
    files,
    fileLinks: createFileLinks({ ...base, files, getApp }),
    uploads: createUploads({ ...base, getApp, uploadUrls, partialUploads, storeBlob, fetch, fileBytes }),
    resumable: createResumableUploads({ ...base, uploadUrls, partialUploads }),
    partialUploads,
    orphanBlobs,
    storeBlob,
    closeBlobs,
    storeFile,
    fileBytes,
    fetchFile: (url: string, maxBytes: number, signal?: AbortSignal) => fetchRemoteFile(fetch, url, maxBytes, signal),
    fileContents: createExtractContents({ files, storeFile, extractor }),
  };
}

function receiversOf(cluster: Cluster | undefined): OtherReceivers | undefined {
  if (cluster === undefined) return undefined;
  const { membership, signals } = cluster;
  return {
    get id() {
      return membership.id;
    },
    isAlive: membership.isAlive,
    tell: (uploadId) => signals.send("upload", uploadId),
    onTold: (listener) => signals.on("upload", listener),
  };
}
