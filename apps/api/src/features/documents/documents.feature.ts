import { documentsDueChannel } from "#src/features/ledger/documents-due.service.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { issueDocuments } from "./document-issuer.ts";
import { mountDocumentRoutes } from "./documents.routes.ts";

/** Receipts, invoices and credit notes: numbers for those that are due, and what accounts see of them. */
export function createDocumentsFeature(
  platform: Pick<Platform, "db" | "clock" | "bus" | "log" | "failpoint">,
): Feature {
  const { db, bus, log } = platform;
  let ending: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let isAsked = false;

  const run = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false;
      await issueDocuments(platform).catch((error: unknown) =>
        log.warn({ err: error }, "Documents could not be issued; the job tries again"),
      );
    }
    running = undefined;
  };
  const wake = (): void => {
    isAsked = true;
    running ??= run();
  };

  return {
    mountRoutes: (mount) => mountDocumentRoutes(mount, { db }),
    jobs: [
      {
        // For those that no process was told of, because it died or lost its connection.
        name: "documents.issue",
        retryLimit: 0,
        retryDelaySeconds: 60,
        cron: "* * * * *",
        run: async () => void (await issueDocuments(platform)),
      },
    ],
    async start() {
      ending = await bus.listen(documentsDueChannel, wake, wake);
    },
    async stop() {
      ending?.();
      isAsked = false;
      await running;
    },
  };
}
