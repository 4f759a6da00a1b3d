import { createFileStore } from "#src/platform/files/file-store.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { attachmentCollectionJob } from "./attachment-collection.job.ts";
import { createAttachments, type Attachments } from "./attachments.service.ts";
import { createVirusScanner } from "./virus-scanner.ts";

export interface AttachmentsFeature extends Feature {
  readonly attachments: Attachments;
}

/** The files of tickets; the calls that send and read them are those of the tickets. */
export function createAttachmentsFeature({
  config,
  db,
  clock,
  log,
  failpoint,
}: Platform): AttachmentsFeature {
  const files = createFileStore(config.files);
  const scan = config.clamd === undefined ? null : createVirusScanner(config.clamd);
  return {
    attachments: createAttachments({ db, files, scan, log, failpoint }),
    mountRoutes: () => undefined,
    jobs: [attachmentCollectionJob({ db, files, clock, log })],
  };
}
