import { toPage } from "@palisade/contract/http/paging";
import { routes } from "@palisade/contract/http/routes";
import type { TicketDetail, TicketMessage } from "@palisade/contract/http/tickets";
import { renderText, type Locale } from "@palisade/contract/texts/render";
import { icon } from "@palisade/system-tests/routing/icon";
import { newId, type AccountState } from "./account-state.ts";
import { Refusal } from "./problems.ts";
import type { StubApi, StubFile } from "./stub-api.ts";
import { closedWith, createMessage, createTicket } from "./ticket-examples.ts";

const { tickets, liveChannel } = routes;
const dayMs = 86_400_000;
const now = () => new Date().toISOString();

export function handleTickets(api: StubApi, state: () => AccountState): void {
  const find = (id: string): TicketDetail => {
    const found = state().tickets.find((ticket) => ticket.id === id);
    if (found === undefined) throw new Refusal("not_found");
    return found;
  };
  const change = (id: string, changes: Partial<TicketDetail>): TicketDetail => {
    const changed = { ...find(id), updated_at: now(), ...changes };
    state().tickets = state().tickets.map((ticket) => (ticket.id === id ? changed : ticket));
    return changed;
  };
  const done = (locale: Locale, what: string) => renderText(locale, `ok.ticket_${what}`);

  api.handle(tickets.listTickets, ({ query }) => {
    const matching = state().tickets.filter(
      ({ status, category }) =>
        status === (query.status ?? status) && category === (query.category ?? category),
    );
    const start = (query.page - 1) * query.per_page;
    const rows = matching.slice(start, start + query.per_page);
    return toPage(rows, query.page, query.per_page, matching.length);
  });
  api.handle(tickets.getTicket, ({ params }) => ({ ticket: find(params.id) }));
  api.handle(tickets.createTicket, ({ body, files, locale }) => {
    const { server_id: serverId, with_snapshot: hasSnapshot, message, ...fields } = body;
    const shield = state().shields.find(({ id }) => id === serverId);
    const ticket = createTicket({
      ...fields,
      id: newId(),
      ticket_number: 1042 + state().tickets.length,
      status: "open",
      created_at: now(),
      updated_at: now(),
      messages: [messageOf(message, files)],
      server: shield === undefined ? null : { id: shield.id, name: shield.server_name },
      has_snapshot: hasSnapshot,
    });
    state().tickets = [ticket, ...state().tickets];
    return { message: done(locale, "created"), ticket };
  });
  api.handle(tickets.replyToTicket, ({ params, body, files, locale }) => {
    const ticket = find(params.id);
    if (ticket.status === "closed") throw new Refusal("ticket_closed");
    const message = messageOf(body.message, files);
    change(ticket.id, { status: "in_progress", messages: [message, ...ticket.messages] });
    return { message: done(locale, "message_sent"), ticket_message: message };
  });
  api.handle(tickets.closeTicket, ({ params, locale }) => {
    if (find(params.id).status === "closed") throw new Refusal("ticket_closed");
    const until = new Date(Date.now() + 14 * dayMs).toISOString();
    return { message: done(locale, "closed"), ticket: change(params.id, closedWith(until)) };
  });
  api.handle(tickets.reopenTicket, ({ params, locale }) => {
    const { status, reopen_until: until } = find(params.id);
    if (status !== "closed") throw new Refusal("ticket_not_closed");
    if (until === null) throw new Refusal("ticket_too_old");
    const opened = { status: "in_progress", closed_at: null, reopen_until: null } as const;
    return { message: done(locale, "reopened"), ticket: change(params.id, opened) };
  });
  api.handle(tickets.rateTicket, ({ params, body, locale }) => {
    if (find(params.id).status !== "closed") throw new Refusal("ticket_not_closed");
    change(params.id, { satisfaction: body });
    return { message: done(locale, "rated") };
  });
  api.handle(liveChannel.createLiveToken, () => ({ token: "plt_stub", expires_at: now() }));
  api.handle(tickets.viewAttachment, () => atob(icon().replace(/^.*,/, "")));
  api.handle(tickets.downloadAttachment, () => "[12:00:00] [Server thread/INFO]: Done");
}

function messageOf(message: string, files: readonly StubFile[]): TicketMessage {
  return createMessage({
    id: newId(),
    message,
    attachments: files.map(({ name, type, bytes }) => ({
      filename: newId(),
      original_name: name,
      size: bytes.length,
      content_type: type,
      is_image: type.startsWith("image/"),
    })),
    created_at: now(),
  });
}
