import type { Attachments } from "#src/features/attachments/attachments.service.ts";
import {
  readTicketEvent,
  ticketEventsChannel,
} from "#src/features/tickets/ticket-events.service.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { mountCannedReplyRoutes } from "./canned-replies.routes.ts";
import { escalateTickets } from "./escalation.service.ts";
import { mountStaffTicketsRoutes } from "./staff-tickets.routes.ts";
import { deleteOldReaders } from "./ticket-readers.repository.ts";

const dayMs = 86_400_000;

/** The queue of tickets for staff, and what they are told of it. */
export function createStaffTicketsFeature(
  { db, bus, clock, mailer, log }: Platform,
  deps: { readonly attachments: Attachments; readonly consoleOrigin: () => string },
): Feature {
  const { attachments, consoleOrigin } = deps;
  const escalate = () => escalateTickets({ db, clock, mailer, consoleOrigin });
  let stop: (() => void) | undefined;
  let running: Promise<void> | undefined;
  return {
    mountRoutes(mount) {
      mountStaffTicketsRoutes(mount, { db, bus, attachments });
      mountCannedReplyRoutes(mount, { db });
    },
    jobs: [
      {
        name: "tickets.escalate",
        retryLimit: 0,
        retryDelaySeconds: 60,
        cron: "* * * * *",
        run: escalate,
      },
      {
        name: "tickets.clean-readers",
        retryLimit: 3,
        retryDelaySeconds: 600,
        cron: "41 4 * * *",
        run: () => deleteOldReaders(db, new Date(clock.now().getTime() - dayMs)),
      },
    ],
    // A critical ticket does not wait for the job, which finds what was missed here.
    async start() {
      stop = await bus.listen(ticketEventsChannel, (payload) => {
        if (readTicketEvent(payload)?.kind !== "message" || running !== undefined) return;
        running = escalate()
          .catch((error: unknown) => log.warn({ err: error }, "Tickets were not escalated"))
          .finally(() => {
            running = undefined;
          });
      });
    },
    async stop() {
      stop?.();
      await running;
    },
  };
}
