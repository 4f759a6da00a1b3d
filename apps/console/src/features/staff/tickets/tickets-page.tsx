import type { StaffPageProps } from "../parts/staff-page-props.ts";
import { QueuePage } from "./queue-page.tsx";
import { TicketPage } from "./ticket-page.tsx";

export function TicketsPage({ id }: StaffPageProps) {
  return id === undefined ? <QueuePage /> : <TicketPage ticketId={id} />;
}
